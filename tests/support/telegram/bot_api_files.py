"""The files of the fake Bot API: what getFile says of them, what stands behind their paths, and what the bot sends."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from aiohttp import web
from aiohttp.web_request import FileField

from tests.support.telegram.bot_api_rules import Refusal, bad

MOST_BYTES = 20_000_000
"""Telegram hands out no larger file, but for a server that runs with --local (Bot API, getFile)."""

LARGEST_PHOTO, LARGEST_FILE = 10_000_000, 50_000_000
"""Of what a bot uploads (Bot API, "Sending files")."""

_PNG = b"\x89PNG"
_PICTURES = (_PNG, b"\xff\xd8\xff", b"GIF8", b"RIFF")


@dataclass(slots=True)
class StoredFile:
    """One file.

    Attributes:
        path: Of the download; "" when getFile tells none; absolute when the server runs with --local.
        size: As getFile tells it; None when it does not.
        gone: getFile still knows it, but its path leads nowhere.
    """

    body: bytes
    path: str
    size: int | None
    gone: bool = False


class StoredFiles:
    """All files; `downloads` records the paths whose content was asked for."""

    def __init__(self) -> None:
        self.downloads: list[str] = []
        self._by_id: dict[str, StoredFile] = {}

    def add(self, file_id: str, body: bytes, **fields: Any) -> StoredFile:
        """A file that getFile knows; `fields` are those of `StoredFile`."""
        fields = {"path": f"files/{file_id}.bin", "size": len(body)} | fields
        self._by_id[file_id] = StoredFile(body, **fields)
        return self._by_id[file_id]

    def get_file(self, params: dict[str, Any]) -> dict[str, Any]:
        """The method getFile."""
        file = self._by_id.get(params["file_id"])
        if file is None:
            raise bad("invalid file_id")
        if not file.path.startswith("/") and max(file.size or 0, len(file.body)) > MOST_BYTES:
            raise bad("file is too big")
        told = {"file_id": params["file_id"], "file_unique_id": f"u{params['file_id']}"}
        told |= {} if file.size is None else {"file_size": file.size}
        return told | ({"file_path": file.path} if file.path else {})

    def body(self, path: str) -> bytes | None:
        """What stands behind a path, None for nothing."""
        self.downloads.append(path)
        found = [file for file in self._by_id.values() if file.path == path and not file.gone]
        return found[0].body if found else None


# --- What the bot sends ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that the bot sent, with the type that it was uploaded as."""

    name: str
    content: bytes
    kind: Literal["photo", "document"]
    mime_type: str

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as a PNG tells them; other pictures are 90 by 90."""
        if not self.content.startswith(_PNG) or len(self.content) < 24:
            return 90, 90
        return int.from_bytes(self.content[16:20]), int.from_bytes(self.content[20:24])

    def json(self) -> dict[str, Any]:
        """The fields of a `Message` that holds it."""
        file = {"file_id": f"sent-{self.name}", "file_unique_id": "u", "file_size": len(self.content)}
        if self.kind == "document":
            return {"document": {**file, "file_name": self.name, "mime_type": self.mime_type}}
        width, height = self.size
        return {"photo": [{**file, "width": width, "height": height}]}


class Upload(NamedTuple):
    """A file in a request."""

    name: str
    content: bytes
    mime_type: str


def sent_file(upload: Upload | None, kind: Literal["photo", "document"]) -> SentFile:
    """What Telegram makes of an upload; refuses what it would not take."""
    if upload is None:
        raise bad("wrong file identifier/HTTP URL specified")
    file = SentFile(upload.name, upload.content, kind, upload.mime_type)
    if len(file.content) > (LARGEST_PHOTO if kind == "photo" else LARGEST_FILE):
        raise Refusal(413, "Request Entity Too Large")
    if not file.content:
        raise bad("file must be non-empty")
    if kind == "photo":
        _check_picture(file)
    return file


def _check_picture(file: SentFile) -> None:
    if not file.content.startswith(_PICTURES):
        raise bad("IMAGE_PROCESS_FAILED")
    width, height = file.size
    if width + height > 10_000 or max(width, height) > 20 * min(width, height):
        raise bad("PHOTO_INVALID_DIMENSIONS")


async def read_parameters(request: web.Request) -> tuple[dict[str, Any], dict[str, Upload]]:
    """Parameters of the query, a form, a multipart form or a JSON object, and the uploaded files by parameter."""
    if request.content_type == "application/json":
        try:
            body = json.loads(await request.read())
        except (ValueError, RecursionError):
            body = None
        if type(body) is not dict:
            raise bad("can't parse the JSON object")
        return body, {}
    raw: dict[str, Any] = {}
    files: dict[str, Upload] = {}
    for name, value in [*request.query.items(), *(await request.post()).items()]:
        if name in raw or name in files:
            raise bad(f'parameter "{name}" is given twice')
        if isinstance(value, FileField):
            with value.file:
                files[name] = Upload(value.filename, value.file.read(), value.content_type)
        else:
            raw[name] = value
    return raw, files
