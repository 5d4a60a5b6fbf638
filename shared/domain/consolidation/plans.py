"""What a group is working on: plans that several members or days come back to, and occasions announced for a day."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, tzinfo
from typing import NamedTuple

from shared.domain.consolidation import actions
from shared.domain.consolidation.commitments import is_earnest, wording
from shared.domain.consolidation.days import days_in, due_day, without_days
from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.likeness import says_the_same, telling_terms
from shared.domain.consolidation.speakers import name_of
from shared.domain.consolidation.tasks import capitalised, infinitive, led, task, tells, trimmed
from shared.domain.language import fold, lemma, tokens
from shared.domain.messages import Message
from shared.domain.patterns.calendar import event_in
from shared.domain.patterns.clauses import Sentence, sentences
from shared.domain.patterns.guards import is_conditional, is_hypothetical, is_quoted
from shared.domain.words import analyse, readings

RETURNS = 3
"""Messages that mention a plan before it is one (own choice): a proposal that nobody takes up is none."""

_MOST_WORDS = 10
_SELF = ("i ", "i'", "it ", "it's", "that ", "this ", "there ", "я ", "це ", "то ", "у мене ", "в мене ")
_ABOUT = frozenset({"щодо", "стосовно", "про", "about", "regarding"})
_PLACE_WORDS = 3
_TO_GO = "поїхати"
_HEAD = re.compile(r"^(?:\S+\s+){0,2}\S+:\s+")


class _Plan(NamedTuple):
    text: str
    due: date | None
    message: Message
    quote: str
    terms: frozenset[str]


class _Mentioned(NamedTuple):
    plan: _Plan
    mentions: list[Message]


def plans(messages: Sequence[Message], zone: tzinfo) -> Iterator[Suggestion]:
    """Ongoing items, those with a day first; one for the same plan.

    Args:
        messages: In the order of the talk.
    """
    talk = [message for message in messages if is_earnest(message)]
    told = {message.message_id: telling_terms(tokens(message.text)) for message in talk}
    found = [_Mentioned(plan, _mentions(plan, talk, told)) for message in talk for plan in _told(message, zone)]
    kept: list[str] = []
    for each in sorted(found, key=_surest_first):
        if _is_taken_up(each) and not any(says_the_same(Section.ONGOING, each.plan.text, other) for other in kept):
            kept.append(each.plan.text)
            yield _suggestion(each)


def _surest_first(found: _Mentioned) -> tuple[bool, int, int]:
    """Those with a day first, the day said last before others of the same plan; then those mentioned most."""
    last = -found.plan.message.message_id
    return (True, -len(found.mentions), last) if found.plan.due is None else (False, last, 0)


def _told(message: Message, zone: tzinfo) -> Iterator[_Plan]:
    on = message.sent_at.astimezone(zone).date()
    for sentence in sentences(message.text):
        if sentence.question or is_quoted(sentence.text) or is_hypothetical(sentence.text):
            continue
        if is_conditional(sentence.text):
            continue
        plan = _planned(message, sentence, on) or _travel(message, sentence, on) or _announced(message, sentence, on)
        if plan is not None and plan.terms:
            yield plan


def _planned(message: Message, sentence: Sentence, on: date) -> _Plan | None:
    for found in wording([*actions.PLANS, *actions.HEADING_FOR], analyse(sentence.text)):
        days = days_in(sentence.text, on) or [day for day in days_in(message.text, on) if day.dated]
        made = task(found.group("verb") or _TO_GO, found.group("what"), on, due=due_day(days))
        if made is not None:
            terms = telling_terms(tokens(made.text))
            return _Plan(capitalised(made.text), made.due, message, sentence.quote, terms)
    return None


def _travel(message: Message, sentence: Sentence, on: date) -> _Plan | None:
    """Where a member says that they will be from a day on."""
    days = [day for day in days_in(sentence.text, on) if day.dated]
    for found in wording(actions.TRAVELS, analyse(sentence.text)) if days else ():
        what = found.group("what")
        where = trimmed(" ".join(without_days(what, days_in(what, on)).split()[:_PLACE_WORDS]))
        text = f"{name_of(message.name)}: {infinitive(found.group('verb'))} {where}"
        return _Plan(text, due_day(days), message, sentence.quote, telling_terms(tokens(where)))
    return None


def _announced(message: Message, sentence: Sentence, on: date) -> _Plan | None:
    """What is to happen on a day: an occasion, however short, or a whole sentence with its date."""
    days = days_in(sentence.text, on)
    if not days:
        return None
    first = _HEAD.sub("", sentence.text).partition(",")[0]
    text = led(trimmed(without_days(first, days_in(first, on))))
    words = text.split()
    dated = any(day.dated for day in days) and not _is_past(sentence)
    if not (dated or event_in(sentence.text) is not None):
        return None
    if len(words) == 1 or fold(words[0] if words else "") in _ABOUT:
        text = _noun(words[-1])
    if not tells(text) or len(words) > _MOST_WORDS or _is_told_of_oneself(text):
        return None
    return _Plan(capitalised(text), due_day(days), message, sentence.quote, telling_terms(tokens(text)))


def _noun(word: str) -> str:
    """A word in its dictionary form when it is a noun that may stand alone, else ""."""
    folded = fold(word)
    verb = any("#" in atom for atom in readings(folded)) or folded.endswith("ing")
    if verb or (folded.endswith("s") and folded.isascii()) or not telling_terms([folded]):
        return ""
    return word if folded.isascii() else lemma(folded)


def _is_past(sentence: Sentence) -> bool:
    return not analyse(sentence.text).atoms.isdisjoint({"#past", "#pastpl", "#ed", "was", "were"})


def _is_told_of_oneself(text: str) -> bool:
    """Whether a line begins with what somebody has done or does ("записалась на іспит")."""
    atoms = set(readings(fold(text.partition(" ")[0])))
    return not atoms.isdisjoint({"#i", "#past", "#pastpl", "#ing"}) or fold(text).startswith(_SELF)


def _mentions(plan: _Plan, talk: Sequence[Message], told: dict[int, frozenset[str]]) -> list[Message]:
    """Messages that share a telling word with the plan, and replies to the one that told it."""
    return [
        m for m in talk if plan.terms & told[m.message_id] or m.reply_to == plan.message.message_id
    ]  # fmt: skip


def _is_taken_up(found: _Mentioned) -> bool:
    """Whether it is more than one remark: with a day it was said twice, without one several members come back to it."""
    if found.plan.due is not None:
        return len(found.mentions) > 1
    return len(found.mentions) >= RETURNS and len({message.user_id for message in found.mentions}) > 1


def _suggestion(found: _Mentioned) -> Suggestion:
    plan = found.plan
    later = [
        m for m in found.mentions if m.sent_at > plan.message.sent_at and plan.terms & telling_terms(tokens(m.text))
    ]
    quotes = [(plan.message.message_id, plan.quote), *((m.message_id, quote_about(m, plan.terms)) for m in later[-2:])]
    return Suggestion(Section.ONGOING, plan.text, tuple(quotes), plan.due)


def quote_about(message: Message, terms: frozenset[str]) -> str:
    """The first sentence of a message with one of the terms."""
    said = sentences(message.text)
    return next((s.quote for s in said if terms & telling_terms(tokens(s.text))), message.text)
