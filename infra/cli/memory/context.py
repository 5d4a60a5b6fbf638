"""`context`: CONTEXT.md of a chat, what it was before, and a hand-edited one in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from infra.cli import frame
from infra.cli.frame import Failed, Session
from infra.cli.memory.consolidate import why_nothing
from shared.application.consolidation.changing import edit_context_file
from shared.application.consolidation.context_file_codec import ContextFile, load_context_file, read_revisions

_EXAMPLE = """\
python -m infra.cli context -1001234567890 > CONTEXT.md
python -m infra.cli context -1001234567890 --edit CONTEXT.md
python -m infra.cli context -1001234567890 --history"""


@frame.command("context", example=_EXAMPLE)
@click.argument("chat_id", type=int)
@click.option("--revision", type=click.IntRange(min=1), help="An earlier one; with --edit the one that was edited.")
@click.option("--history", is_flag=True, help="List what there is and was, instead of printing it.")
@click.option(
    "--edit",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Put this hand-edited document in its place, at most 2,048 bytes of UTF-8.",
)
async def command(
    session: Session, *, chat_id: int, revision: int | None, history: bool, edit: Path | None
) -> int | None:
    """Print a chat's CONTEXT.md: what the group does, owes, talks about and prefers now.

    Of an edited document, lines that were added or changed are kept from then on, and deleted ones stay away until the
    same is said anew.
    """
    if history and (edit or revision):
        raise click.UsageError("--history goes with neither --edit nor --revision.")
    if history:
        await _history(session, chat_id)
    elif edit is not None:
        file = await edit_context_file(session.app, await session.chat(chat_id), _text(edit), revision=revision)
        session.show(_to_json(file), lambda console: console.out(file.text, end="", highlight=False))
    else:
        await _print(session, chat_id, revision)
    return None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failed(f"{path} is not UTF-8 from byte {error.start} on: save it as UTF-8.") from error


async def _print(session: Session, chat_id: int, revision: int | None) -> None:
    state = await session.chat(chat_id)
    file = await load_context_file(session.app.store, state.chat_id)
    if file is not None and revision not in (None, file.revision):
        file = await load_context_file(session.app.store, state.chat_id, revision)
        if file is None:
            raise Failed(f"There is no revision {revision} (any more): --history lists those that there are.")
    if file is None or not file.text:
        why = await why_nothing(session.app, state) or f"`consolidate {chat_id}` makes it from its talk."
        raise Failed(f"Chat {chat_id} has no CONTEXT.md yet. {why}")
    told, text = _to_json(file), file.text
    session.show(told, lambda console: console.out(text, end="", highlight=False))


async def _history(session: Session, chat_id: int) -> None:
    state = await session.chat(chat_id)
    present = await load_context_file(session.app.store, state.chat_id)
    files = [*await read_revisions(session.app.store, state.chat_id), *([present] if present is not None else [])]

    def tell(console: Console) -> None:
        for file in files:
            at = "" if file.updated_at is None else f"{file.updated_at:%Y-%m-%d %H:%M} UTC"
            console.out(f"{file.revision:6d}  {at}  {len(file.items):3d} items  {file.made_by}", highlight=False)

    session.show([_to_json(file, text=False) for file in files], tell)


def _to_json(file: ContextFile, *, text: bool = True) -> dict[str, Any]:
    """Return a revision as `--json` prints it."""
    told = {
        "revision": file.revision,
        "updated_at": file.updated_at,
        "made_by": file.made_by,
        "items": len(file.items),
        "closed": len(file.closed),
    }
    return told | {"text": file.text} if text else told
