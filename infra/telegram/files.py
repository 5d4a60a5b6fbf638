"""Files that come from Telegram: where they are, and fetching no more of them than is wanted."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from shared.domain.errors import ChatUnavailable, FileGone, FileTooLarge, MessageRejected, SpomynError

if TYPE_CHECKING:
    from httpx import AsyncClient, Response
    from telegram import Bot

_BLOCK = 1 << 16  # bytes


async def get_file(bot: Bot, file_id: str) -> tuple[str, int]:
    """Path and size (0 when unknown).

    Bot.get_file takes a path for a local file's whenever one of this name happens to exist here.
    """
    body = await bot.request.retrieve(f"{bot.base_url}/getFile?{urlencode({'file_id': file_id})}")
    file = json.loads(body)["result"]
    path, size = file.get("file_path"), file.get("file_size", 0)
    if type(size) is not int or type(path) not in (str, type(None)):
        raise TypeError("getFile: no File")
    if not path:
        raise FileGone("Telegram gave no path of the file")
    return path, size


async def fetch(client: AsyncClient, url: str, limit_bytes: int, *, within: float) -> bytes:
    """Return the file at an address, which appears in no error.

    Args:
        within: Seconds that the whole of it may take.

    Raises:
        FileTooLarge, FileGone, ChatUnavailable: As `ChatGateway.download`.
    """
    import httpx

    try:
        async with asyncio.timeout(within), client.stream("GET", url) as response:
            return await _body_of(response, limit_bytes)
    except TimeoutError as error:
        raise ChatUnavailable("the file did not come in time") from error
    except httpx.HTTPError as error:
        raise ChatUnavailable(f"the file did not come: {type(error).__name__}") from error


async def _body_of(response: Response, limit_bytes: int) -> bytes:
    if response.status_code == 413:
        raise FileTooLarge("Telegram does not hand out files of this size")
    if response.status_code in (400, 403, 404, 410):
        raise FileGone(f"Telegram does not have the file any more ({response.status_code})")
    if response.status_code != 200:
        raise ChatUnavailable(f"Telegram did not hand out the file ({response.status_code})")
    body = bytearray()
    async for block in response.aiter_bytes(_BLOCK):
        body += block
        if len(body) > limit_bytes:
            raise FileTooLarge(f"the file has more than {limit_bytes} bytes")
    return bytes(body)


def read_local(path: Path, limit_bytes: int) -> bytes:
    """A file in the folder of a Bot API server that shares it with us.

    Raises:
        FileTooLarge, FileGone: As `ChatGateway.download`.
    """
    try:
        with path.open("rb") as file:
            body = file.read(limit_bytes + 1)
    except OSError as error:
        raise FileGone("the Bot API server keeps its files where they cannot be read from here") from error
    if len(body) > limit_bytes:
        raise FileTooLarge(f"the file has more than {limit_bytes} bytes")
    return body


def no_file(error: SpomynError) -> SpomynError:
    """Return what a refused getFile means; an unavailability stays one."""
    said = str(error).lower()
    if "file is too big" in said or "too large" in said:  # the Bot API's 400, a proxy's 413
        return FileTooLarge("Telegram does not hand out files of this size")
    return FileGone(str(error)) if isinstance(error, MessageRejected) else error
