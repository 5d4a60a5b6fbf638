"""`import`: a chat's memory from a file."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from infra.cli.archive.transfer import figures, format_progress, open_file, show_progress
from infra.cli.frame import Session
from infra.cli.frame import command as make
from shared.application.archive.exporting import TransferProgress
from shared.application.archive.importing import Imported, import_chat
from shared.application.archive.verifying import Source

_EXAMPLE = """
python -m infra.cli import family.jsonl.gz
python -m infra.cli import family.jsonl.gz --replace
"""


@make("import", example=_EXAMPLE)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Overwrite what differs, and remove what the export has not.")
async def command(session: Session, file: Path, *, replace: bool) -> None:
    """Bring a chat back from the export FILE, under its own id.

    The whole file is checked before anything is written. A chat that holds other documents is left alone without
    --replace. After a break, run it again: it goes on.
    """
    with open_file(file) as source:
        await bring_back(session, source, f"Importing {file.name}", replace=replace)


async def bring_back(session: Session, source: Source, what: str, *, replace: bool, only: int | None = None) -> None:
    """Import and show what came of it."""
    tally, began = TransferProgress(), session.app.clock.now()
    with show_progress(session, what, tally):
        done = await import_chat(session.app, source, only=only, replace=replace, tally=tally)
    reached = figures(tally, began, session.app.clock.now())
    result = {**reached, **done._asdict()}
    session.show(result, lambda console: _tell(console, done, format_progress(tally, reached["seconds"])))


def _tell(console: Console, done: Imported, reached: str) -> None:
    console.print(
        f"Chat {done.chat_id} is as in the export: {done.written:,} documents written, {done.unchanged:,} were there, "
        f"{done.removed:,} removed (checked and read: {reached}).",
        soft_wrap=True,
    )
