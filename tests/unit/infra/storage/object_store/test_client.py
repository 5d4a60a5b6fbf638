"""How a service is spoken to: wrong settings, and what Google Cloud Storage does not know."""

import pytest

from infra.storage.object_store import Bucket, S3ObjectStore
from shared.domain.errors import SettingsError
from tests.support.servers.archives import SMALL, put
from tests.support.servers.objects import ACCOUNT


async def test_what_no_client_can_be_made_of_is_a_wrong_setting():
    archive = S3ObjectStore(Bucket("bucket", endpoint_url="http://", **ACCOUNT))
    with pytest.raises(SettingsError, match="ARCHIVE_"):
        await put(archive, SMALL)


async def test_google_cloud_storage_is_asked_without_conditions_and_extra_checksums():
    gcs = S3ObjectStore(Bucket("bucket", endpoint_url="https://storage.googleapis.com", **ACCOUNT))
    config = gcs._client.boto.meta.config
    assert (config.request_checksum_calculation, config.response_checksum_validation) == ("when_required",) * 2
    await gcs.aclose()
    assert not gcs._client.has_conditions
