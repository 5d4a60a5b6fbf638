"""`stats`: what there is, in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from infra.cli import frame
from infra.cli.frame import Failed, Session
from infra.observability import chat_hash
from infra.policy import log_key
from shared.application.chats.about_codec import ChatAbout, read_about
from shared.application.night.figures import (
    DAYS,
    ChatFigures,
    ChatLine,
    chat_figures,
    count_chats,
    read_liveliest_chats,
)
from shared.application.ports.store import Document
from shared.domain.text.plain import one_line

_PAGE = 500
_LISTED = ("messages", "chunks", "facts", "members")
_KEPT = ("title", "type", "language", "active", "migrated_to", "last_active_at")


@frame.command(
    "stats",
    example="""\
python -m infra.cli stats
python -m infra.cli stats -1001234567890 --json
python -m infra.cli stats --hash 75f9ec576587""",
)
@click.argument("chat_id", type=int, required=False)
@click.option("--hash", "hashed", metavar="CHAT", help="The chat that log lines call so, in place of CHAT_ID.")
@click.option("--limit", type=click.IntRange(0, 1_000), default=20, show_default=True, help="Chats in the list.")
async def command(session: Session, *, chat_id: int | None, hashed: str | None, limit: int) -> None:
    """Count what there is: of all chats, or everything about the chat CHAT_ID.

    The list begins with the chats that something was learnt of last, and ends with those of which nothing was yet.
    Everything is counted by the store; it costs about forty reads a chat, of which thirty are the usage of the last
    thirty days.
    """
    if hashed is not None:
        if chat_id is not None:
            raise click.UsageError("Give CHAT_ID or --hash, not both.")
        chat_id = await _chat_of(session, hashed)
    if chat_id is None:
        counts, lines = (
            await count_chats(session.app.store),
            await read_liveliest_chats(session.app.store, session.app.clock, limit=limit),
        )
        result = {"chats": counts, "liveliest": [_line_json(line) for line in lines]}
        session.show(result, lambda console: _tell_all(console, counts, lines))
        return
    figures = await chat_figures(session.app.store, session.app.clock, chat_id)
    if figures is None:
        raise Failed(f"There is no chat {chat_id}: `stats` lists the chats (ids of groups are negative).")
    session.show(_figures_json(figures), lambda console: _tell_one(console, figures))


async def _chat_of(session: Session, hashed: str) -> int:
    """The chat that log lines call so; a read for each chat that there is.

    Raises:
        Failed: There is none, or there is no token, with which chats are hashed.
    """
    session.settings.require(("TELEGRAM_BOT_TOKEN",), because="the log's hashes of chats are keyed with it")
    key, last = log_key(session.settings), None
    while page := await session.app.store.query("chats", limit=_PAGE, after=last, fields=["schema"]):
        for document in page:
            if chat_hash(key, document.id) == hashed.lower():
                return int(document.id)
        last = page[-1]
    raise Failed(f"No chat is {hashed} in the log: TELEGRAM_BOT_TOKEN must be the one that was deployed then.")


def _line_json(line: ChatLine) -> dict[str, Any]:
    return {"chat_id": int(line.document.id), **_describe_usage(line.document), **line.counts, "tokens": line.tokens}


def _figures_json(figures: ChatFigures) -> dict[str, Any]:
    return {
        "chat_id": int(figures.document.id),
        **_describe_usage(figures.document),
        "counts": figures.counts,
        "facts_by_status": figures.statuses,
        "active_facts_by_category": figures.categories,
        "days": DAYS,
        "model_calls": figures.calls,
        "answers_repeated": figures.repeated,
        "tokens_by_purpose": figures.tokens,
        "nightly": {job: mark._asdict() for job, mark in figures.nightly.items()},
        "index": {"segments": figures.segments, "bytes": figures.index_bytes},
    }


def _describe_usage(document: Document) -> dict[str, Any]:
    about = read_about(document)
    return {name: getattr(about, name) for name in _KEPT}


def _tell_all(console: Console, counts: Mapping[str, int], lines: Sequence[ChatLine]) -> None:
    console.print(f"{counts['known']:,} chats, the bot is in {counts['active']:,} of them.")
    if not lines:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)  # all of it fits into 80 columns
    table.add_column("chat", no_wrap=True)
    table.add_column("title", overflow="fold")
    for name in (*_LISTED, "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("last learnt", no_wrap=True)
    for line in lines:
        figures = [f"{line.counts[name]:,}" for name in _LISTED]
        about = read_about(line.document)
        table.add_row(
            line.document.id, _title(about), *figures, f"{line.tokens:,}", _time_text(about.last_active_at)[:10]
        )
    console.print(table, f"Tokens are those of the last {DAYS} days.", sep="\n")


def _tell_one(console: Console, figures: ChatFigures) -> None:
    about = read_about(figures.document)
    is_active = about.active is None or about.active
    state = "active" if is_active else f"not active ({one_line(str(about.inactive_reason), 80)})"
    console.print(Text(f"Chat {figures.document.id}: {_title(about)}", "bold"))
    console.print(f"{about.type}, {about.language or 'language not known'}, {state}")
    index = {"segments": figures.segments, "bytes": figures.index_bytes}
    usage = {"calls": figures.calls, **{f"tokens: {purpose}": count for purpose, count in figures.tokens.items()}}
    _section(console, "Documents", figures.counts)
    _section(console, "Facts by status", figures.statuses)
    _section(console, "Active facts by category", figures.categories)
    _section(console, f"Model, {DAYS} days", usage)
    _section(console, f"Sending, {DAYS} days", {"pieces sent again": figures.repeated})
    _section(console, "Index", index)
    for job, mark in sorted(figures.nightly.items()):
        console.print(f"night {job}: ran {_time_text(mark.at)}, next {_time_text(mark.next_at)}")


def _section(console: Console, title: str, rows: Mapping[str, int]) -> None:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
    table.add_column(min_width=20)
    table.add_column(justify="right")
    for name, count in rows.items():
        table.add_row(name, f"{count:,}")
    if rows:
        console.print(Text(f"\n{title}", "bold"), table, sep="\n")


def _title(about: ChatAbout) -> str:
    return one_line(str(about.title or ""), 40)


def _time_text(instant: Any) -> str:
    return f"{instant:%Y-%m-%d %H:%M}" if isinstance(instant, datetime) else "-"
