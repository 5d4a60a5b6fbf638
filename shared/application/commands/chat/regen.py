"""`/gryadregen`: chunks of talk made anew by the model as it is now, in a task that says how far it is.

The command finds the chunks and asks; the button asks for a task; each task makes a few chunks, says so in the message
with the button, and asks for the next. What a task says is what it found done, so running one again does no harm.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.application.app import App
from shared.application.archive.backfill_survey import EPISODIC_WORDS, SUMMARY_WORDS
from shared.application.chats.choices import Choices, choices_for
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, answer, group_digits, usage
from shared.application.commands.later import read_payload
from shared.application.conversation.hearing import readable_messages
from shared.application.delivery.answer import Answer
from shared.application.delivery.sending import say_once
from shared.application.delivery.wording import button, localized_text
from shared.application.documents import chunks_path, message_path, usage_path
from shared.application.policy import Policy
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore
from shared.application.reading.notes.codec import Chunk, read_chunk
from shared.application.reading.regeneration import Renewed, Stretch, regenerate_some
from shared.application.recall.note_queries import BY_LAST, BY_LAST_AT, LAST_FIRST, ending_from, ending_since
from shared.application.schedule import Schedule
from shared.application.spending.usage_codec import tokens_of
from shared.domain.conversation.media import transcript
from shared.domain.errors import ChatUnavailable, PermanentError
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.dates import day_in_digits, latest
from shared.domain.text.language import Language
from shared.locales import say
from shared.prompts import prompt

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway
    from shared.application.ports.model import LanguageModel


log = logging.getLogger(__name__)

MOST = 50
"""Chunks that one command makes anew: a day of lively talk, as many calls of the model."""

PART = 5
"""Chunks that one task makes: about a minute; who dies in between does these again."""


_DAY = timedelta(days=1)
_TODAY, _YESTERDAY, _LAST = ("today", "сьогодні"), ("yesterday", "вчора", "учора"), "last|latest|останні|останніх"


# --- which talk is meant -------------------------------------------------------------------------


class Days(NamedTuple):
    """From a local day's beginning to another's."""

    start: datetime
    end: datetime


class Latest(NamedTuple):
    """So many messages up to now."""

    messages: int


class Since(NamedTuple):
    """From a message up to now."""

    message_id: int


Range = Days | Latest | Since


def read_range(words: str, *, now: datetime) -> Range | None:
    """Return what somebody typed as a range: a day, two days with a space between them, or the latest messages; None
    when it is none.

    Args:
        now: In the chat's zone.
    """
    text = " ".join(words.casefold().split())
    if match := re.fullmatch(rf"(?:{_LAST}) (\d{{1,6}})", text):
        return Latest(int(match[1])) if int(match[1]) else None
    days = [_day(word, now.date()) for word in text.split()]
    if not 1 <= len(days) <= 2 or any(day is None for day in days):
        return None
    first, last = min(filter(None, days)), max(filter(None, days))
    return Days(*(datetime.combine(day, time(), now.tzinfo) for day in (first, last + _DAY)))


def _day(word: str, today: date) -> date | None:
    """A day by its word, as 2026-11-20, or as 20.11 (then the last one there was) with or without the year."""
    if word in _TODAY or word in _YESTERDAY:
        return today if word in _TODAY else today - _DAY
    return day_in_digits(word, lambda month, day: latest(month, day, today))


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
    found = await store.query(path, where=[ending_since(meant.start)], order_by=[BY_LAST_AT], limit=MOST + 1)
    return [chunk for chunk in map(read_chunk, found) if chunk.first_at < meant.end]


async def _estimate(store: DocumentStore, call: CommandCall, chunks: Sequence[Chunk]) -> int:
    """Tokens that it would take, about: by the talk of a few chunks."""
    sample = [chunks[0], chunks[len(chunks) // 2], chunks[-1]]
    ids = [message_id for chunk in sample for message_id in chunk.message_ids]
    found = await store.get_many([message_path(call.state.chat_id, message_id) for message_id in ids])
    talk = readable_messages(call.state, [document for document in found if document is not None])
    asked = estimate_tokens(prompt("reading").text)
    shown = estimate_tokens(transcript(talk, media=True)) / len(sample)
    return round(len(chunks) * (asked + shown + SUMMARY_WORDS + EPISODIC_WORDS))


# --- the button and the task ---------------------------------------------------------------------


class _RegenRun(NamedTuple):
    """What a task is given: where to tell about it, what is left to do, and what earlier tasks did.

    Attributes:
        run: The update that asked for it: the tasks of one run have names of their own.
        total: Chunks of the whole run.
    """

    chat_id: int
    message_id: int
    run: int
    language: Language
    after: int
    last: int
    total: int
    made: int = 0
    kept: int = 0
    part: int = 0


async def confirm(app: App, press: ButtonPress) -> Pressed:
    """Have it done by a task."""
    after, last, count = map(int, press.args)
    update_id, chat_id = press.update.update_id, press.state.chat_id
    run = _RegenRun(chat_id, press.message_id, update_id, press.language, after, last, count)
    await _ask_for(app.schedule, run)
    return Pressed(shows=localized_text(press.language, "regen_running", done="0", count=str(count)))


async def _ask_for(schedule: Schedule, run: _RegenRun) -> None:
    await schedule.job("regen", mark=f"{run.chat_id}-{run.run}-{run.part}", payload=run._asdict())


async def run_part(app: App, payload: Mapping[str, Any]) -> dict[str, int]:
    """The job `regen`: make some chunks anew, say how far it is, and ask for the next part.

    The last part finds nothing left and says what came of it: when that cannot be told at once, nothing is made twice.

    Raises:
        BadPayload: It is not of the shape of `_RegenRun`.
        TransientError: Run it again; chunks that are made are made once more.
    """
    run = read_payload(_RegenRun, payload)
    state = await app.chats.state(run.chat_id, fresh=True)
    if not state.known or state.migrated_to is not None:  # then its chunks are gone, or have other names
        await _tell_over(app, run, state.migrated_to)
        return {}
    renewed = await regenerate_some(app, run.chat_id, Stretch(run.after, run.last), most=PART)
    run = run._replace(made=run.made + renewed.made, kept=run.kept + renewed.kept)
    if renewed.made:  # what is found and told elsewhere follows, however silent the chat is
        await app.schedule.extraction_later(run.chat_id, mark=f"regen-{run.run}-{run.part}", run_at=None)
    if renewed.rest is None or renewed.is_stopped:
        await _tell(app.gateway, run, _outcome(app.policy, run, renewed))
    else:
        shows = localized_text(run.language, "regen_running", done=str(run.made + run.kept), count=str(run.total))
        try:  # before the next part is asked for: told later, it would hide what came of that
            await _tell(app.gateway, run, shows)
        except ChatUnavailable as error:
            log.warning("how far regeneration is could not be told: %s", error)
        await _ask_for(app.schedule, run._replace(after=renewed.rest.after, part=run.part + 1))
    return {"made": renewed.made, "kept": renewed.kept}


def _outcome(policy: Policy, run: _RegenRun, renewed: Renewed) -> OutgoingText:
    counts = {"made": str(run.made), "kept": str(run.kept), "count": str(run.total)}
    if not renewed.is_stopped or renewed.rest is None:
        return localized_text(run.language, "regen_done", (), **counts)
    left = max(0, run.total - run.made - run.kept)
    label = say(run.language, "regen_continue")
    again = button(policy, run.chat_id, label, "rgn", renewed.rest.after, renewed.rest.last, left)
    return localized_text(run.language, "regen_stopped", ((again,),), **counts)


async def _tell_over(app: App, run: _RegenRun, moved_to: int | None) -> None:
    """Finish the message that says how far it is: the talk is not there any more. In a supergroup that the group became
    it is said again, once: the old message is out of sight there."""
    done, key = str(run.made + run.kept), "regen_forgotten" if moved_to is None else "regen_moved"
    told = localized_text(run.language, key, done=done, count=str(run.total))
    await _tell(app.gateway, run, told)
    if moved_to is not None:
        await say_once(app, moved_to, f"regen-{run.run}", Answer.of(told))


async def _tell(gateway: ChatGateway, run: _RegenRun, text: OutgoingText) -> None:
    try:
        await gateway.edit(run.chat_id, run.message_id, text)
    except PermanentError as error:
        log.warning("a message could not be changed: %s", error)
