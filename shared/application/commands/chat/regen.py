"""`/gryadregen`: chunks of talk read anew by the model as it is now.

The command finds the chunks and asks; the button marks them, and the chat's next task reads them as it reads what the
model was away for.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import datetime
from math import ceil
from typing import NamedTuple

from shared.application.app import App
from shared.application.archive.backfill_survey import EPISODIC_WORDS, SUMMARY_WORDS
from shared.application.chats.choices import Choices, choices_for
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, answer, group_digits, usage
from shared.application.conversation.consent_gate import readable_messages
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import localized_text
from shared.application.documents import chunks_path, message_path, usage_path
from shared.application.policy import Policy
from shared.application.ports.model import LanguageModel
from shared.application.ports.store import DocumentStore
from shared.application.reading.notes.codec import Chunk, read_chunk
from shared.application.reading.rereading import read_anew
from shared.application.recall.note_queries import BY_LAST, BY_LAST_AT, LAST_FIRST, ending_from, ending_since
from shared.application.spending.usage_codec import tokens_of
from shared.domain.conversation.media import transcript
from shared.domain.reading.stretch import MOST_CHUNKS
from shared.domain.recall.time_phrases import Span, spans_alone
from shared.domain.spending.tokens import estimate_tokens
from shared.prompts import prompt

MOST = 50
"""Chunks that one command has read anew: a day of lively talk."""

_LAST = "last|latest|останні|останніх"


# --- which talk is meant -------------------------------------------------------------------------


class Latest(NamedTuple):
    """A range of so many messages up to now."""

    messages: int


class Since(NamedTuple):
    """A range from a message up to now."""

    message_id: int


Range = Span | Latest | Since


def read_range(words: str, *, now: datetime) -> Range | None:
    """Return what somebody typed as a range: days, from the first to the last, or the latest messages; else None.

    Args:
        now: In the chat's zone.
    """
    text = " ".join(words.casefold().split())
    if match := re.fullmatch(rf"(?:{_LAST}) (\d{{1,6}})", text):
        return Latest(int(match[1])) if int(match[1]) else None
    days = spans_alone(words, now)
    return Span(min(each.since for each in days), max(each.until for each in days)) if days else None


# --- the command ---------------------------------------------------------------------------------


async def regenerate(app: App, call: CommandCall) -> Answer:
    """Find what is meant, say what it would take, and ask."""
    choices = choices_for(app.policy, call.state)
    now, here, chat_id = app.clock.now(), call.scene(app.policy), call.state.chat_id
    if call.args:
        meant = read_range(call.args, now=now.astimezone(choices.timezone))
    else:
        meant = None if call.message.reply_to is None else Since(call.message.reply_to)
    if meant is None:
        return usage(call)
    if refused := _impossible(app.model, choices):
        return answer(call, refused)
    found = await _chunks(app.store, app.policy, chat_id, meant)
    chunks = found[:MOST]
    if not chunks:
        return answer(call, "regen_nothing")
    tokens, usage_today = await asyncio.gather(
        _estimate(app.store, call, chunks), app.store.get(usage_path(chat_id, now.date()))
    )
    places = {
        "count": str(len(chunks)),
        "since": f"{chunks[0].first_at.astimezone(choices.timezone):%d.%m %H:%M}",
        "until": f"{chunks[-1].last_at.astimezone(choices.timezone):%d.%m %H:%M}",
        "tokens": group_digits(tokens),
        "left": group_digits(max(0, choices.tokens_per_day - tokens_of(usage_today))),
    }
    ends, owner = sorted(chunk.last for chunk in chunks), call.user_id if call.user_id > 0 else None
    yes = here.option("regen_yes", "rgn", ends[0] - 1, ends[-1], len(chunks), owner=owner)
    rows = ((yes, here.option("regen_no", "keep")),)
    return answer(call, "regen_question_first" if len(found) > MOST else "regen_question", rows, **places)


def _impossible(model: LanguageModel | None, choices: Choices) -> str | None:
    """Return why nothing can be made anew here, as the name of a text; None when it can."""
    if choices.private:
        return "regen_private"
    if model is None:
        return "regen_no_model"
    return "stats_no_budget" if choices.tokens_per_day == 0 else None


async def _chunks(store: DocumentStore, policy: Policy, chat_id: int, meant: Range) -> list[Chunk]:
    """The chunks of a range, the oldest first; one more than may be made says that there are more."""
    path = chunks_path(chat_id)
    if isinstance(meant, Latest):
        wanted = min(ceil(meant.messages / policy.chunk_size), MOST)
        newest = await store.query(path, order_by=[LAST_FIRST], limit=wanted)
        return [read_chunk(document) for document in reversed(newest)]
    if isinstance(meant, Since):
        found = await store.query(path, where=[ending_from(meant.message_id)], order_by=[BY_LAST], limit=MOST + 1)
        return [read_chunk(document) for document in found]
    found = await store.query(path, where=[ending_since(meant.since)], order_by=[BY_LAST_AT], limit=MOST + 1)
    return [chunk for chunk in map(read_chunk, found) if chunk.first_at < meant.until]


async def _estimate(store: DocumentStore, call: CommandCall, chunks: Sequence[Chunk]) -> int:
    """Tokens that it would take, about: by the talk of a few chunks."""
    sample = [chunks[0], chunks[len(chunks) // 2], chunks[-1]]
    ids = [message_id for chunk in sample for message_id in chunk.message_ids]
    found = await store.get_many([message_path(call.state.chat_id, message_id) for message_id in ids])
    talk = readable_messages(call.state, [document for document in found if document is not None])
    asked = estimate_tokens(prompt("reading").text)
    shown = estimate_tokens(transcript(talk, media=True)) / len(sample)
    return round(ceil(len(chunks) / MOST_CHUNKS) * asked + len(chunks) * (shown + SUMMARY_WORDS + EPISODIC_WORDS))


async def confirm(app: App, press: ButtonPress) -> Pressed:
    """Have it done by the chat's next task: pressed twice, it does no harm."""
    after, last, _ = map(int, press.args)
    chat_id = press.state.chat_id
    count = await read_anew(app.store, chat_id, after=after, last=last, most=MOST)
    await app.schedule.extraction_later(chat_id, mark=f"regen-{press.update.update_id}", run_at=None)
    return Pressed(shows=localized_text(press.language, "regen_begun", count=str(count)))
