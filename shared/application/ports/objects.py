"""The archive: whole objects under keys, in a bucket or a folder."""

import re
from collections.abc import AsyncIterable, AsyncIterator
from datetime import datetime
from typing import NamedTuple, Protocol

_KEY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")
_MOST_KEY = 512


class ObjectInfo(NamedTuple):
    """The metadata of an object.

    Attributes:
        size: Bytes.
        etag: Opaque; another one whenever the object was written with other bytes.
        checksum: Of its bytes, from SHA-256 (opaque otherwise), or None where the service did not keep one; listings
            may leave it out.
        modified_at: When it was written, by the service's clock.
    """

    key: str
    size: int
    etag: str
    checksum: str | None
    modified_at: datetime


class ObjectStore(Protocol):
    """Objects that appear whole or not at all.

    A key is made of segments of `A-Za-z0-9_.-`, joined by "/", none of which begins with a dot; it has at most 512
    characters. Another one is a ValueError. Every method raises `ArchiveUnavailable` when the service cannot be
    reached, breaks off or throttles (after the retries of its client), `SettingsError` when the bucket is not there or
    the credentials are wrong, and `ObjectRefused` when it refuses for another reason.
    """

    async def put(
        self,
        key: str,
        chunks: AsyncIterable[bytes],
        *,
        content_type: str,
        if_none_match: bool = False,
        if_match: str | None = None,
    ) -> ObjectInfo:
        """Write an object from a stream, holding a few megabytes of it at most; a failure, also one of `chunks`, leaves
        what was there.

        With a condition that does not hold, an object of the very same bytes is a success all the same: then this is a
        repetition. A service without conditional writes is asked before the write; two writers at once are not told
        apart there, and the last one wins.

        Args:
            chunks: The bytes, in pieces of any size.
            content_type: MIME type.
            if_none_match: Only when there is no object yet.
            if_match: Only when the object there has this etag.

        Raises:
            PreconditionFailed: The condition does not hold.
        """
        ...

    def get(self, key: str) -> AsyncIterator[bytes]:
        """The object's bytes, streamed; its checksum is compared after the last of them.

        Raises:
            ObjectGone: There is none.
            ObjectCorrupt: The bytes are not those that were put.
        """
        ...

    async def head(self, key: str) -> ObjectInfo | None:
        """Return what is known of the object, or None when there is none."""
        ...

    def list(self, prefix: str) -> AsyncIterator[ObjectInfo]:
        """Every object whose key begins with `prefix`, by key, streamed page by page."""
        ...

    async def delete(self, key: str) -> int:
        """Remove an object with all its versions and unfinished uploads; how many were removed. Absent is fine.

        Raises:
            ObjectLocked: Versions must be kept (retention, legal hold). All others are gone, and none is current.
        """
        ...

    async def erase(self, prefix: str) -> int:
        """Delete every object whose key begins with `prefix`; else as `delete`. `ObjectLocked` names all keys."""
        ...

    async def aclose(self) -> None:
        """Release connections."""
        ...


def check_key(key: str) -> str:
    """The key itself.

    Raises:
        ValueError: It is not of the form that `ObjectStore` describes.
    """
    if len(key) > _MOST_KEY or not _KEY.fullmatch(key):
        raise ValueError(f"Not the key of an object: {key!r}")
    return key
