"""`regenerate`: a piece of memory made anew."""

from __future__ import annotations

from typing import Any

import click

from infra.cli import frame
from infra.cli.frame import Failed, Session
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.reading.notes.embeddings import embed_range
from shared.application.reading.rereading import read_anew
from shared.domain.errors import ModelUnavailable

_EXAMPLE = "python -m infra.cli regenerate"
_MOST = 1_000


@click.group("regenerate", epilog=f"\b\nExample:\n  {_EXAMPLE} talk -1001234567890 --first 4711 --last 4720")
def command() -> None:
    """Make memory anew with the model or the embedder as it is now; without one it stays as it is (exit code 3)."""


def _finish(session: Session, **result: Any) -> None:
    """End with what was made again."""
    session.show(result, lambda console: console.print(", ".join(f"{name} {value}" for name, value in result.items())))


@frame.command("talk", example=f"{_EXAMPLE} talk -1001234567890 --first 4700 --last 4900")
@click.argument("chat_id", type=int)
@click.option("--first", type=int, required=True, help="Message id.")
@click.option("--last", type=int, required=True, help="Message id.")
async def talk(session: Session, *, chat_id: int, first: int, last: int) -> None:
    """Have the chunks that end from --first to --last read anew by the chat's next task, or by `backfill --chunks`."""
    if first > last:
        raise click.UsageError("--first is behind --last.")
    await _chat_with(session, chat_id, session.app.model, "language model")
    count = await read_anew(session.app.store, chat_id, after=first - 1, last=last, most=_MOST)
    _finish(session, chunks=count)


@frame.command("embeddings", example=f"{_EXAMPLE} embeddings -1001234567890")
@click.argument("chat_id", type=int)
@click.option("--first", type=int, help="Message id; from the beginning without.")
@click.option("--last", type=int, help="Message id; to the end without.")
async def embeddings(session: Session, *, chat_id: int, first: int | None, last: int | None) -> None:
    """Make the vectors of chunks, meta summaries and episodes anew, all or those of a range of messages."""
    state = await _chat_with(session, chat_id, session.app.embedder, "embedder")
    count = await embed_range(session.app.store, session.app.embedder, state, first=first, last=last)
    _finish(session, vectors=count)


async def _chat_with(session: Session, chat_id: int, backend: object | None, what: str) -> ChatState:
    state = await session.chat(chat_id)
    if choices_for(session.app.policy, state).private:
        raise Failed(f"Chat {chat_id} is private: its memory is neither read nor made.")
    if backend is None:
        raise ModelUnavailable(f"no {what} is configured (GEMINI_API_KEY): what is stored stays as it is")
    return state


for each in (talk, embeddings):
    command.add_command(each)
