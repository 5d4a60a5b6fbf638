"""Versions that a bucket keeps locked: told, hidden, and until when."""

from datetime import UTC, datetime

import pytest

from shared.domain.errors import ObjectLocked
from tests.support.servers.archives import KEY, SMALL, keys, put, read
from tests.support.servers.objects import store_on


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
