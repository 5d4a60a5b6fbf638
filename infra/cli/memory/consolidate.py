"""`consolidate`: the nightly consolidation by hand, with all its passes and a diff of CONTEXT.md."""

from __future__ import annotations

import difflib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import click
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from infra.cli import frame
from infra.cli.frame import FAILED, Session
from shared.application.app import App
from shared.application.chats.about_codec import ACTIVE
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.marks import read_record
from shared.application.consolidation.nightly import Consolidation, consolidate
from shared.application.consolidation.talk import REACH, newest_at
from shared.application.ports.store import Document
from shared.domain.errors import SpomynError
from shared.domain.text.plain import one_line

_PAGE = 100
_ACTIVE = (ACTIVE,)
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
_EXAMPLE = """\
python -m infra.cli consolidate -1001234567890 --dry-run --verbose
python -m infra.cli consolidate --all"""


@frame.command("consolidate", example=_EXAMPLE)
@click.argument("chat_id", type=int, required=False)
@click.option("--all", "everywhere", is_flag=True, help="All active chats, one after the other.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--verbose", is_flag=True, help="Show every suggestion with its quotes, and what was refused and why.")
async def command(
    session: Session, *, chat_id: int | None, everywhere: bool, dry_run: bool, verbose: bool
) -> int | None:
    """Bring CONTEXT.md of a chat, or of all, up to date with what was said since the last time.

    Three passes: items are suggested from the talk; their quotes are verified, what is settled is closed, and the rest
    is merged with the document that there is; then it is written, unless nothing changed. A dry run asks the model too.
    """
    if everywhere == (chat_id is not None):
        raise click.UsageError("Name a chat, or say --all.")
    if chat_id is not None:
        state = await session.chat(chat_id)
        done = await _consolidate(session.app, state, dry_run=dry_run)
        note = "" if done.read else await why_nothing(session.app, state) or "Nothing was said since the last time."
        shown = _to_json(chat_id, done, verbose=verbose) | {"note": note}
        session.show(shown, lambda console: _show(console, chat_id, done, verbose=verbose, dry_run=dry_run, note=note))
        return None
    return await _consolidate_all(session, dry_run=dry_run, verbose=verbose)


async def _consolidate_all(session: Session, *, dry_run: bool, verbose: bool) -> int:
    told: list[dict[str, Any]] = []
    failed: dict[int | str, str] = {}
    count = changed = 0
    total = await session.app.store.count("chats", where=_ACTIVE)
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=session.progress, transient=True, disable=not session.progress.is_terminal
    ) as progress:
        task = progress.add_task("chats", total=total)
        async for document in _active_chats(session.app):
            chat_id: int | str = document.id
            try:
                state = read_record(document).state
                chat_id = state.chat_id
                done = await _consolidate(session.app, state, dry_run=dry_run)
            except (SpomynError, LookupError, TypeError, ValueError) as error:  # also documents of another form
                failed[chat_id] = f"{type(error).__name__}: {error}"
            else:
                count, changed = count + 1, changed + done.changed
                if session.as_json:
                    told.append(_to_json(state.chat_id, done, verbose=verbose))
                elif done.changed or verbose:
                    _show(session.console, state.chat_id, done, verbose=verbose, dry_run=dry_run)
            progress.advance(task)
    failures = [{"chat_id": chat_id, "error": error} for chat_id, error in failed.items()]

    def tell(console: Console) -> None:
        _line(console, f"Chats consolidated: {count}, changed: {changed}, failed: {len(failed)}", "bold")
        for chat_id, error in failed.items():
            _line(console, f"chat {chat_id} failed: {error}", "red")

    session.show({"chats": told, "failed": failures}, tell)
    return FAILED if failed else 0


async def _active_chats(app: App) -> AsyncIterator[Document]:
    last = None
    while page := await app.store.query("chats", where=_ACTIVE, limit=_PAGE, after=last):
        for document in page:
            yield document
        last = page[-1]


