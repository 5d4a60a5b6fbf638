"""What only a bucket does: long listings in pages, uploads in parts."""

from tests.support.servers.archives import LARGE, keys, put, read
from tests.support.servers.objects import Fault, store_on


async def test_a_long_listing_comes_page_by_page(inside, bucket):
    inside.create_bucket(Bucket=bucket)
    inside.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    archive = store_on(bucket, None, page=3)
    for n in range(10):
        inside.put_object(Bucket=bucket, Key=f"spomyn/chats/-100/{n:04d}", Body=b"")
    assert len(await keys(archive, "chats/-100/")) == 10
    assert await archive.erase("chats/-100/") == 10
    assert inside.list_object_versions(Bucket=bucket).get("Versions") is None


async def test_a_finished_upload_whose_answer_was_lost_counts(behind):
    proxy, archive, _ = behind
    proxy.faults.append(Fault("lose_answer", "POST", "uploadId="))
    await put(archive, LARGE, if_none_match=True)
    assert await read(archive) == LARGE
