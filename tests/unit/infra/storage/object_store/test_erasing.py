"""Erasing takes every version, marker and unfinished upload."""

import pytest

from shared.domain.errors import ArchiveUnavailable
from tests.support.servers.archives import KEY, LARGE, SMALL, keys, put
from tests.support.servers.objects import Fault, FaultyProxy, store_on


@pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
async def test_deleting_removes_every_version_and_marker(inside, bucket, content):
    inside.create_bucket(Bucket=bucket)
    inside.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    archive = store_on(bucket, None)
    for n in range(3):
        await put(archive, content + bytes([n]))
    inside.delete_object(Bucket=bucket, Key=f"spomyn/{KEY}")
    assert await archive.delete(KEY) == 4
    left = inside.list_object_versions(Bucket=bucket)
    assert (left.get("Versions"), left.get("DeleteMarkers")) == (None, None)


async def test_erasing_gives_up_unfinished_uploads(inside, bucket):
    inside.create_bucket(Bucket=bucket)
    archive = store_on(bucket, None)
    inside.create_multipart_upload(Bucket=bucket, Key=f"spomyn/{KEY}")
    inside.create_multipart_upload(Bucket=bucket, Key="spomyn/chats/-1001/x")
    assert await archive.erase("chats/-100/") == 1
    left = inside.list_multipart_uploads(Bucket=bucket)["Uploads"]
    assert [upload["Key"] for upload in left] == ["spomyn/chats/-1001/x"]


async def test_an_erasure_that_breaks_off_leaves_nothing_locked_to_be_found(server):
    server.create_bucket(Bucket="breaks-off", ObjectLockEnabledForBucket=True)
    at = {"Bucket": "breaks-off", "Key": f"spomyn/{KEY}"}
    server.put_object(**at, Body=b"held", ObjectLockLegalHoldStatus="ON")
    newer = server.put_object(**at, Body=b"newer")["VersionId"]
    async with FaultyProxy(server.meta.endpoint_url).running() as proxy:
        archive = store_on("breaks-off", proxy.url, timeout=1.0)
        proxy.faults.append(Fault("busy", "DELETE", newer, times=9))
        with pytest.raises(ArchiveUnavailable):
            await archive.delete(KEY)
        assert await archive.head(KEY) is None
        await archive.aclose()


async def test_a_service_without_versions_is_erased_object_by_object(behind):
    proxy, archive, _ = behind
    await put(archive, SMALL)
    proxy.faults.append(Fault("busy", "GET", "versions", code="NotImplemented", status=501, times=9))
    assert await archive.erase("chats/-100/") == 1
    assert await keys(archive) == []
