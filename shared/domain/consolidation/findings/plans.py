"""Finds the group's plans: ideas that several members take up, and ongoing items that still go on."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta, tzinfo
from typing import NamedTuple

from shared.domain.consolidation.findings.actions import MARKS
from shared.domain.consolidation.findings.commitments import is_earnest
from shared.domain.consolidation.findings.ideas import DayNamed, Idea, dates_in, days_named_in, ideas_in
from shared.domain.consolidation.items import MOST_TEXT, Item, Section, Suggestion
from shared.domain.consolidation.likeness import gist, says_the_same, telling_terms
from shared.domain.conversation.messages import Message
from shared.domain.reading.matching.clauses import sentences
from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from shared.domain.text.data_files import expressions
from shared.domain.text.language import fold, tokens
from shared.domain.text.plain import cut_between_words
from shared.domain.text.words import analyse

RETURNS = 3
"""Messages that mention an idea before it is a plan: a proposal that nobody takes up is none."""

ANSWERED_WITHIN = timedelta(hours=3)
"""The time after an idea in which a "yes" or a bare day is taken for an answer to it."""

NEXT = 8
"""Messages after an idea among which its answers are looked for."""


class _Talk(NamedTuple):
    """Earnest messages in order, what each is about and which dates it names; all ideas, and days said for things."""

    messages: Sequence[Message]
    text: dict[int, str]
    terms: dict[int, frozenset[str]]
    ideas: Sequence[Idea]
    days: Sequence[DayNamed]
    named: dict[int, frozenset[date]]

    def tells(self, message: Message, idea: Idea) -> bool:
        """Return whether a message speaks of an idea."""
        return idea.is_told_in(self.text[message.message_id], self.terms[message.message_id])


class _PlannedIdea(NamedTuple):
    """An idea, who speaks of it, who joins in, and the day that was said last for it since."""

    idea: Idea
    mentions: Sequence[Message]
    yes: Sequence[Message]
    day: DayNamed | None

    @property
    def due(self) -> date | None:
        return self.idea.due if self.day is None else self.day.day


def plans(messages: Sequence[Message], zone: tzinfo, known: Sequence[Item] = ()) -> Iterator[Suggestion]:
    """Ongoing items, those with a day first; one for the same plan.

    Args:
        messages: In the order of the talk.
        known: The items so far: what is among them is mentioned again, or moved, in fewer words than it took to begin.
    """
    talk = _read([message for message in messages if is_earnest(message)], zone)
    put = [_plan(idea, talk) for idea in talk.ideas]
    found = [_with_earlier(plan, put) for plan in put]
    kept: list[str] = []
    for plan in sorted(found, key=_surest_first):
        if _is_taken_up(plan) and not any(says_the_same(Section.ONGOING, plan.idea.text, other) for other in kept):
            kept.append(plan.idea.text)
            yield _suggestion(plan)
    for item in known:
        if item.section is Section.ONGOING and not item.by_hand:
            yield from filter(None, (_suggest_again(item, talk), rename_item(item, talk.messages)))


def _read(talk: Sequence[Message], zone: tzinfo) -> _Talk:
    text = {message.message_id: fold(message.text) for message in talk}
    terms = {message.message_id: telling_terms(tokens(message.text)) for message in talk}
    ideas = [idea for message in talk for idea in ideas_in(message, zone)]
    days = [day for message in talk for day in days_named_in(message, zone)]
    return _Talk(talk, text, terms, ideas, days, {message.message_id: dates_in(message, zone) for message in talk})


def _plan(idea: Idea, talk: _Talk) -> _PlannedIdea:
    mentions = [m for m in talk.messages if talk.tells(m, idea)]
    later = [day for day in talk.days if day.message.sent_at >= idea.message.sent_at and day.quote != idea.quote]
    of_it = [
        day for day in later
        if (idea.is_told_in(day.text, day.terms) if day.terms else _goes_with(day, idea, talk.ideas))
    ]  # fmt: skip
    joining = [answer for answer in _answers(idea, talk) if _joins(answer, talk)]
    return _PlannedIdea(idea, mentions, joining, of_it[-1] if of_it else None)


def _with_earlier(plan: _PlannedIdea, others: Sequence[_PlannedIdea]) -> _PlannedIdea:
    """The plan with those who joined it as it was put before: "who is coming?", "me", "then it is on Friday"."""
    said = plan.idea
    earlier = [
        other for other in others
        if other.idea.message.sent_at < said.message.sent_at
        and says_the_same(Section.ONGOING, other.idea.text, said.text)
    ]  # fmt: skip
    return plan._replace(yes=[*plan.yes, *(m for other in earlier for m in other.yes)])


def _answers(idea: Idea, talk: _Talk) -> list[Message]:
    """Return what others said right after an idea, or in reply to it."""
    place = next(n for n, m in enumerate(talk.messages, start=1) if m is idea.message)
    said, others = idea.message, [m for m in talk.messages[place:] if m.user_id != idea.message.user_id]
    near = {m.message_id for m in talk.messages[place : place + NEXT] if m.reply_to is None}
    return [
        m for m in others
        if m.reply_to == said.message_id or (m.message_id in near and m.sent_at - said.sent_at <= ANSWERED_WITHIN)
    ]  # fmt: skip


def _joins(answer: Message, talk: _Talk) -> bool:
    """Return whether an answer agrees, says that its author takes part, or names a day."""
    if reaction_of(answer.text) is Reaction.SUPPORT or any(day.message is answer for day in talk.days):
        return True
    said = [analyse(sentence.text) for sentence in sentences(answer.text)[:2] if not sentence.question]
    return any(MARKS["joins"].begin(words) is not None for words in said)


def _goes_with(day: DayNamed, idea: Idea, ideas: Sequence[Idea]) -> bool:
    """Return whether a bare day is said for the idea: the last one before it, not long ago."""
    before = [other for other in ideas if other.message.sent_at <= day.message.sent_at and other.quote != day.quote]
    near = day.message.sent_at - idea.message.sent_at <= ANSWERED_WITHIN
    return near and bool(before) and says_the_same(Section.ONGOING, before[-1].text, idea.text)


def _surest_first(plan: _PlannedIdea) -> tuple[bool, int, int]:
    """Those with a day first, the day said last before others of the same plan; then those mentioned most."""
    last = -plan.idea.message.message_id
    return (True, -len(plan.mentions), last) if plan.due is None else (False, last, 0)


def _is_taken_up(plan: _PlannedIdea) -> bool:
    """Return whether it is more than one member's remark: with a day one other takes part, else they come back to it.

    What is only said to be needed by a day is an errand until a day is set for it.
    """
    people = {m.user_id for m in (*plan.mentions, *plan.yes)} | {plan.idea.message.user_id}
    if len(people) < 2:
        return False
    if plan.due is not None and (plan.day is not None or not plan.idea.needed):
        return True
    return len(plan.mentions) >= RETURNS or len({m.user_id for m in plan.yes}) >= RETURNS - 1


def _suggestion(plan: _PlannedIdea) -> Suggestion:
    idea = plan.idea
    later = [m for m in plan.mentions if m.sent_at > idea.message.sent_at]
    quotes = dict.fromkeys([(idea.message.message_id, idea.quote)])
    if plan.day is not None:
        quotes[plan.day.message.message_id, plan.day.quote] = None
    quotes |= dict.fromkeys((m.message_id, quote_about(m, idea.terms, idea.phrase)) for m in later[-2:])
    return Suggestion(Section.ONGOING, idea.text, tuple(quotes), plan.due)


def _suggest_again(item: Item, talk: _Talk) -> Suggestion | None:
    """A known item that was mentioned since, with the day that was said for it last."""
    said = fold(item.text)
    terms = telling_terms(tokens(said))
    idea = Idea(item.text, item.due, talk.messages[0], "", terms, said, asked=False) if talk.messages else None
    if idea is None or not (terms or " " in said) or gist(item.section, said).denied:
        return None
    since = [m for m in talk.messages if m.sent_at > item.mentioned_at]
    later = [m for m in since if item.due in talk.named[m.message_id] or talk.tells(m, idea)]
    if not later:
        return None
    days = [day for day in talk.days if day.message in later and idea.is_told_in(day.text, day.terms)]
    quotes = dict.fromkeys((m.message_id, quote_about(m, terms, said)) for m in later[-2:])
    quotes |= dict.fromkeys((day.message.message_id, day.quote) for day in days[-1:])
    return Suggestion(Section.ONGOING, item.text, tuple(quotes), days[-1].day if days else None, item.id)


def quote_about(message: Message, terms: frozenset[str], phrase: str = "") -> str:
    """The first sentence of a message with one of the terms, or with the phrase."""
    said = sentences(message.text)
    about = (s.quote for s in said if terms & telling_terms(tokens(s.text)) or (phrase and phrase in fold(s.text)))
    return next(about, message.text)


NAMED_WITHIN = 12
"""Messages before a chosen name among which the question is looked for."""

_SAYS = expressions(__package__, "plans")


def rename_item(item: Item, messages: Sequence[Message]) -> Suggestion | None:
    """The item with the name that was chosen for it last, or None.

    Args:
        messages: Earnest ones in the order of the talk.
    """
    found = None
    for place, message in enumerate(messages):
        for sentence in sentences(message.text):
            match = None if sentence.question else _SAYS["chosen"].match(sentence.text)
            chosen = "" if match is None else match["name"] or match["uk"]
            asked = _find_naming_question(item, messages[max(0, place - NAMED_WITHIN) : place]) if chosen else None
            if asked is not None and fold(chosen) not in fold(item.text):
                text = cut_between_words(f"{item.text.partition(' (')[0]} ({chosen})", MOST_TEXT)
                quotes = (asked.message_id, asked.text), (message.message_id, sentence.quote)
                found = Suggestion(Section.ONGOING, text, quotes, same_as=item.id)
    return found


def _find_naming_question(item: Item, before: Sequence[Message]) -> Message | None:
    """Return who asked, shortly before, what the item is to be called."""
    terms, said = telling_terms(tokens(item.text)), fold(item.text)
    for message in reversed(before):
        if _SAYS["asks_name"].search(message.text):
            about = terms & telling_terms(tokens(message.text)) or said in fold(message.text)
            return message if about else None
    return None
