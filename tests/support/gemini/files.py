"""The Files API of `FakeGemini`: resumable uploads, files that take a while to be read, deletion and expiry."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.support.gemini.rules import GoogleError, camel, only, require

_MAX_FILE = 2 * 1024**3


@dataclass
class HeldFile:
    """A file as Google holds it; `looks` is how often it is still found unread."""

    name: str
    uri: str
    mime_type: str
    size: int
    data: bytearray
    looks: int
    fails: bool
    whole: bool = False

    @property
    def state(self) -> str:
        if self.looks > 0:
            return "PROCESSING"
        return "FAILED" if self.fails else "ACTIVE"

    def described(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "uri": self.uri,
            "mimeType": self.mime_type,
            "sizeBytes": str(self.size),
            "state": self.state,
            "source": "UPLOADED",
        }


class HeldFiles:
    """The files and their endpoints.

    Attributes:
        held: What is there now, by name (`files/…`).
        uploaded: Everything that was ever uploaded, as (MIME type, bytes).
        deleted: Names of what was deleted on request.
        looks: How often a file is found unread before it is ready.
        unreadable: Whether files that come from now on turn out to be unreadable.
        names: Display names that were sent.
    """

    def __init__(self) -> None:
        self.held: dict[str, HeldFile] = {}
        self.uploaded: list[tuple[str, bytes]] = []
        self.deleted: list[str] = []
        self.looks = 1
        self.unreadable = False
        self.names: list[str] = []
        self._numbers = itertools.count(1)
        self._faults: deque[int] = deque()

    def fail_next(self, status: int, *, times: int = 1) -> None:
        """The next requests about files get this error."""
        self._faults.extend([status] * times)

    def expire(self) -> None:
        """48 hours pass."""
        self.held.clear()

    def ready(self) -> dict[str, str]:
        """URIs of whole files to MIME types, "" for those that are not read yet."""
        return {f.uri: f.mime_type if f.state == "ACTIVE" else "" for f in self.held.values() if f.whole}

    def add_routes(self, router: web.UrlDispatcher, authorised: Callable[[web.Request], None]) -> None:
        async def upload(raw: web.Request) -> web.Response:
            if "upload_id" in raw.query:  # whoever has the address may write to it
                return await self._receive(raw)
            authorised(raw)
            return await self._start(raw)

        async def look(raw: web.Request) -> web.Response:
            authorised(raw)
            file = self._find(raw)
            described = file.described()
            file.looks -= 1
            return web.json_response(described)

        async def delete(raw: web.Request) -> web.Response:
            authorised(raw)
            name = self._find(raw).name
            del self.held[name]
            self.deleted.append(name)
            return web.json_response({})

        router.add_post("/upload/{version:v1|v1beta}/files", self._guarded(upload))
        router.add_get("/{version:v1|v1beta}/files/{id}", self._guarded(look))
        router.add_delete("/{version:v1|v1beta}/files/{id}", self._guarded(delete))

    def _guarded(self, handle: Callable[[web.Request], Any]) -> Callable[[web.Request], Any]:
        async def endpoint(raw: web.Request) -> web.Response:
            try:
                self._fail_if_told()
                return await handle(raw)
            except GoogleError as error:
                # Uploads say how they stand in a header, also when they fail.
                response = error.response()
                response.headers["X-Goog-Upload-Status"] = "final"
                return response

        return endpoint

    def _fail_if_told(self) -> None:
        if self._faults:
            raise GoogleError(self._faults.popleft(), "the file service fails")

    def _find(self, raw: web.Request) -> HeldFile:
        name = f"files/{raw.match_info['id']}"
        if name not in self.held:
            raise GoogleError(403, f"You do not have permission to access the File {name[6:]} or it may not exist.")
        return self.held[name]

    async def _start(self, raw: web.Request) -> web.Response:
        sent = raw.headers
        require(sent.get("X-Goog-Upload-Protocol") == "resumable", "Upload protocol must be resumable.")
        require(sent.get("X-Goog-Upload-Command") == "start", "An upload begins with start.")
        size = int(sent.get("X-Goog-Upload-Header-Content-Length", "0"))
        require(0 < size <= _MAX_FILE, "Invalid file size.")
        body = await raw.json()
        only(body, {"file"})
        about = camel(body["file"])
        only(about, {"mimeType", "sizeBytes", "displayName"})
        require(about.get("mimeType") == sent.get("X-Goog-Upload-Header-Content-Type"), "MIME types differ.")
        if "displayName" in about:
            self.names.append(about["displayName"])
        name = f"files/f{next(self._numbers):06d}"
        root = f"{raw.scheme}://{raw.host}"
        self.held[name] = HeldFile(
            name, f"{root}/v1/{name}", about["mimeType"], size, bytearray(), self.looks, self.unreadable
        )
        url = f"{root}/upload/{raw.match_info['version']}/files?upload_id={name}&upload_protocol=resumable"
        return web.json_response({}, headers={"X-Goog-Upload-URL": url, "X-Goog-Upload-Status": "active"})

    async def _receive(self, raw: web.Request) -> web.Response:
        file = self.held.get(raw.query["upload_id"])
        require(file is not None and not file.whole, "Upload has already been terminated.")
        assert file is not None
        command = [word.strip() for word in raw.headers["X-Goog-Upload-Command"].split(",")]
        require(set(command) <= {"upload", "finalize"}, "Unknown upload command.")
        require(int(raw.headers["X-Goog-Upload-Offset"]) == len(file.data), "Wrong upload offset.")
        file.data += await raw.read()
        require(len(file.data) <= file.size, "More than was announced.")
        if "finalize" not in command:
            return web.json_response({}, headers={"X-Goog-Upload-Status": "active"})
        require(len(file.data) == file.size, "Less than was announced.")
        file.whole = True
        self.uploaded.append((file.mime_type, bytes(file.data)))
        return web.json_response({"file": file.described()}, headers={"X-Goog-Upload-Status": "final"})
