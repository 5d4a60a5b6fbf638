"""What every archive does, on a folder, on moto in this process, on moto's server, and where nothing is conditional."""

import asyncio
import hashlib
from datetime import UTC, datetime

import pytest

from infra.storage.object_folder import ObjectFolder
from infra.storage.object_store import Bucket, S3ObjectStore
from shared.domain.errors import (
    ArchiveUnavailable,
    ObjectCorrupt,
    ObjectGone,
    ObjectLocked,
    PreconditionFailed,
    SettingsError,
)
from tests.support.servers.objects import ACCOUNT, PART, Fault, FaultyProxy, moto_inside, moto_server, store_on

KEY = "chats/-100/export-20261122.jsonl.gz"
SMALL, LARGE = b"memory" * 100, bytes(range(256)) * 4096 * 6  # 6 MiB: two parts
TEXT = "text/markdown"


async def pieces(content, size=1 << 20):
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def put(archive, content, key=KEY, **conditions):
    return await archive.put(key, pieces(content), content_type=TEXT, **conditions)


async def read(archive, key=KEY):
    return b"".join([piece async for piece in archive.get(key)])


async def keys(archive, prefix=""):
    return [info.key async for info in archive.list(prefix)]


@pytest.fixture(scope="module")
def inside():
    with moto_inside() as client:
        yield client


@pytest.fixture(scope="module")
def server():
    with moto_server() as client:
        yield client


@pytest.fixture
def bucket(request):
    return "b" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:20]


@pytest.fixture(scope="module")
def stores(request):
    """One adapter of a kind, made when it is first asked for: making a client takes a fifth of a second."""
    made = {}

    def store(kind):
        if kind not in made:
            client = request.getfixturevalue("server" if kind == "server" else "inside")
            client.create_bucket(Bucket=f"all-{kind}")
            url = client.meta.endpoint_url if kind == "server" else None
            made[kind] = store_on(f"all-{kind}", url, conditional=False if kind == "unconditional" else None)
        return made[kind]

    return store


@pytest.fixture
async def archive(request, tmp_path):
    if request.param == "folder":
        return ObjectFolder(tmp_path / "archive")
    store = request.getfixturevalue("stores")(request.param)
    await store.erase("")
    return store


everywhere = pytest.mark.parametrize("archive", ["folder", "inside", "server"], indirect=True)
conditions = pytest.mark.parametrize("archive", ["folder", "inside", "server", "unconditional"], indirect=True)


@everywhere
@pytest.mark.parametrize("content", [b"", SMALL, LARGE[:PART], LARGE], ids=["empty", "small", "one part", "two parts"])
async def test_what_is_put_is_what_is_read(archive, content):
    head = await put(archive, content)
    assert await read(archive) == content
    assert await archive.head(KEY) == head
    assert (head.key, head.size) == (KEY, len(content))
    assert head.checksum
    assert head.modified_at.tzinfo is not None


@everywhere
async def test_what_is_not_there_is_none_and_gone(archive):
    assert await archive.head(KEY) is None
    with pytest.raises(ObjectGone, match="export-20261122"):
        await read(archive)
    assert await archive.delete(KEY) == 0
    assert await archive.erase("chats/-100/") == 0
    assert await keys(archive) == []


@everywhere
async def test_a_second_put_replaces_the_first(archive):
    first = await put(archive, SMALL)
    second = await put(archive, SMALL + b"!")
    assert await read(archive) == SMALL + b"!"
    assert first.etag != second.etag
    assert first.checksum != second.checksum


@conditions
async def test_only_the_first_of_two_conditional_puts_takes_effect(archive):
    await put(archive, SMALL, if_none_match=True)
    with pytest.raises(PreconditionFailed):
        await put(archive, b"another", if_none_match=True)
    with pytest.raises(PreconditionFailed):
        await put(archive, LARGE, if_none_match=True)
    assert await read(archive) == SMALL


@conditions
async def test_a_conditional_put_of_the_same_bytes_is_a_repetition(archive):
    first = await put(archive, SMALL, if_none_match=True)
    assert (await put(archive, SMALL, if_none_match=True)).etag == first.etag
    large = await put(archive, LARGE, if_match=first.etag)
    assert (await put(archive, LARGE, if_match=first.etag)).checksum == large.checksum
    assert await read(archive) == LARGE


@conditions
@pytest.mark.parametrize("content", [b"another", LARGE], ids=["small", "large"])
async def test_a_put_on_a_known_etag_needs_that_very_object(archive, content):
    first = await put(archive, SMALL)
    with pytest.raises(PreconditionFailed):
        await put(archive, content, if_match='"other"')
    await archive.delete(KEY)
    with pytest.raises(PreconditionFailed):
        await put(archive, content, if_match=first.etag)
    assert await keys(archive) == []


