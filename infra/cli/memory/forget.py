"""`forget`: a chat, a member or single messages, for good, with a proof that nothing is left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table

from infra.cli import frame
from infra.cli.frame import FAILED, Failed, Session
from shared.application.documents import chat_path
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.forgetting.proof import Proof, preview, preview_chat, prove
from shared.application.forgetting.steps import member_meant, messages_meant
from shared.application.forgetting.traces.scope import Preview
from shared.domain.errors import ObjectLocked

_EXAMPLE = """\
python -m infra.cli forget -1001234567890 --member 4242 --dry-run
python -m infra.cli forget -1001234567890 --message 17 --message 18 --yes
python -m infra.cli forget -1001234567890"""


class _Erasure(NamedTuple):
    """The outcome of a run.

    Attributes:
        done: How much of each kind.
        locked: Keys of what the archive does not let go.
        why: The reason for that, or None when nothing is locked.
    """

    done: Mapping[str, int]
    locked: tuple[str, ...] = ()
    why: str | None = None


@frame.command("forget", example=_EXAMPLE)
@click.argument("chat_id", type=int)
@click.option("--member", "user_id", type=int, help="Only every word of this member, and every fact about them.")
@click.option("--message", "message_ids", type=int, multiple=True, help="Only this message; may be given repeatedly.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
async def command(
    session: Session, *, chat_id: int, user_id: int | None, message_ids: tuple[int, ...], yes: bool, dry_run: bool
) -> int | None:
    """Forget for good: messages, facts, summaries, the index, CONTEXT.md, the archive.

    What is left is made again from what others said. It cannot be undone, and neither a late delivery nor an import
    brings it back. Afterwards everything is searched for what may be left: exit code 1 with the paths when something
    is. Running it again is harmless, and finishes what was interrupted.
    """
    if user_id is not None and message_ids:
        raise click.UsageError("--member and --message exclude each other.")
    sought = await _find_sought(session, chat_id, user_id, message_ids)
    if dry_run:
        session.show({"would_go": sought.counts}, lambda console: _tell_counts(console, "Would go", sought.counts))
        return None
    if not yes:
        _tell_counts(session.progress, "Will go", sought.counts)
        click.confirm("Forget this for good?", abort=True, err=True)
    erased = await _forget(session, chat_id, user_id, message_ids)
    with session.progress.status("Looking for what is left"):
        proof = await prove(session.app.store, session.app.archive, sought)
    kept = {"locked": list(erased.locked), "why": erased.why}
    result = {"forgotten": erased.done, "left": proof.left, "searched": proof.searched, **kept}
    session.show(result, lambda console: _tell(console, erased, proof))
    return FAILED if proof.left or erased.why is not None else None


async def _find_sought(session: Session, chat_id: int, user_id: int | None, message_ids: tuple[int, ...]) -> Preview:
    store, clock, policy = session.app.store, session.app.clock, session.app.policy
    with session.progress.status("Looking for what is to go"):
        if user_id is not None:
            return await preview(store, policy, await member_meant(store, clock, chat_id, user_id))
        if message_ids:
            return await preview(store, policy, await messages_meant(store, clock, chat_id, message_ids))
        sought = await preview_chat(store, chat_id)
    if not sought.counts and await session.app.store.get(chat_path(chat_id)) is None and session.app.archive is None:
        raise Failed(f"There is no chat {chat_id}: `stats` lists the chats (ids of groups are negative).")
    return sought


async def _forget(session: Session, chat_id: int, user_id: int | None, message_ids: tuple[int, ...]) -> _Erasure:
    try:
        with session.progress.status("Forgetting"):
            if user_id is not None:
                return _Erasure(await forget_member(session.app, chat_id, user_id))
            if message_ids:
                return _Erasure(await forget_messages(session.app, chat_id, message_ids))
            return _Erasure(await forget_chat(session.app, chat_id))
    except ObjectLocked as error:
        return _Erasure({}, error.keys, str(error))


def _tell_counts(console: Console, title: str, counts: Mapping[str, int]) -> None:
    table = Table(title=title, title_justify="left", show_header=False)
    for name, count in counts.items():
        table.add_row(name.replace("_", " "), f"{count:,}")
    console.print(table if counts else f"{title}: nothing.")


def _tell(console: Console, erased: _Erasure, proof: Proof) -> None:
    _tell_counts(console, "Forgotten", erased.done)
    if erased.why is not None:
        console.print(f"Not all could be erased: {erased.why}.", style="red", soft_wrap=True)
    for path in proof.left:
        console.print(f"Left: {path}", style="red", soft_wrap=True)
    if proof.left:
        console.print("Run the command again; if these stay, report a bug with their paths.")
    elif erased.why is None:
        console.print(f"Nothing of it is left: {proof.searched:,} documents and objects were looked at.")
