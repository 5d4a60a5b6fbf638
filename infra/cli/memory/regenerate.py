"""`regenerate`: a piece of memory made anew."""

from __future__ import annotations

from typing import Any

import click

from infra.cli import frame
from infra.cli.frame import Failed, Session
from shared.application.reading.regeneration import (
    regenerate_chunk,
    regenerate_embeddings,
    regenerate_facts,
    regenerate_meta,
)

_EXAMPLE = "python -m infra.cli regenerate"


@click.group("regenerate", epilog=f"\b\nExample:\n  {_EXAMPLE} chunk -1001234567890 4711-4720")
def command() -> None:
    """Make a piece of memory anew with the model as it is now: one chunk, one meta summary, facts, vectors.

    While the model is away or the day's budget is used up, what is stored stays as it is (exit code 3).
    """


def _finish(session: Session, **result: Any) -> None:
    """End with what was made again."""
    session.show(result, lambda console: console.print(", ".join(f"{name} {value}" for name, value in result.items())))


@frame.command("chunk", example=f"{_EXAMPLE} chunk -1001234567890 4711-4720")
@click.argument("chat_id", type=int)
@click.argument("chunk_id")
async def chunk(session: Session, *, chat_id: int, chunk_id: str) -> None:
    """Make the summary, episodic facts and vector of the chunk CHUNK_ID (first and last message) anew."""
    await regenerate_chunk(session.app, await session.chat(chat_id), _id(chunk_id))
    _finish(session, chunk=chunk_id)


@frame.command("meta", example=f"{_EXAMPLE} meta -1001234567890 1-4711-4810")
@click.argument("chat_id", type=int)
@click.argument("meta_id")
async def meta(session: Session, *, chat_id: int, meta_id: str) -> None:
    """Make the meta summary META_ID (level, first and last message) and its vector anew from what it sums up."""
    await regenerate_meta(session.app, await session.chat(chat_id), _id(meta_id))
    _finish(session, meta=meta_id)


@frame.command("facts", example=f"{_EXAMPLE} facts -1001234567890 --first 4700 --last 4900")
@click.argument("chat_id", type=int)
@click.option("--first", type=int, required=True, help="Message id.")
@click.option("--last", type=int, required=True, help="Message id.")
async def facts(session: Session, *, chat_id: int, first: int, last: int) -> None:
    """Make the episodic facts of all chunks that hold messages from --first to --last anew."""
    if first > last:
        raise click.UsageError("--first is behind --last.")
    count = await regenerate_facts(session.app, await session.chat(chat_id), first=first, last=last)
    _finish(session, chunks=count)


@frame.command("embeddings", example=f"{_EXAMPLE} embeddings -1001234567890")
@click.argument("chat_id", type=int)
@click.option("--first", type=int, help="Message id; from the beginning without.")
@click.option("--last", type=int, help="Message id; to the end without.")
async def embeddings(session: Session, *, chat_id: int, first: int | None, last: int | None) -> None:
    """Make the vectors of chunks, meta summaries and episodes anew, all or those of a range of messages."""
    count = await regenerate_embeddings(session.app, await session.chat(chat_id), first=first, last=last)
    _finish(session, vectors=count)


def _id(given: str) -> str:
    """A document's id as it was typed.

    Raises:
        Failed: It can be none.
    """
    if not given or "/" in given:
        raise Failed(f"{given!r} is no id of a chunk or a meta summary.")
    return given


for each in (chunk, meta, facts, embeddings):
    command.add_command(each)