@everywhere
@pytest.mark.parametrize("before", [0, len(LARGE) - 1], ids=["at once", "in the second part"])
async def test_a_source_that_breaks_off_leaves_what_was_there(archive, before):
    await put(archive, SMALL)

    async def broken():
        yield LARGE[:before]
        raise ArchiveUnavailable("the store went away")

    with pytest.raises(ArchiveUnavailable):
        await archive.put(KEY, broken(), content_type=TEXT)
    assert await read(archive) == SMALL
    assert await archive.erase("chats/") == 1  # and no parts beside it


@everywhere
async def test_a_cancelled_put_leaves_nothing(archive):
    reached = asyncio.Event()

    async def endless():
        yield LARGE
        reached.set()
        await asyncio.sleep(60)

    writing = asyncio.create_task(archive.put(KEY, endless(), content_type=TEXT))
    await reached.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await archive.head(KEY) is None
    assert await archive.erase("") == 0


@everywhere
async def test_objects_are_listed_by_key_under_a_prefix(archive):
    for key in ("chats/-100/b", "chats/-100/a", "chats/-1001/a", "other/a"):
        await put(archive, SMALL, key)
    assert await keys(archive, "chats/-100/") == ["chats/-100/a", "chats/-100/b"]
    assert await keys(archive, "chats/-100") == ["chats/-100/a", "chats/-100/b", "chats/-1001/a"]
    assert [info.size async for info in archive.list("other/")] == [len(SMALL)]


@everywhere
async def test_erasing_a_prefix_takes_what_is_under_it_and_nothing_else(archive):
    for key in ("chats/-100/b", "chats/-100/a", "chats/-1001/a"):
        await put(archive, SMALL, key)
    assert await archive.erase("chats/-100/") == 2
    assert await keys(archive) == ["chats/-1001/a"]
    assert await archive.delete("chats/-1001/a") == 1
    assert await keys(archive) == []


@everywhere
async def test_deleting_an_object_spares_those_whose_keys_go_on(archive):
    for key in ("chats/1", "chats/10"):
        await put(archive, SMALL, key)
    assert await archive.delete("chats/1") == 1
    assert await keys(archive) == ["chats/10"]


@pytest.mark.parametrize("key", ["", "/a", "a/", "a//b", "../a", "a/../b", ".a", "a/.b", "a b", "є", "a\n", "a" * 513])
@pytest.mark.parametrize("make", [ObjectFolder, lambda _: store_on("bucket", None)], ids=["folder", "bucket"])
async def test_a_key_of_another_form_is_a_mistake(make, key, tmp_path):
    archive = make(tmp_path)
    for call in (put(archive, SMALL, key), read(archive, key), archive.head(key), archive.delete(key)):
        with pytest.raises(ValueError, match="Not the key"):
            await call


# What only a bucket has: versions, locks, a network.


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


async def test_a_locked_version_is_told_and_hidden_and_the_rest_goes(inside, bucket):
    inside.create_bucket(Bucket=bucket, ObjectLockEnabledForBucket=True)
    archive = store_on(bucket, None)
    await put(archive, SMALL)
    lock = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": datetime(2099, 1, 2, tzinfo=UTC)}
    inside.put_object(Bucket=bucket, Key=f"spomyn/{KEY}", Body=b"locked", **lock)
    inside.put_object(Bucket=bucket, Key="spomyn/chats/-100/held", Body=b"held", ObjectLockLegalHoldStatus="ON")
    await put(archive, SMALL, "chats/-100/CONTEXT.md")
    with pytest.raises(ObjectLocked, match=r"until 2099-01-02.*legal hold") as refused:
        await archive.erase("chats/-100/")
    assert refused.value.keys == (KEY, "chats/-100/held")
    assert await keys(archive) == []
    assert await archive.head(KEY) is None
    left = inside.list_object_versions(Bucket=bucket)["Versions"]
    assert sorted(version["Key"] for version in left) == [
        "spomyn/chats/-100/export-20261122.jsonl.gz",
        "spomyn/chats/-100/held",
    ]
    await put(archive, SMALL, if_none_match=True)
    assert await read(archive) == SMALL


