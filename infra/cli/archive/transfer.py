"""The parts that export, import and restore share: files in pieces, and a line that shows how far it is."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO

from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from infra.cli.frame import Failed, Session
from shared.application.archive.exporting import TransferProgress

_PIECE = 1 << 18
_MEGABYTE = 1_000_000


class OpenFile:
    """A `Source`: reads an open file from its beginning, as often as it is asked."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    async def __call__(self) -> AsyncIterator[bytes]:
        self._file.seek(0)
        while piece := await asyncio.to_thread(self._file.read, _PIECE):
            yield piece


@contextlib.contextmanager
def open_file(path: Path) -> Iterator[OpenFile]:
    """A file to be read.

    Raises:
        Failed: It cannot be.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise Failed(f"{path} cannot be read: {error.strerror}.") from error
    with file:
        yield OpenFile(file)


@contextlib.asynccontextmanager
async def download(chunks: AsyncIterable[bytes]) -> AsyncIterator[OpenFile]:
    """A file with these bytes, without a name, while it is needed."""
    with tempfile.TemporaryFile() as file:
        async for chunk in chunks:
            await asyncio.to_thread(file.write, chunk)
        yield OpenFile(file)


async def write_file(path: Path, chunks: AsyncIterable[bytes]) -> None:
    """Write a file that appears whole, or not at all.

    Raises:
        Failed: It cannot be written.
    """
    try:
        with _open_replacement(path) as file:
            async for chunk in chunks:
                await asyncio.to_thread(file.write, chunk)
    except OSError as error:
        raise Failed(f"{path} cannot be written: {error.strerror or error}.") from error


@contextlib.contextmanager
def _open_replacement(path: Path) -> Iterator[IO[bytes]]:
    """A file beside `path` that takes its place when all went well."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        made = Path(file.name)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            made.replace(path)
        finally:
            made.unlink(missing_ok=True)


@contextlib.contextmanager
def show_progress(session: Session, what: str, tally: TransferProgress) -> Iterator[None]:
    """Show how far it is while it goes on: documents, megabytes of the compressed file, and megabytes a second."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), _Reached(tally), TimeElapsedColumn())
    with Progress(*columns, console=session.progress, transient=True, disable=not session.progress.is_terminal) as bar:
        bar.add_task(what, total=None)
        yield


class _Reached(ProgressColumn):
    def __init__(self, tally: TransferProgress) -> None:
        super().__init__()
        self._tally = tally

    def render(self, task: Task) -> Text:
        return Text(format_progress(self._tally, task.elapsed or 0.0))


def format_progress(tally: TransferProgress, seconds: float) -> str:
    """Documents, megabytes and speed, for people."""
    speed = f", {tally.size / seconds / _MEGABYTE:.1f} MB/s" if seconds > 0 else ""
    return f"{tally.documents:,} documents, {tally.size / _MEGABYTE:,.2f} MB{speed}"


def figures(tally: TransferProgress, began: datetime, ended: datetime) -> dict[str, Any]:
    """Return how far it came and how long it took, for machines."""
    seconds = (ended - began).total_seconds()
    return {"documents": tally.documents, "bytes": tally.size, "seconds": round(seconds, 3)}