async def _consolidate(app: App, state: ChatState, *, dry_run: bool) -> Consolidation:
    """Everything that there is to read, also when it is more than one run takes."""
    done = await consolidate(app, state, dry_run=dry_run)
    while done.more and not dry_run:
        done = done.continue_with(await consolidate(app, state))
    return done


async def why_nothing(app: App, state: ChatState) -> str:
    """Explain in a sentence why nothing in a chat's talk can go into CONTEXT.md; "" when something can."""
    if state.is_private(by_default=app.policy.private_mode):
        return "The chat is in private mode: nothing is made of its talk."
    newest = await newest_at(app.store, state)
    if newest is None:
        return "No message of the chat is stored."
    if newest >= app.clock.now() - REACH:
        return ""
    return (
        f"CONTEXT.md is made of what was said in the last {REACH.days} days, and the newest message is of "
        f"{newest:%Y-%m-%d}: it comes when people talk again."
    )


def _to_json(chat_id: int, done: Consolidation, *, verbose: bool) -> dict[str, Any]:
    """Return the run as `--json` prints it."""
    told = {
        "chat_id": chat_id,
        "counts": done.counts,
        "changed": done.changed,
        "revision": done.after.revision,
        "made_by": done.made_by,
        "next_at": done.next_at,
        "diff": list(_diff(done)),
    }
    if not verbose:
        return told
    return told | {
        "suggested": [
            {"section": str(each.section), "text": each.text, "quotes": [_quote(*quote) for quote in each.quotes]}
            for each in done.suggested
        ],
        "refused": [each._asdict() for each in done.refused],
        "resolved": [
            {"text": item.text, "quote": _quote(quote.message_id, quote.text)} for item, quote in done.resolved
        ],
        "text": done.after.text,
    }


def _quote(message_id: int, text: str) -> dict[str, Any]:
    return {"message_id": message_id, "text": text}


def _show(console: Console, chat_id: int, done: Consolidation, *, verbose: bool, dry_run: bool, note: str = "") -> None:
    """Print the run for people."""
    _line(console, f"Chat {chat_id}: {done.read} messages read, made by {done.made_by or 'nobody'}", "bold")
    if note:
        _line(console, note)
    if verbose:
        _passes(console, done)
    for line in _diff(done):
        _line(console, line, _COLOURS.get(line[:1], ""))
    if done.more:
        _line(console, "There is more to read; only its first part was looked at.", "yellow")
    if not done.changed:
        _line(console, "CONTEXT.md stays as it is.")
    elif dry_run:
        _line(console, "Nothing was written (--dry-run).", "yellow")


def _passes(console: Console, done: Consolidation) -> None:
    _line(console, f"Suggested: {len(done.suggested)}", "bold")
    for suggestion in done.suggested:
        _line(console, f"  {suggestion.section}: {suggestion.text}")
        for message_id, words in suggestion.quotes:
            _line(console, f"    #{message_id} “{one_line(words)}”", "dim")
    _line(console, f"Refused: {len(done.refused)}", "bold")
    for rejection in done.refused:
        _line(console, f"  {rejection.reason}: {rejection.text}", "red")
    _line(console, f"Settled: {len(done.resolved)}", "bold")
    for item, quote in done.resolved:
        _line(console, f"  {item.text}: #{quote.message_id} “{one_line(quote.text)}”")
    _line(console, f"In CONTEXT.md: {len(done.after.items)}", "bold")


def _diff(done: Consolidation) -> Iterator[str]:
    old, new = done.before, done.after
    if done.changed:
        names = (f"CONTEXT.md, revision {old.revision}", f"CONTEXT.md, revision {new.revision}")
        yield from difflib.unified_diff(old.text.splitlines(), new.text.splitlines(), *names, lineterm="")


def _line(console: Console, text: str, style: str = "") -> None:
    indent = " " * (len(text) - len(text.lstrip(" ")))
    console.print(Text(indent + one_line(text, 2_000), style), soft_wrap=True)
