"""Files that are too large to travel inside a request: uploaded for one call, waited for, and deleted after it.

Google deletes what it was given after 48 hours anyway (Files API), so a deletion that fails is only logged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from io import BytesIO
from typing import TYPE_CHECKING

from shared.application.ports.model import Media, ModelRequest
from shared.domain.errors import ModelRefused, ModelUnavailable

if TYPE_CHECKING:
    from google.genai.client import AsyncClient
    from google.genai.types import File

log = logging.getLogger(__name__)

INLINE_BYTES = 20 * 1024 * 1024
"""A whole request with its files inside, at most (Gemini API, files: what is always taken; newer models take more)."""

_TEXT_BYTES = 512 * 1024
"""Left for everything that is no file: texts, schemas, JSON's own characters."""

_FIRST_LOOK, _LOOKS = 0.25, 2.0
"""Seconds before the first look at a file that is being read by Google; doubles up to the second figure."""

_DELETING = 3.0
"""Seconds that deleting may hold up an answer."""


def too_large_inline(request: ModelRequest) -> list[Media]:
    """The files that must be uploaded so that the rest fits into the request; the largest ones, and as few as do."""
    files = {part for turn in request.turns for part in turn.parts if isinstance(part, Media)}
    left = sum(map(_encoded_size, files)) - (INLINE_BYTES - _TEXT_BYTES)
    chosen: list[Media] = []
    for file in sorted(files, key=lambda each: (-len(each.data), each.name)):
        if left <= 0:
            break
        chosen.append(file)
        left -= _encoded_size(file)
    return chosen


def _encoded_size(file: Media) -> int:
    """Bytes of base64."""
    return 4 * ((len(file.data) + 2) // 3)


@asynccontextmanager
async def upload_files(client: AsyncClient, files: Sequence[Media]) -> AsyncIterator[Mapping[Media, File]]:
    """The files as Google holds them, ready to be named in a request, until the block ends.

    Raises:
        ModelRefused: Google cannot read one of them.
    """
    held: dict[Media, File] = {}
    try:
        for file in files:
            held[file] = await _upload(client, file)
        for file in files:
            held[file] = await _active(client, held[file])
        yield held
    finally:
        if held:
            await _delete(client, held.values())


async def _upload(client: AsyncClient, file: Media) -> File:
    from google.genai import types

    # No display name: Google needs no names of a group's files.
    config = types.UploadFileConfig(mime_type=file.mime_type)
    return await client.files.upload(file=BytesIO(file.data), config=config)


async def _active(client: AsyncClient, file: File) -> File:
    """The file when Google has read it; the caller's deadline bounds the wait."""
    delay = _FIRST_LOOK
    while (state := file.state.name if file.state else "STATE_UNSPECIFIED") != "ACTIVE":
        if state == "FAILED":
            raise ModelRefused(f"Gemini cannot read an uploaded file of type {file.mime_type}.")
        await asyncio.sleep(delay)
        delay = min(2 * delay, _LOOKS)
        file = await client.files.get(name=_name(file))
    return file


def _name(file: File) -> str:
    if not file.name or not file.uri:
        raise ModelUnavailable("Gemini took a file and did not say where it is.")
    return file.name


async def _delete(client: AsyncClient, files: Iterable[File]) -> None:
    """Delete them at the same time: one that cannot be deleted keeps no other."""
    await asyncio.gather(*(_delete_one(client, file) for file in files))


async def _delete_one(client: AsyncClient, file: File) -> None:
    import httpx2
    from google.genai import errors

    try:
        async with asyncio.timeout(_DELETING):
            await client.files.delete(name=_name(file))
    except (TimeoutError, errors.APIError, httpx2.HTTPError, ValueError, ModelUnavailable) as error:
        log.warning("an uploaded file is left for Google to delete: %s", type(error).__name__)
