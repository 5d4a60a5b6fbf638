"""Reads what the model says about CONTEXT.md along with a stretch of talk: items, and which of them are settled.

Nothing of it is trusted more than what the rules say, and it is in CONTEXT.md at once: the night's passes go on from
there. What the model was away for is noted when it reads it.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import context_path
from shared.application.consolidation.committing import ATTEMPTS, Plan, commit, usual_language
from shared.application.consolidation.context_file_codec import (
    ContextFileUnreadable,
    load_context_file,
    people_of,
    read_context_file,
)
from shared.application.consolidation.talk import REACH
from shared.application.conversation.consent_gate import may_retell, may_speak
from shared.application.ports.store import DocumentStore
from shared.domain.consolidation.document import read_back
from shared.domain.consolidation.items import Item, Quote, Section, Suggestion
from shared.domain.consolidation.merging import merge, settle
from shared.domain.consolidation.reviewing import Refused, verify
from shared.domain.conversation.messages import Message
from shared.domain.reading.model_output import MAX_RAW, find_items, parse_integer
from shared.domain.reading.model_reply import tells_now
from shared.domain.reading.summaries.wording import clean_line
from shared.domain.text.dates import calendar_iso_day
from shared.domain.text.language import fold
from shared.domain.text.loose_json import read_loosely
from shared.domain.text.plain import find_verbatim

log = logging.getLogger(__name__)

MOST_SHOWN = 8
"""Open items that a reading is shown: those last mentioned, which are the likeliest to be settled."""

MOST_ITEMS = 40
"""Entries taken of one answer: more than CONTEXT.md has place for."""

_TEXT_CHARS, _QUOTE_CHARS = 400, 1_000
_SECTIONS = {str(section): section for section in Section if section is not Section.NOTES}

NumberedT = TypeVar("NumberedT")


class Settling(NamedTuple):
    """An item that the model takes for settled, and the words that are to show it."""

    item: Item
    message_id: int
    quote: str


async def open_items(store: DocumentStore, state: ChatState) -> list[Item]:
    """Return the ongoing and pending items that a reading is shown, those last mentioned first; none that quotes
    somebody who opted out."""
    try:
        file = await load_context_file(store, state.chat_id)
    except ContextFileUnreadable as error:
        log.warning("what a group is doing is not shown to the model: %s", error)
        return []
    listed = [item for item in file.items if item.section in (Section.ONGOING, Section.PENDING)] if file else []
    known = [item for item in listed if may_retell(state, people_of([item]))]
    return sorted(known, key=lambda item: (item.mentioned_at, item.id), reverse=True)[:MOST_SHOWN]


async def note_items(
    app: App,
    state: ChatState,
    said: Sequence[Message],
    suggested: Sequence[Suggestion],
    settled: Sequence[Settling],
    *,
    made_by: str,
) -> None:
    """Put into CONTEXT.md what the model found in some talk, as far as its quotes stand; nothing said longer ago than
    talk waits and the night looks back. Idempotent; what comes between it time and again costs it its place."""
    now, zone = app.clock.now(), choices_for(app.policy, state).timezone
    messages = {m.message_id: m for m in said if m.sent_at >= now - REACH - app.policy.reading_wait}
    for _ in range(ATTEMPTS if suggested or settled else 0):
        before = read_context_file(await app.store.get(context_path(state.chat_id)))
        language = usual_language(state, before)
        edited = read_back(before.text, before.items, language=before.language, now=now)
        closed = [*before.closed, *edited.dismissed]
        allowed = partial(may_speak, state)
        judged = partial(verify, messages=messages, may_speak=allowed, zone=zone, language=language)
        verified = [judged(each, known=edited.items) for each in suggested]
        found = [item for item in verified if not isinstance(item, Refused)]
        meant = [each._replace(item=item) for item in edited.items for each in settled if each.item.id == item.id]
        done = {each.item.id: words for each in meant if (words := _find_settling_words(each, messages)) is not None}
        over = [item for item in edited.items if item.id in done and not item.by_hand]
        # What is over takes up nothing new: "the next game" is worded as the last one was, and needs a name of its own.
        found = [replace(i, name=f"{fold(i.text)} {i.mentioned_at}") if i.id in done else i for i in found]
        still_open = [item for item in edited.items if item not in over]
        ended = settle(over, done, closed=closed, now=now.astimezone(zone)).closed
        merged = merge(still_open, found, closed=ended, now=now.astimezone(zone))
        tidied = settle([*merged, *over], done, closed=closed, now=now.astimezone(zone))
        log.debug("items noted=%d refused=%d settled=%d", len(found), len(verified) - len(found), len(done))
        plan = Plan(before, tidied.items, tidied.closed, language, made_by, before.until)
        if not (found or done) or await commit(app, state, plan) is not None:
            return
        state = await app.chats.state(state.chat_id, fresh=True)


def _find_settling_words(entry: Settling, messages: Mapping[int, Message]) -> Quote | None:
    """Return the words that show that an item is settled, if they do: a member's, and later than the item's first."""
    message, begun = messages.get(entry.message_id), entry.item.quotes[:1]
    words = find_verbatim(entry.quote, message.text) if message is not None and message.may_teach else None
    if message is None or words is None:
        return None
    if any(message.message_id == said.message_id or message.sent_at < said.sent_at for said in begun):
        return None
    return Quote(message.message_id, message.user_id, words, message.sent_at)


# --- What it wrote: form is forgiven, and nothing of it is believed yet ---------------------------


def read_suggestions(raw: str, said: Sequence[int], *, instructions: str = "") -> list[Suggestion]:
    """Read what the model suggests, without what cannot be used; never raises.

    Args:
        said: Ids of the messages that it was shown, in the order of their numbers from 1.
        instructions: The prompt's own text: what repeats it is no suggestion.
    """
    entries = [entry for entry in _entries(raw) if _settles(entry) is None][:MOST_ITEMS]
    read = (_suggestion(entry, said, instructions) for entry in entries)
    return [suggestion for suggestion in read if suggestion is not None]


def read_settled(raw: str, said: Sequence[int], shown: Sequence[Item]) -> list[Settling]:
    """Read which items the model takes for settled, without what cannot be used; never raises.

    Args:
        shown: The items that it was shown, in the order of their numbers from 1.
    """
    entries = [entry for entry in _entries(raw) if _settles(entry) is not None][:MOST_ITEMS]
    named = [(_find_by_number(_settles(entry), shown), _quotes(entry, said)) for entry in entries]
    return [Settling(item, *quotes[0]) for item, quotes in named if item is not None and quotes]


def _entries(raw: str) -> list[Mapping[str, Any]]:
    """Return what a reply says of the group's now, also one that is cut off."""
    return [entry for entry in find_items(read_loosely(raw[:MAX_RAW])) if tells_now(entry)]


