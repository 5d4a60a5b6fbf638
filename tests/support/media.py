"""Files of a group: real small ones on the fake Bot API, and a model that says what is in them."""

from __future__ import annotations

import contextlib
import json
import struct
import zlib
from collections.abc import AsyncIterator
from typing import Any

from tests.support.gemini.server import FakeGemini, GeminiRequest
from tests.support.group import Group, running_group
from tests.support.reading.replies import reading

CAKE = "На фото торт зі свічками, напис «Мурчику 3 роки»."
VOTE = b"OggS" + bytes(60)


def png(shade: int = 0) -> bytes:
    """A picture of one pixel."""

    def block(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    pixel = zlib.compress(bytes([0, shade, shade, shade]))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + block(b"IHDR", header) + block(b"IDAT", pixel) + block(b"IEND", b"")


def photo(file_id: str = "cake", unique: str | None = None, **more: Any) -> dict[str, Any]:
    """Fields of a message with a photo."""
    size = {"file_id": file_id, "file_unique_id": unique or f"u-{file_id}", "width": 9, "height": 9, "file_size": 70}
    return {"photo": [size], **more}


def sticker(file_id: str = "st", unique: str = "hello", **more: Any) -> dict[str, Any]:
    """Fields of a message with a sticker; `more` belong to the sticker."""
    body = {"file_id": file_id, "file_unique_id": unique, "type": "regular", "width": 9, "height": 9, "emoji": "🥦"}
    return {"sticker": {**body, "is_animated": False, "is_video": False, **more}}


def voice(file_id: str = "voice", seconds: int = 3) -> dict[str, Any]:
    """Fields of a voice message."""
    return {"voice": {"file_id": file_id, "file_unique_id": f"u-{file_id}", "duration": seconds, "file_size": 64}}


def is_look(request: GeminiRequest) -> bool:
    """Whether the request asks what is in a file."""
    return "The file is a" in request.system


def answer_of(request: GeminiRequest) -> str:
    """As a model would: a description of a file, no facts, a summary, or an answer."""
    if request.schema:
        return json.dumps(reading(request, "Бачу торт."))
    if is_look(request):
        return CAKE
    return "Бачу торт."


@contextlib.asynccontextmanager
async def group_with_files(store: Any, gemini: FakeGemini, **more: str) -> AsyncIterator[Group]:
    """A running group whose files "cake", "voice" and "st" can be fetched; `more` are further settings."""
    async with running_group(store, **gemini.environment, **more) as running:
        running.api.files.add("cake", png())
        running.api.files.add("voice", VOTE)
        running.api.files.add("st", png(7))
        yield running
