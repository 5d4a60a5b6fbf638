"""The ObjectStore port on any S3 API: AWS S3, Google Cloud Storage by interoperability, R2, MinIO.

An object above one part goes up in parts and appears by the last call; when that fails, the parts are given up.
"""

from __future__ import annotations

import base64
import hashlib
import logging
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from typing import Any

from infra.storage.object_store.checksums import PART_SIZE, SUM, Recorded, split_parts
from infra.storage.object_store.client import Bucket, BucketClient
from infra.storage.object_store.erasing import erase
from shared.application.ports.objects import ObjectInfo
from shared.domain.errors import (
    ArchiveUnavailable,
    ObjectCorrupt,
    ObjectGone,
    PreconditionFailed,
    SpomynError,
)

log = logging.getLogger(__name__)

PART_BYTES = 8 << 20
"""Size of a part and most bytes of an object of one part (S3 takes parts of 5 MiB to 5 GiB, 10,000 of them)."""

_PIECE = 1 << 18


class S3ObjectStore:
    """ObjectStore in a bucket.

    On GCS, versions are not seen by this API: leave versioning and soft deletion off there, or erasure is incomplete.

    Args:
        bucket: Where.
        part_bytes: Size of a part.
        timeout: Seconds without progress after which a request has failed.
        attempts: Of each request, by the client's own standard retries.
        page: Objects in one answer of a listing.
    """

    def __init__(
        self,
        bucket: Bucket,
        *,
        part_bytes: int = PART_BYTES,
        timeout: float = 20.0,
        attempts: int = 4,
        page: int = 1000,
    ) -> None:
        self._part_bytes = part_bytes
        self._client = BucketClient(bucket, timeout=timeout, attempts=attempts, page=page)

    async def put(
        self,
        key: str,
        chunks: AsyncIterable[bytes],
        *,
        content_type: str,
        if_none_match: bool = False,
        if_match: str | None = None,
    ) -> ObjectInfo:
        name = self._client.name(key)
        parts = split_parts(chunks, self._part_bytes)
        first = await anext(parts, b"")
        conditions = _conditions(if_none_match=if_none_match, if_match=if_match)
        sent = {"Key": name, "ContentType": content_type}
        if len(first) < self._part_bytes:
            checksum = hashlib.sha256(first).hexdigest()
            if not self._client.has_conditions and await self._has_same(key, checksum, conditions):
                return await self._look_up(key)
            put = {**sent, "Body": first, "Metadata": {SUM: checksum}}
            await self._conditionally(key, checksum, conditions, "put_object", put)
            return await self._look_up(key)
        await self._put_parts(key, sent, first, parts, conditions)
        return await self._look_up(key)

    async def get(self, key: str) -> AsyncIterator[bytes]:
        try:
            found = await self._client.call("get_object", Key=self._client.name(key), **self._client.asking_for_sums)
        except ObjectGone as error:
            raise ObjectGone(f"there is no {key} in the archive") from error
        body, recorded = found["Body"], Recorded.of(found)
        digest = recorded.digest()
        try:
            while piece := await self._client.run_in_thread(body.read, _PIECE):
                digest.update(piece)
                yield piece
        finally:
            body.close()
        if recorded.checksum not in (None, digest.hexdigest()):
            raise ObjectCorrupt(f"{key} is not what was put into the archive: its checksum differs")

    async def head(self, key: str) -> ObjectInfo | None:
        name = self._client.name(key)
        try:
            found = await self._client.call("head_object", Key=name, **self._client.asking_for_sums)
        except ObjectGone:
            await self._client.check_there()
            return None
        return ObjectInfo(
            key, found["ContentLength"], found["ETag"], Recorded.of(found).checksum, found["LastModified"]
        )

    async def list(self, prefix: str) -> AsyncIterator[ObjectInfo]:
        async for each in self._client.objects(prefix):
            key = each["Key"].removeprefix(self._client.base)
            yield ObjectInfo(key, each["Size"], each["ETag"], None, each["LastModified"])

    async def delete(self, key: str) -> int:
        name = self._client.name(key)
        return await erase(self._client, key, lambda found: found == name)

    async def erase(self, prefix: str) -> int:
        return await erase(self._client, prefix, lambda _: True)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _look_up(self, key: str) -> ObjectInfo:
        info = await self.head(key)
        if info is None:
            raise ArchiveUnavailable(f"{key} was removed from the archive as soon as it was there")
        return info

    async def _has_same(self, key: str, checksum: str | None, conditions: Mapping[str, str]) -> bool:
        """Return whether the very object is there although the conditions say that it should not be.

        Raises:
            PreconditionFailed: Another one is.
        """
        if not conditions:
            return False
        there = await self.head(key)
        holds = (
            there is None if "IfNoneMatch" in conditions else there is not None and there.etag == conditions["IfMatch"]
        )
        if holds:
            return False
        if there is not None and checksum is not None and there.checksum == checksum:
            return True
        raise PreconditionFailed(f"{key} in the archive is not what was expected")

    async def _conditionally(
        self, key: str, checksum: str | None, conditions: Mapping[str, str], operation: str, sent: Mapping[str, Any]
    ) -> None:
        """Make the request that lets the object appear."""
        try:
            await self._client.call(operation, **sent, **(conditions if self._client.has_conditions else {}))
        except (PreconditionFailed, ObjectGone) as error:
            # Perhaps it is our own that is there: its answer was lost, and the client asked again.
            there = await self.head(key)
            if there is not None and checksum is not None and there.checksum == checksum:
                return
            if not conditions:
                raise ArchiveUnavailable(f"{key} was erased while it was written") from error
            raise PreconditionFailed(f"{key} in the archive is not what was expected") from error

    async def _put_parts(
        self, key: str, sent: Mapping[str, str], first: bytes, rest: AsyncIterator[bytes], conditions: Mapping[str, str]
    ) -> None:
        named = {"Key": sent["Key"], "UploadId": await self._begin(sent)}
        sums = {"ChecksumType": "COMPOSITE"} if self._client.has_sums else {}
        try:
            done, digests = [await self._put_part(named, 1, first)], hashlib.sha256(hashlib.sha256(first).digest())
            async for part in rest:
                done.append(await self._put_part(named, len(done) + 1, part))
                digests.update(hashlib.sha256(part).digest())
            checksum = f"{digests.hexdigest()}-{self._part_bytes}" if self._client.has_sums else None
            # Asked before the end, too: not every service looks at a condition there.
            if await self._has_same(key, checksum, conditions):
                await self._give_up(named)
                return
            finish = {**named, "MultipartUpload": {"Parts": done}, **sums}
            await self._conditionally(key, checksum, conditions, "complete_multipart_upload", finish)
        except BaseException:
            await self._give_up(named)
            raise

    async def _begin(self, sent: Mapping[str, str]) -> str:
        sums = {"ChecksumAlgorithm": "SHA256", "ChecksumType": "COMPOSITE"} if self._client.has_sums else {}
        metadata = {PART_SIZE: str(self._part_bytes)}
        upload_id: str = (await self._client.call("create_multipart_upload", **sent, Metadata=metadata, **sums))[
            "UploadId"
        ]
        return upload_id

    async def _put_part(self, named: Mapping[str, str], number: int, part: bytes) -> dict[str, Any]:
        sums = (
            {"ChecksumSHA256": base64.b64encode(hashlib.sha256(part).digest()).decode()}
            if self._client.has_sums
            else {}
        )
        taken = await self._client.call("upload_part", **named, PartNumber=number, Body=part, **sums)
        return {"PartNumber": number, "ETag": taken["ETag"], **sums}

    async def _give_up(self, named: Mapping[str, str]) -> None:
        try:
            await self._client.call("abort_multipart_upload", **named)
        except ObjectGone:
            return
        except SpomynError:
            # What failed before is what the caller should hear of; the bucket's lifecycle removes the parts.
            log.warning("an upload could not be given up")


def _conditions(*, if_none_match: bool, if_match: str | None) -> dict[str, str]:
    if if_none_match:
        return {"IfNoneMatch": "*"}
    return {} if if_match is None else {"IfMatch": if_match}
