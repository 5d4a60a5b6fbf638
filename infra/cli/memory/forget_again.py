"""`forget-again`: after a restore from a backup, what had been forgotten since goes once more."""

from __future__ import annotations

from collections import Counter

import click
from rich.console import Console
from rich.table import Table

from infra.cli import frame
from infra.cli.frame import FAILED, Session
from shared.application.forgetting.restored import Forgotten, forget_restored, forget_restored_in
from shared.domain.errors import ObjectLocked, TransientError

_EXAMPLE = """\
python -m infra.cli forget-again
python -m infra.cli forget-again --chat -1001234567890
python -m infra.cli forget-again --after -1001234567890"""


@frame.command("forget-again", example=_EXAMPLE)
@click.option("--chat", "chat_id", type=int, help="Only this chat.")
@click.option("--after", type=int, help="Go on after this chat, the last one that an interrupted run named.")
async def command(session: Session, *, chat_id: int | None, after: int | None) -> int | None:
    """Forget again what had been forgotten since a backup, after the store was restored from it.

    Walks every chat against the tombstones of this database: of whom and of which messages they name, everything goes
    that a backup brought back. Running it again is harmless, and finds nothing more. The tombstones must be those of
    the database that was in use, not the backup's.
    """
    done: list[Forgotten] = []
    try:
        with session.progress.status("Looking for what was forgotten"):
            if chat_id is not None:
                done.append(Forgotten(chat_id, await forget_restored_in(session.app, chat_id)))
            else:
                async for each in forget_restored(session.app, after=after):
                    done.append(each)  # noqa: PERF401 - what is done is told although the next one fails
    except (ObjectLocked, TransientError) as error:
        _show(session, done, error)
        return FAILED
    _show(session, done, None)
    return None


def _show(session: Session, done: list[Forgotten], error: Exception | None) -> None:
    found = [each for each in done if each.counts]
    last = done[-1].chat_id if done else None
    result = {
        "chats": len(done),
        "forgotten": {str(each.chat_id): dict(each.counts) for each in found},
        "last": last,
        "why": str(error) if error is not None else None,
    }

    def tell(console: Console) -> None:
        total = Counter[str]()
        for each in found:
            total.update(each.counts)
        table = Table(title="Forgotten again", title_justify="left", show_header=False)
        for name, count in total.items():
            table.add_row(name.replace("_", " "), f"{count:,}")
        console.print(table if total else "Forgotten again: nothing had come back.")
        console.print(f"{len(done):,} chats were looked through; something had come back in {len(found):,}.")
        if error is not None:
            console.print(f"It stopped: {error}", style="red", soft_wrap=True)
            console.print("Run it again" + (f" with --after {last}." if last is not None else "."))

    session.show(result, tell)
