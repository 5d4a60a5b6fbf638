"""An export is deterministic, whole, and of documents of known types."""

import pytest

from shared.application.archive.exporting import export_chat
from shared.domain.errors import ExportRefused, NothingToExport
from tests.support.exports import CHAT, HEADER, app_on, fill, plain, whole


async def test_a_value_of_an_unknown_type_is_not_exported():
    class Strange:
        async def get(self, path):
            return None

        async def subtree(self, path):
            from shared.application.ports.store import Document

            yield Document(f"{path}/facts/abc", {"place": complex(1, 2)})

    with pytest.raises(ExportRefused, match=r"chats/-1001/facts/abc.*'place' holds a complex"):
        await whole(export_chat(Strange(), app_on(Strange()).clock, CHAT))


async def test_the_same_chat_makes_the_same_bytes(sqlite_store):
    await fill(sqlite_store, 30)
    first, second = [await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT)) for _ in range(2)]
    assert first == second
    assert first[4:8] == bytes(4)  # no time in the gzip header
    lines = plain(first)
    assert lines[0] == HEADER.replace(": ", ":").replace(", ", ",")
    assert lines[1].endswith('"path":""}')
    assert '"documents":43' in lines[-1]


async def test_there_is_no_export_of_nothing(sqlite_store):
    with pytest.raises(NothingToExport, match="-1001"):
        await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT))
