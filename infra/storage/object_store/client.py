"""The client of one bucket: its requests, each in a thread, and listings page by page.

boto3 is imported by the first request: nothing of it is loaded where no archive is used.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from infra.storage.object_store.errors import translate_errors
from shared.application.ports.objects import check_key
from shared.domain.errors import ObjectGone, SettingsError

_GCS = "storage.googleapis.com"


class Bucket(NamedTuple):
    """The place of the objects, and how to get there.

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
        """Return whether Google Cloud Storage serves it by its interoperable API."""
        return self.endpoint_url is not None and (urlsplit(self.endpoint_url).hostname or "").endswith(_GCS)


class BucketClient:
    """Requests to one bucket.

    Args:
        timeout: Seconds without progress after which a request has failed.
        attempts: Of each request, by the client's own standard retries.
        page: Objects in one answer of a listing.

    Attributes:
        base: What stands before every key.
        has_conditions: Whether the service has conditional writes.
        has_sums: Whether the service computes the checksums of parts.
    """

    def __init__(self, bucket: Bucket, *, timeout: float, attempts: int, page: int) -> None:
        self._bucket = bucket
        self._timeout = timeout
        self._attempts = attempts
        self._page = page
        self.base = f"{bucket.prefix}/" if bucket.prefix else ""
        self.has_conditions = not bucket.is_gcs if bucket.conditional is None else bucket.conditional
        self.has_sums = not bucket.is_gcs

    def name(self, key: str) -> str:
        """Return the name that an object has in the bucket.

        Raises:
            ValueError: It is no key.
        """
        return self.base + check_key(key)

    @property
    def is_gcs(self) -> bool:
        """Return whether Google Cloud Storage serves the bucket."""
        return self._bucket.is_gcs

    @property
    def asking_for_sums(self) -> dict[str, str]:
        """Return the arguments by which a request asks for the checksum of the object's parts."""
        return {"ChecksumMode": "ENABLED"} if self.has_sums else {}

    async def call(self, operation: str, **parameters: Any) -> Any:
        """Make one request. It is over when this is: also when the caller was cancelled meanwhile."""

        def request() -> Any:
            return getattr(self.boto, operation)(Bucket=self._bucket.name, **parameters)

        return await self.run_in_thread(request)

    async def run_in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do in a thread what blocks, as `call` does; errors are translated."""

        def run_guarded() -> Any:
            with translate_errors(self._bucket.name):
                return work(*arguments)

        running = asyncio.ensure_future(asyncio.to_thread(run_guarded))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            running.cancelled() or running.exception()
            raise

    async def pages(
        self, operation: str, asked: tuple[str, ...], told: tuple[str, ...], prefix: str
    ) -> AsyncIterator[Any]:
        """Yield the pages of a listing; the markers that a page tells are asked with for the next."""
        markers: dict[str, str] = {}
        most = "MaxUploads" if operation == "list_multipart_uploads" else "MaxKeys"
        more = True
        while more:
            page = await self.call(operation, Prefix=self.base + prefix, **{most: self._page}, **markers)
            yield page
            markers = {name: page[field] for name, field in zip(asked, told, strict=True) if page.get(field)}
            more = bool(page.get("IsTruncated")) and bool(markers)

    async def objects(self, prefix: str) -> AsyncIterator[Any]:
        """List the newest versions of what begins with the prefix, as the service tells of them."""
        async for page in self.pages("list_objects_v2", ("ContinuationToken",), ("NextContinuationToken",), prefix):
            for each in page.get("Contents", ()):
                yield each

    async def check_there(self) -> None:
        """Tell a missing bucket from a missing object: the answer to a head has no words."""
        try:
            await self.call("head_bucket")
        except ObjectGone as error:
            raise SettingsError(
                f"The archive's bucket {self._bucket.name!r} is not there: see SPOMYN_ARCHIVE, ARCHIVE_REGION."
            ) from error

    async def aclose(self) -> None:
        """Close what was opened."""
        # Looked up in the instance: asking the property would build a client only to close it.
        client = self.__dict__.pop("boto", None)
        if client is not None:
            client.close()

    @cached_property
    def boto(self) -> Any:
        """The boto3 client, made when it is first asked for."""
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
