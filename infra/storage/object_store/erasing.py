"""Erasing objects with all their versions, as far as the bucket lets go of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from infra.storage.object_store.client import BucketClient
from infra.storage.object_store.errors import is_refused, is_unsupported
from infra.storage.object_store.locks import find_lock, longer
from shared.domain.errors import ObjectGone, ObjectLocked, SpomynError


class _Version(NamedTuple):
    """One version of an object; `id` is None where the service does not tell versions apart."""

    key: str
    id: str | None
    is_marker: bool = False


async def erase(client: BucketClient, prefix: str, concerns: Callable[[str], bool]) -> int:
    """Delete all versions, markers and unfinished uploads under a prefix whose names concern; return how many.

    Raises:
        ObjectLocked: The bucket keeps some; the rest is gone, and they are hidden.
    """
    gone, locked = await _give_up_all(client, prefix, concerns), dict[str, str]()
    # Listed to the end first: not every service goes on behind a version that is gone.
    found = [each async for each in _versions(client, prefix) if concerns(each.key)]
    # The oldest first and markers last, so that what stays is never the newest that a reader finds.
    found.reverse()
    found.sort(key=lambda each: each.is_marker)
    for version in found:
        if version.is_marker and version.key in locked:
            continue
        kept = await _remove(client, version)
        if kept is None:
            gone += 1
            continue
        if version.key not in locked:
            await client.call("delete_object", Key=version.key)  # a marker: no reader finds it
        locked[version.key] = longer(kept, locked.get(version.key, kept))
    if locked:
        told = ", ".join(f"{name} ({kept})" for name, kept in sorted(locked.items()))
        keys = tuple(sorted(name.removeprefix(client.base) for name in locked))
        raise ObjectLocked(f"the bucket keeps versions of {told}", keys=keys)
    return gone


async def _remove(client: BucketClient, version: _Version) -> str | None:
    """Delete a version; return why the bucket keeps it, when it does."""
    chosen = {"Key": version.key} if version.id is None else {"Key": version.key, "VersionId": version.id}
    try:
        await client.call("delete_object", **chosen)
    except ObjectGone:
        return None
    except SpomynError as error:
        if not is_refused(error):
            raise
        kept = find_lock(await client.call("head_object", **chosen))
        if kept is None:
            raise
        return kept
    return None


async def _versions(client: BucketClient, prefix: str) -> AsyncIterator[_Version]:
    """Yield every version of what begins with the prefix, and the markers of deletion."""
    asked = ("KeyMarker", "VersionIdMarker")
    try:
        if not client.is_gcs:
            told = ("NextKeyMarker", "NextVersionIdMarker")
            async for page in client.pages("list_object_versions", asked, told, prefix):
                for each in page.get("Versions", ()):
                    yield _Version(each["Key"], each["VersionId"])
                for each in page.get("DeleteMarkers", ()):
                    yield _Version(each["Key"], each["VersionId"], is_marker=True)
            return
    except SpomynError as error:
        if not is_unsupported(error):
            raise
    async for each in client.objects(prefix):
        yield _Version(each["Key"], None)


async def _give_up_all(client: BucketClient, prefix: str, concerns: Callable[[str], bool]) -> int:
    """Give up unfinished uploads; return how many."""
    asked, told = ("KeyMarker", "UploadIdMarker"), ("NextKeyMarker", "NextUploadIdMarker")
    given_up = 0
    async for page in client.pages("list_multipart_uploads", asked, told, prefix):
        for each in page.get("Uploads", ()):
            # Not every service heeds the prefix.
            if each["Key"].startswith(client.base + prefix) and concerns(each["Key"]):
                await client.call("abort_multipart_upload", Key=each["Key"], UploadId=each["UploadId"])
                given_up += 1
    return given_up
