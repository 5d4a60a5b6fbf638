"""The files of the fake Bot API: what getFile says of them, and what stands behind their paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.support.bot_api_rules import bad

MOST_BYTES = 20_000_000
"""Telegram hands out no larger file, but for a server that runs with --local (Bot API, getFile)."""


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
