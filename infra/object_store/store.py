"""The ObjectStore port on any S3 API: AWS S3, Google Cloud Storage by interoperability, R2, MinIO.

boto3 is imported by the first call, in a thread, as every call is: nothing of it is loaded where no archive is used.
An object above one part goes up in parts and appears by the last call; when that fails, the parts are given up.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from infra.object_store.checksums import PART_SIZE, SUM, Recorded, in_parts
from infra.object_store.errors import is_refused, is_unsupported, translated
from infra.object_store.locks import kept_by, longer
from shared.application.ports.objects import ObjectInfo, check_key
from shared.domain.errors import (
    ArchiveUnavailable,
    ObjectCorrupt,
    ObjectGone,
    ObjectLocked,
    PreconditionFailed,
    SettingsError,
    SpomynError,
)

log = logging.getLogger(__name__)

PART_BYTES = 8 << 20
"""Size of a part and most bytes of an object of one part (S3 takes parts of 5 MiB to 5 GiB, 10,000 of them)."""

_PIECE = 1 << 18
_GCS = "storage.googleapis.com"


class Bucket(NamedTuple):
    """Where the objects are, and how to get there.

    Attributes:
        name: Of the bucket.
        prefix: Before every key, without "/" at its end; "" for none.
        endpoint_url: Of the S3 API; None for AWS.
        region, access_key_id, secret_access_key: None leaves them to the environment, as boto3 finds them.
        conditional: Whether the service has conditional writes; None: every service but GCS has.
    """

    name: str
    prefix: str = ""
    endpoint_url: str | None = None
    region: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = None
    conditional: bool | None = None

    @property
    def is_gcs(self) -> bool:
        """Whether Google Cloud Storage serves it by its interoperable API."""
        return self.endpoint_url is not None and (urlsplit(self.endpoint_url).hostname or "").endswith(_GCS)


class _Version(NamedTuple):
    """One version of an object; `id` is None where the service does not tell versions apart."""

    key: str
    id: str | None
    is_marker: bool = False


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
        self._bucket = bucket
        self._part_bytes = part_bytes
        self._timeout = timeout
        self._attempts = attempts
        self._page = page
        self._conditional = not bucket.is_gcs if bucket.conditional is None else bucket.conditional
        self._has_sums = not bucket.is_gcs
        self._base = f"{bucket.prefix}/" if bucket.prefix else ""

    async def put(
        self,
        key: str,
        chunks: AsyncIterable[bytes],
        *,
        content_type: str,
        if_none_match: bool = False,
        if_match: str | None = None,
    ) -> ObjectInfo:
        name = self._name(key)
        parts = in_parts(chunks, self._part_bytes)
        first = await anext(parts, b"")
        conditions = _conditions(if_none_match=if_none_match, if_match=if_match)
        sent = {"Key": name, "ContentType": content_type}
        if len(first) < self._part_bytes:
            checksum = hashlib.sha256(first).hexdigest()
            if not self._conditional and await self._has_same(key, checksum, conditions):
                return await self._known(key)
            put = {**sent, "Body": first, "Metadata": {SUM: checksum}}
            await self._conditionally(key, checksum, conditions, "put_object", put)
            return await self._known(key)
        await self._put_parts(key, sent, first, parts, conditions)
        return await self._known(key)

    async def get(self, key: str) -> AsyncIterator[bytes]:
        try:
            found = await self._call("get_object", Key=self._name(key), **self._with_sums)
        except ObjectGone as error:
            raise ObjectGone(f"there is no {key} in the archive") from error
        body, recorded = found["Body"], Recorded.of(found)
        digest = recorded.digest()
        try:
            while piece := await self._threaded(body.read, _PIECE):
                digest.update(piece)
                yield piece
        finally:
            body.close()
        if recorded.checksum not in (None, digest.hexdigest()):
            raise ObjectCorrupt(f"{key} is not what was put into the archive: its checksum differs")

    async def head(self, key: str) -> ObjectInfo | None:
        name = self._name(key)
        try:
            found = await self._call("head_object", Key=name, **self._with_sums)
        except ObjectGone:
            await self._check_bucket()
            return None
        return ObjectInfo(
            key, found["ContentLength"], found["ETag"], Recorded.of(found).checksum, found["LastModified"]
        )

    async def list(self, prefix: str) -> AsyncIterator[ObjectInfo]:
        async for page in self._pages("list_objects_v2", ("ContinuationToken",), ("NextContinuationToken",), prefix):
            for each in page.get("Contents", ()):
                key = each["Key"].removeprefix(self._base)
                yield ObjectInfo(key, each["Size"], each["ETag"], None, each["LastModified"])

    async def delete(self, key: str) -> int:
        name = self._name(key)
        return await self._erase(key, lambda found: found == name)

    async def erase(self, prefix: str) -> int:
        return await self._erase(prefix, lambda _: True)

    async def aclose(self) -> None:
        # Looked up in the instance: asking the property would build a client only to close it.
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    @cached_property
    def _client(self) -> Any:
        import boto3
        from botocore.config import Config

        where = self._bucket
        required = "when_required" if where.is_gcs else "when_supported"
        config = Config(
            retries={"mode": "standard", "max_attempts": self._attempts},
            connect_timeout=self._timeout,
            read_timeout=self._timeout,
            request_checksum_calculation=required,
            response_checksum_validation=required,
            s3={"addressing_style": "path" if where.endpoint_url else "auto"},
        )
        session = boto3.Session(where.access_key_id, where.secret_access_key, region_name=where.region)
        # Any region will do where the endpoint is named; boto3 wants one all the same.
        region = session.region_name or ("auto" if where.endpoint_url else None)
        return session.client("s3", endpoint_url=where.endpoint_url, region_name=region, config=config)

    @property
    def _with_sums(self) -> dict[str, str]:
        return {"ChecksumMode": "ENABLED"} if self._has_sums else {}

    def _name(self, key: str) -> str:
        return self._base + check_key(key)

    async def _call(self, operation: str, **parameters: Any) -> Any:
        """One request. It is over when this is: also when the caller was cancelled meanwhile."""

        def request() -> Any:
            return getattr(self._client, operation)(Bucket=self._bucket.name, **parameters)

        return await self._threaded(request)

    async def _threaded(self, work: Callable[..., Any], *arguments: Any) -> Any:
        def guarded() -> Any:
            with translated(self._bucket.name):
                return work(*arguments)

        running = asyncio.ensure_future(asyncio.to_thread(guarded))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            running.cancelled() or running.exception()
            raise

    async def _check_bucket(self) -> None:
        """Tell a missing bucket from a missing object: the answer to a head has no words."""
        try:
            await self._call("head_bucket")
        except ObjectGone as error:
            raise SettingsError(
                f"The archive's bucket {self._bucket.name!r} is not there: see SPOMYN_ARCHIVE, ARCHIVE_REGION."
            ) from error

    async def _known(self, key: str) -> ObjectInfo:
        info = await self.head(key)
        if info is None:
            raise ArchiveUnavailable(f"{key} was removed from the archive as soon as it was there")
        return info

    async def _has_same(self, key: str, checksum: str | None, conditions: Mapping[str, str]) -> bool:
        """Whether the very object is there although the conditions say that it should not be.

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
            await self._call(operation, **sent, **(conditions if self._conditional else {}))
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
        sums = {"ChecksumType": "COMPOSITE"} if self._has_sums else {}
        try:
            done, digests = [await self._put_part(named, 1, first)], hashlib.sha256(hashlib.sha256(first).digest())
            async for part in rest:
                done.append(await self._put_part(named, len(done) + 1, part))
                digests.update(hashlib.sha256(part).digest())
            checksum = f"{digests.hexdigest()}-{self._part_bytes}" if self._has_sums else None
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
        sums = {"ChecksumAlgorithm": "SHA256", "ChecksumType": "COMPOSITE"} if self._has_sums else {}
        metadata = {PART_SIZE: str(self._part_bytes)}
        upload_id: str = (await self._call("create_multipart_upload", **sent, Metadata=metadata, **sums))["UploadId"]
        return upload_id

    async def _put_part(self, named: Mapping[str, str], number: int, part: bytes) -> dict[str, Any]:
        sums = {"ChecksumSHA256": base64.b64encode(hashlib.sha256(part).digest()).decode()} if self._has_sums else {}
        taken = await self._call("upload_part", **named, PartNumber=number, Body=part, **sums)
        return {"PartNumber": number, "ETag": taken["ETag"], **sums}

    async def _give_up(self, named: Mapping[str, str]) -> None:
        try:
            await self._call("abort_multipart_upload", **named)
        except ObjectGone:
            return
        except SpomynError:
            # What failed before is what the caller should hear of; the bucket's lifecycle removes the parts.
            log.warning("an upload could not be given up")

    async def _erase(self, prefix: str, concerns: Callable[[str], bool]) -> int:
        gone, locked = await self._give_up_all(prefix, concerns), dict[str, str]()
        # Listed to the end first: not every service goes on behind a version that is gone.
        found = [each async for each in self._versions(prefix) if concerns(each.key)]
        # The oldest first and markers last, so that what stays is never the newest that a reader finds.
        found.reverse()
        found.sort(key=lambda each: each.is_marker)
        for version in found:
            if version.is_marker and version.key in locked:
                continue
            kept = await self._remove(version)
            if kept is None:
                gone += 1
                continue
            if version.key not in locked:
                await self._call("delete_object", Key=version.key)  # a marker: no reader finds it
            locked[version.key] = longer(kept, locked.get(version.key, kept))
        if locked:
            told = ", ".join(f"{name} ({kept})" for name, kept in sorted(locked.items()))
            keys = tuple(sorted(name.removeprefix(self._base) for name in locked))
            raise ObjectLocked(f"the bucket keeps versions of {told}", keys=keys)
        return gone

    async def _remove(self, version: _Version) -> str | None:
        """Delete a version; why the bucket keeps it, when it does."""
        chosen = {"Key": version.key} if version.id is None else {"Key": version.key, "VersionId": version.id}
        try:
            await self._call("delete_object", **chosen)
        except ObjectGone:
            return None
        except SpomynError as error:
            if not is_refused(error):
                raise
            kept = kept_by(await self._call("head_object", **chosen))
            if kept is None:
                raise
            return kept
        return None

    async def _versions(self, prefix: str) -> AsyncIterator[_Version]:
        """Every version of what begins with the prefix, and the markers of deletion."""
        asked = ("KeyMarker", "VersionIdMarker")
        try:
            if not self._bucket.is_gcs:
                told = ("NextKeyMarker", "NextVersionIdMarker")
                async for page in self._pages("list_object_versions", asked, told, prefix):
                    for each in page.get("Versions", ()):
                        yield _Version(each["Key"], each["VersionId"])
                    for each in page.get("DeleteMarkers", ()):
                        yield _Version(each["Key"], each["VersionId"], is_marker=True)
                return
        except SpomynError as error:
            if not is_unsupported(error):
                raise
        async for info in self.list(prefix):
            yield _Version(self._base + info.key, None)

    async def _give_up_all(self, prefix: str, concerns: Callable[[str], bool]) -> int:
        """Give up unfinished uploads; how many."""
        asked, told = ("KeyMarker", "UploadIdMarker"), ("NextKeyMarker", "NextUploadIdMarker")
        given_up = 0
        async for page in self._pages("list_multipart_uploads", asked, told, prefix):
            for each in page.get("Uploads", ()):
                # Not every service heeds the prefix.
                if each["Key"].startswith(self._base + prefix) and concerns(each["Key"]):
                    await self._call("abort_multipart_upload", Key=each["Key"], UploadId=each["UploadId"])
                    given_up += 1
        return given_up

    async def _pages(
        self, operation: str, asked: tuple[str, ...], told: tuple[str, ...], prefix: str
    ) -> AsyncIterator[Any]:
        """The pages of a listing; the markers that a page tells are asked with for the next."""
        markers: dict[str, str] = {}
        most = "MaxUploads" if operation == "list_multipart_uploads" else "MaxKeys"
        more = True
        while more:
            page = await self._call(operation, Prefix=self._base + prefix, **{most: self._page}, **markers)
            yield page
            markers = {name: page[field] for name, field in zip(asked, told, strict=True) if page.get(field)}
            more = bool(page.get("IsTruncated")) and bool(markers)


def _conditions(*, if_none_match: bool, if_match: str | None) -> dict[str, str]:
    if if_none_match:
        return {"IfNoneMatch": "*"}
    return {} if if_match is None else {"IfMatch": if_match}