async def test_of_many_locked_versions_the_longest_lock_is_told(inside, bucket):
    inside.create_bucket(Bucket=bucket, ObjectLockEnabledForBucket=True)
    archive = store_on(bucket, None)
    for year in (2097, 2099, 2098):
        lock = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": datetime(year, 1, 2, tzinfo=UTC)}
        inside.put_object(Bucket=bucket, Key=f"spomyn/{KEY}", Body=b"locked", **lock)
    with pytest.raises(ObjectLocked, match=r"until 2099-01-02\)$"):
        await archive.delete(KEY)
    inside.put_object(Bucket=bucket, Key=f"spomyn/{KEY}", Body=b"held", ObjectLockLegalHoldStatus="ON")
    with pytest.raises(ObjectLocked, match=r"\(legal hold\)$"):
        await archive.delete(KEY)


async def test_what_is_locked_stays_hidden_when_it_is_erased_again(inside, bucket):
    inside.create_bucket(Bucket=bucket, ObjectLockEnabledForBucket=True)
    archive = store_on(bucket, None)
    inside.put_object(Bucket=bucket, Key=f"spomyn/{KEY}", Body=b"held", ObjectLockLegalHoldStatus="ON")
    with pytest.raises(ObjectLocked):
        await archive.delete(KEY)
    (marker,) = inside.list_object_versions(Bucket=bucket)["DeleteMarkers"]
    with pytest.raises(ObjectLocked):
        await archive.delete(KEY)
    left = inside.list_object_versions(Bucket=bucket)["DeleteMarkers"]
    assert marker["VersionId"] in [each["VersionId"] for each in left]


async def test_a_long_listing_comes_page_by_page(inside, bucket):
    inside.create_bucket(Bucket=bucket)
    inside.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    archive = store_on(bucket, None, page=3)
    for n in range(10):
        inside.put_object(Bucket=bucket, Key=f"spomyn/chats/-100/{n:04d}", Body=b"")
    assert len(await keys(archive, "chats/-100/")) == 10
    assert await archive.erase("chats/-100/") == 10
    assert inside.list_object_versions(Bucket=bucket).get("Versions") is None


async def test_a_missing_bucket_is_a_wrong_setting(server):
    archive = store_on("no-such-bucket", server.meta.endpoint_url)
    for call in (put(archive, SMALL), put(archive, LARGE), read(archive), archive.head(KEY), keys(archive)):
        with pytest.raises(SettingsError, match="no-such-bucket"):
            await call
    await archive.aclose()


async def test_what_no_client_can_be_made_of_is_a_wrong_setting():
    archive = S3ObjectStore(Bucket("bucket", endpoint_url="http://", **ACCOUNT))
    with pytest.raises(SettingsError, match="ARCHIVE_"):
        await put(archive, SMALL)


async def test_nobody_there_is_an_outage():
    archive = store_on("bucket", "http://127.0.0.1:1", attempts=1)
    for call in (put(archive, SMALL), read(archive), archive.head(KEY), keys(archive), archive.delete(KEY)):
        with pytest.raises(ArchiveUnavailable):
            await call
    await archive.aclose()


@pytest.fixture
async def behind(server, bucket):
    """A proxy, the adapter behind it, and a client that goes around."""
    server.create_bucket(Bucket=bucket)
    async with FaultyProxy(server.meta.endpoint_url).running() as proxy:
        archive = store_on(bucket, proxy.url, timeout=1.0)
        yield proxy, archive, server
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


async def test_a_finished_upload_whose_answer_was_lost_counts(behind):
    proxy, archive, _ = behind
    proxy.faults.append(Fault("lose_answer", "POST", "uploadId="))
    await put(archive, LARGE, if_none_match=True)
    assert await read(archive) == LARGE


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


@pytest.mark.parametrize("content", [SMALL, LARGE], ids=["small", "large"])
async def test_a_flipped_bit_is_noticed(behind, content):
    proxy, archive, _ = behind
    await put(archive, content)
    proxy.faults.append(Fault("flip", "GET", KEY.rpartition("/")[2]))
    with pytest.raises(ObjectCorrupt, match="checksum"):
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


async def test_a_service_without_versions_is_erased_object_by_object(behind):
    proxy, archive, _ = behind
    await put(archive, SMALL)
    proxy.faults.append(Fault("busy", "GET", "versions", code="NotImplemented", status=501, times=9))
    assert await archive.erase("chats/-100/") == 1
    assert await keys(archive) == []


async def test_google_cloud_storage_is_asked_without_conditions_and_extra_checksums():
    gcs = S3ObjectStore(Bucket("bucket", endpoint_url="https://storage.googleapis.com", **ACCOUNT))
    config = gcs._client.boto.meta.config
    assert (config.request_checksum_calculation, config.response_checksum_validation) == ("when_required",) * 2
    await gcs.aclose()
    assert not gcs._client.has_conditions