def _suggestion(entry: Mapping[str, Any], said: Sequence[int], instructions: str) -> Suggestion | None:
    written, key, due = (entry.get(name) for name in ("text", "key", "until"))
    text = clean_line(written, instructions=instructions, most_chars=_TEXT_CHARS) if isinstance(written, str) else ""
    near = _SECTIONS.get(key.strip().casefold().removeprefix("now.")) if isinstance(key, str) else None
    quotes = _quotes(entry, said)
    if not text or near is None or not quotes:
        return None
    return Suggestion(near, text, quotes, calendar_iso_day(due) if isinstance(due, str) else None)


def _quotes(entry: Mapping[str, Any], said: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """The quote that an entry has, with the id of its message, if it is of its form."""
    at, text = _find_by_number(entry.get("message"), said), entry.get("quote")
    return ((at, text[:_QUOTE_CHARS]),) if at is not None and isinstance(text, str) and text.strip() else ()


def _find_by_number(value: Any, numbered: Sequence[NumberedT]) -> NumberedT | None:
    number = parse_integer(value)
    return numbered[number - 1] if number is not None and 0 < number <= len(numbered) else None


def _settles(entry: Mapping[str, Any]) -> str | None:
    """The number of the item that an entry says to be settled, or None."""
    verdict = entry.get("verdict")
    said, _, number = verdict.strip().casefold().partition(" ") if isinstance(verdict, str) else ("", "", "")
    return number.strip() if said == "settles" else None
