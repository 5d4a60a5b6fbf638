"""A byte that changed on its way is noticed."""

import pytest

from shared.domain.errors import ObjectCorrupt
from tests.support.servers.archives import KEY, LARGE, SMALL, put, read
from tests.support.servers.objects import Fault


@pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
async def test_a_flipped_bit_is_noticed(behind, content):
    proxy, archive, _ = behind
    await put(archive, content)
    proxy.faults.append(Fault("flip", "GET", KEY.rpartition("/")[2]))
    with pytest.raises(ObjectCorrupt, match="checksum"):
        await read(archive)
