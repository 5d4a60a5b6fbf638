"""`export`: a chat's memory into the archive, a file or a pipe."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from infra.cli.archive.transfer import figures, format_progress, show_progress, write_file
from infra.cli.frame import Session
from infra.cli.frame import command as make
from shared.application.archive.exporting import TransferProgress, export_chat
from shared.application.archive.keeping import store_export

_EXAMPLE = """
python -m infra.cli export -1001234567890
python -m infra.cli export -1001234567890 --to family.jsonl.gz
python -m infra.cli export -1001234567890 --to - | gunzip | head
"""


@make("export", example=_EXAMPLE)
@click.argument("chat_id", type=int)
@click.option("--to", "target", metavar="FILE", help="Write this file, or standard output for -, not the archive.")
async def command(session: Session, chat_id: int, target: str | None) -> None:
    """Export everything of the chat CHAT_ID: into the archive (SPOMYN_ARCHIVE), or a file.

    The export is compressed and carries its checksum; `import` and `restore` make the same documents of it. One of the
    same day in the archive is replaced.
    """
    if target == "-" and session.as_json:
        raise click.UsageError("--json and --to - would both write to standard output: leave one out.")
    if target == "-" and sys.stdout.isatty():
        raise click.UsageError("The export is compressed, and no text for a terminal: pipe it on, or name a file.")
    await session.chat(chat_id)
    tally, began = TransferProgress(), session.app.clock.now()
    with show_progress(session, f"Exporting {chat_id}", tally):
        where = await _export(session, chat_id, target, tally)
    result: dict[str, Any] = {"chat_id": chat_id, "to": where, **figures(tally, began, session.app.clock.now())}
    if target == "-":
        _say(session.progress, f"Exported: {format_progress(tally, result['seconds'])}")
        return
    session.show(
        result, lambda console: _say(console, f"Exported to {where}: {format_progress(tally, result['seconds'])}")
    )


def _say(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True)


async def _export(session: Session, chat_id: int, target: str | None, tally: TransferProgress) -> str:
    if target is None:
        return (await store_export(session.app, chat_id, tally=tally)).key
    chunks = export_chat(session.app.store, session.app.clock, chat_id, tally=tally)
    if target == "-":
        await _pipe(chunks)
    else:
        await write_file(Path(target), chunks)
    return target


async def _pipe(chunks: AsyncIterable[bytes]) -> None:
    async for chunk in chunks:
        await asyncio.to_thread(sys.stdout.buffer.write, chunk)
    await asyncio.to_thread(sys.stdout.buffer.flush)
