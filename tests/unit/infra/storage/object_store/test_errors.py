"""What each failure of a bucket or of the network means."""

import pytest

from shared.domain.errors import ArchiveUnavailable, SettingsError
from tests.support.servers.archives import KEY, LARGE, SMALL, keys, put, read
from tests.support.servers.objects import Fault, store_on


async def test_a_missing_bucket_is_a_wrong_setting(server):
    archive = store_on("no-such-bucket", server.meta.endpoint_url)
    for call in (put(archive, SMALL), put(archive, LARGE), read(archive), archive.head(KEY), keys(archive)):
        with pytest.raises(SettingsError, match="no-such-bucket"):
            await call
    await archive.aclose()


async def test_nobody_there_is_an_outage():
    archive = store_on("bucket", "http://127.0.0.1:1", attempts=1)
    for call in (put(archive, SMALL), read(archive), archive.head(KEY), keys(archive), archive.delete(KEY)):
        with pytest.raises(ArchiveUnavailable):
            await call
    await archive.aclose()


@pytest.mark.parametrize(
    ("fault", "content"),
    [
        (Fault("busy"), LARGE),
        (Fault("busy", code="InternalError", status=500), SMALL),
        (Fault("cut_upload"), LARGE),
        (Fault("lose_answer"), SMALL),
        (Fault("lose_answer"), LARGE),
    ],
    ids=["busy", "broken", "cut", "lost answer", "lost answer of a part"],
)
async def test_one_failure_is_made_up_for_by_the_clients_retry(behind, fault, content):
    proxy, archive, _ = behind
    proxy.faults.append(Fault(**vars(fault)))
    await put(archive, content, if_none_match=True)
    assert await read(archive) == content


@pytest.mark.parametrize(
    "fault",
    [
        Fault("busy", code="TooManyRequests", status=429, times=9),
        Fault("busy", within="partNumber=2", times=9),
        Fault("cut_upload", within="partNumber=2", times=9),
        Fault("busy", "POST", "uploadId=", times=9),
    ],
    ids=lambda fault: f"{fault.kind} {fault.code} {fault.method} {fault.within}",
)
async def test_a_failure_that_stays_leaves_no_object_and_no_parts(behind, bucket, fault):
    proxy, archive, client = behind
    proxy.faults.append(Fault(**vars(fault)))
    with pytest.raises(ArchiveUnavailable):
        await put(archive, LARGE)
    assert client.list_objects_v2(Bucket=bucket)["KeyCount"] == 0
    assert client.list_multipart_uploads(Bucket=bucket).get("Uploads") is None


async def test_a_download_that_is_cut_is_an_outage_not_an_end(behind):
    proxy, archive, _ = behind
    await put(archive, LARGE)
    proxy.faults.append(Fault("cut_download", "GET", times=9))
    with pytest.raises(ArchiveUnavailable):
        await read(archive)


async def test_a_service_that_hangs_is_an_outage_after_the_timeout(behind):
    proxy, archive, _ = behind
    proxy.faults.append(Fault("hang", "HEAD", times=9))
    with pytest.raises(ArchiveUnavailable):
        await archive.head(KEY)


@pytest.mark.parametrize("code", ["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch"])
async def test_refused_credentials_are_a_wrong_setting(behind, code):
    proxy, archive, _ = behind
    proxy.faults += [Fault("busy", method, code=code, status=403, times=9) for method in ("PUT", "GET", "DELETE")]
    for call in (put(archive, SMALL), read(archive), archive.delete(KEY)):
        with pytest.raises(SettingsError, match="ARCHIVE_"):
            await call
