"""The ObjectStore port on a folder, for local runs: an object is a file, and its checksum a hidden file beside it.

A file appears by a rename, so it is whole. Its checksum file is written first and names the bytes that were there
before, too: whichever of the two a crash leaves, it verifies.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import tempfile
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from shared.application.ports.objects import ObjectInfo, check_key
from shared.domain.errors import ArchiveUnavailable, ObjectCorrupt, ObjectGone, PreconditionFailed, SettingsError

_PIECE = 1 << 18
_UNFINISHED = ".upload-"
_SUMS = ".sha256-"


class ObjectFolder:
    """ObjectStore in a folder, which is made by the first write. Safe between processes of one machine."""

    def __init__(self, root: str | Path) -> None:
        self._root = Path(root)

    async def put(
        self,
        key: str,
        chunks: AsyncIterable[bytes],
        *,
        content_type: str,  # noqa: ARG002 a file has none
        if_none_match: bool = False,
        if_match: str | None = None,
    ) -> ObjectInfo:
        path = self._path(key)
        with self._write_beside(path) as (file, name):
            digest = hashlib.sha256()
            async for chunk in chunks:
                digest.update(chunk)
                await asyncio.to_thread(file.write, chunk)
            await asyncio.to_thread(_flush, file)
            await asyncio.to_thread(self._commit, path, name, digest.hexdigest(), if_none_match, if_match)
        with _translate_errors():
            return _info(key, path, digest.hexdigest())

    async def get(self, key: str) -> AsyncIterator[bytes]:
        path, digest = self._path(key), hashlib.sha256()
        with _translate_errors(), self._open(path, key) as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                digest.update(piece)
                yield piece
            if digest.hexdigest() not in _sums(path):
                raise ObjectCorrupt(f"{key} is not what was put into the archive: its checksum differs")

    async def head(self, key: str) -> ObjectInfo | None:
        path = self._path(key)
        with _translate_errors():
            return await asyncio.to_thread(_describe_object, key, path) if path.is_file() else None

    async def list(self, prefix: str) -> AsyncIterator[ObjectInfo]:
        with _translate_errors():
            found = sorted(self._keys(prefix))
        for key in found:
            with _translate_errors():
                path = self._path(key)
                if path.is_file():
                    yield await asyncio.to_thread(_describe_object, key, path)

    async def delete(self, key: str) -> int:
        check_key(key)
        return await self._erase(key, exactly=True)

    async def erase(self, prefix: str) -> int:
        return await self._erase(prefix, exactly=False)

    async def aclose(self) -> None:
        pass

    async def _erase(self, prefix: str, *, exactly: bool) -> int:
        with _translate_errors():
            if not self._root.is_dir():
                return 0
            with self._lock():
                files = [path for path in self._root.rglob("*") if path.is_file()]
                gone = [path for path in files if _belongs(self._key_behind(path), prefix, exactly=exactly)]
                for path in sorted(gone):
                    path.unlink(missing_ok=True)
                    self._tidy(path.parent)
        return sum(not path.name.startswith(_SUMS) for path in gone)

    def _tidy(self, folder: Path) -> None:
        """Remove folders that hold nothing any more: their names are ids of chats."""
        try:
            while folder != self._root:
                folder.rmdir()
                folder = folder.parent
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):
                raise

    def _key_behind(self, path: Path) -> str:
        """The key that a file belongs to, also a checksum or an unfinished upload; "" for none."""
        name = path.name.removeprefix(_SUMS)
        if name.startswith(_UNFINISHED):
            name = name.removeprefix(_UNFINISHED).rpartition("~")[0]
        return "" if not name or name.startswith(".") else path.with_name(name).relative_to(self._root).as_posix()

    def _keys(self, prefix: str) -> Iterator[str]:
        for path in self._root.rglob("*") if self._root.is_dir() else ():
            key = path.relative_to(self._root).as_posix()
            if path.is_file() and not path.name.startswith(".") and key.startswith(prefix):
                yield key

    def _path(self, key: str) -> Path:
        return self._root / check_key(key)

    def _open(self, path: Path, key: str) -> BinaryIO:
        try:
            return path.open("rb")
        except (FileNotFoundError, IsADirectoryError) as error:
            raise ObjectGone(f"there is no {key} in the archive") from error

    @contextmanager
    def _write_beside(self, path: Path) -> Iterator[tuple[BinaryIO, Path]]:
        """A file to be renamed to `path`; removed when it was not."""
        with _translate_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            made = tempfile.NamedTemporaryFile(  # noqa: SIM115 it is closed below, or by the rename's own path
                dir=path.parent, prefix=f"{_UNFINISHED}{path.name}~", delete=False
            )
            name = Path(made.name)
            try:
                with made as file:
                    yield file, name  # type: ignore[misc]
            finally:
                name.unlink(missing_ok=True)

    def _commit(self, path: Path, name: Path, digest: str, if_none_match: bool, if_match: str | None) -> None:
        with self._lock():
            there = _digest(path) if path.is_file() else None
            wrong = (if_none_match and there is not None) or (if_match is not None and there != if_match)
            if wrong and there != digest:
                raise PreconditionFailed(f"{path.name} in the archive is not what was expected")
            if not name.exists():
                raise ArchiveUnavailable(f"{path.name} was erased while it was written")
            sums = path.with_name(_SUMS + path.name)
            fresh = name.with_name(f"{name.name}.sum")
            fresh.write_text("\n".join(filter(None, (digest, there))))
            fresh.replace(sums)
            name.replace(path)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """One writer at a time, between processes too."""
        with (self._root / ".lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _describe_object(key: str, path: Path) -> ObjectInfo:
    return _info(key, path, _digest(path))


def _info(key: str, path: Path, digest: str) -> ObjectInfo:
    known = path.stat()
    return ObjectInfo(key, known.st_size, digest, digest, datetime.fromtimestamp(known.st_mtime, UTC))


def _belongs(key: str, prefix: str, *, exactly: bool) -> bool:
    return bool(key) and (key == prefix if exactly else key.startswith(prefix))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sums(path: Path) -> list[str]:
    """Checksums that the object may have."""
    sums = path.with_name(_SUMS + path.name)
    return sums.read_text().split() if sums.is_file() else []


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except (PermissionError, NotADirectoryError, FileExistsError) as error:
        raise SettingsError(
            f"The archive's folder cannot be used ({error}): choose another for SPOMYN_ARCHIVE."
        ) from error
    except OSError as error:
        raise ArchiveUnavailable(f"The archive's folder: {error}") from error
