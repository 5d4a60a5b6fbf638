"""Words an answer's provenance: each line is Telegram HTML of its own, and every word of a member is escaped."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from shared.application.answering.answer_codec import FactGiven, Given, MessageGiven
from shared.application.commands.call import Scene
from shared.application.delivery.wording import quotable
from shared.application.spending.asking import OFFLINE
from shared.domain.delivery.markup import escape
from shared.domain.facts.fact import Fact
from shared.domain.facts.slot import BeliefStep, explain
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line

STEPS = 5
"""Quotes told one by one in the arithmetic; further ones are counted."""

_BESIDES = 10
"""Facts, and messages, told in a line each that the answer does not lean on; further ones are counted."""

_MAX_NAME, _MAX_TEXT, _MAX_SHORT, _MAX_TITLE = 40, 200, 80, 80


class FactSeen(NamedTuple):
    """A fact that an answer was given, and the fact that is believed now in its place, or None.

    Attributes:
        card: Id of the fact that is stored in its place, believed or not, or None.
        at_length: Whether its quotes and its arithmetic are told.
        steps: Of its confidence then; none where that is not known any more.
    """

    then: FactGiven
    now: Fact | None
    card: str | None = None
    at_length: bool = False
    steps: Sequence[BeliefStep] = ()

    def all_steps(self) -> list[BeliefStep]:
        """Return the steps of its confidence then and now, as far as they are told."""
        return [*self.steps, *(explain(self.now) if self.at_length and self.now is not None else [])]


class TalkSeen(NamedTuple):
    """A message as it is told."""

    message_id: int
    user_id: int | None
    name: str
    sent_at: datetime
    text: str


class Teller(NamedTuple):
    """Writes the lines of a provenance for one scene, with the members' names."""

    here: Scene
    names: Mapping[int, str]

    def say(self, key: str, **values: str) -> str:
        """A text of the locales."""
        return self.here.say(key, **values)

    def number(self, belief: float) -> str:
        """Two digits, with the language's own decimal mark."""
        told = f"{belief:.2f}"
        return told.replace(".", ",") if self.here.language == "uk" else told

    def say_count(self, key: str, count: int, **values: str) -> str:
        """A text that differs by a number: `<key>_one`, `<key>_few`, `<key>_many`."""
        return self.say(f"{key}_{_form(self.here.language, count)}", count=str(count), **values)

    def link_day(self, at: datetime, message_id: int) -> str:
        """A day, as a link to the message where Telegram has one."""
        day, link = self.here.day(at), self.here.link(message_id)
        return f'<a href="{escape(link)}">{day}</a>' if link else day

    def quote(self, text: str, limit: int) -> str:
        """Words of a member in quotation marks."""
        return self.say("why_quote", text=quotable(self.here.language, one_line(text, limit)))

    def name(self, user_id: int | None, name: str = "") -> str:
        """Return what somebody is called."""
        return escape(one_line(self.names.get(user_id or 0) or name, _MAX_NAME)) or self.say("why_somebody")


def _form(language: Language, count: int) -> str:
    if language == "en":
        return "one" if count == 1 else "many"
    return "many" if 11 <= count % 100 <= 14 else {1: "one", 2: "few", 3: "few", 4: "few"}.get(count % 10, "many")


def why_lines(
    teller: Teller, given: Given, facts: Sequence[FactSeen], talk: Sequence[TalkSeen], *, first: int = 1
) -> Iterator[str]:
    """Everything that an answer was made from, what it leans on first; its facts are numbered from `first`."""
    quoted = {quote.message_id for fact in facts if fact.at_length for quote in fact.then.quotes}
    used = [*_talk_with_words(m for m in given.messages if m.leans), *talk]
    said = [message for message in used if message.message_id not in quoted]
    numbered = list(enumerate(facts, start=first))
    at = f"{given.made_at.astimezone(teller.here.zone):%d.%m.%Y %H:%M}"
    yield teller.say("why_title")
    yield teller.say("why_made_offline" if given.model == OFFLINE else "why_made", model=given.model, at=at)
    if lead := _lead(facts, used, given):
        yield f"\n<b>{teller.say(lead)}</b>"
    for number, fact in numbered:
        if fact.at_length:
            yield _fact(teller, number, fact)
    for message in said:
        yield f"• {_message(teller, message, _MAX_TEXT)}"
    besides = [*_facts_besides(teller, numbered), *_messages_besides(teller, given, quoted)]
    yield from ["", f"<b>{teller.say('why_also')}</b>", *besides] if besides else []
    yield from _why_rest(teller, given)
    if any(fact.card is not None for fact in facts):
        yield f"\n{teller.say('why_cards')}"


def _talk_with_words(messages: Iterable[MessageGiven]) -> list[TalkSeen]:
    """Those of which more than the id is kept."""
    return [
        TalkSeen(m.message_id, m.user_id, m.name, m.sent_at, m.text)
        for m in messages
        if m.how != "talk" and m.sent_at is not None
    ]


def _lead(facts: Sequence[FactSeen], used: Sequence[TalkSeen], given: Given) -> str | None:
    """The text that stands before what comes first, or None when there is nothing to come."""
    if used or any(fact.then.leans for fact in facts):
        return "why_leans"
    if facts:
        return "why_leans_on_nothing"
    return None if given.messages or given.notes or given.tools or given.revision is not None else "why_nothing"


# --- facts --------------------------------------------------------------------------------------


def _fact(teller: Teller, number: int, fact: FactSeen) -> str:
    """A fact with where it was learnt, how sure it was and is."""
    then = fact.then
    told = []
    for quote in then.quotes:
        who, when = teller.name(quote.user_id, quote.name), teller.link_day(quote.sent_at, quote.message_id)
        told.append(f"{teller.quote(quote.quote, _MAX_TEXT)} - {who}, {when}")
    sure = arithmetic(teller, fact.steps) if fact.steps else teller.number(then.confidence)
    told += [f"{teller.say('why_confidence')} {sure}", *_describe_now(teller, fact)]
    return "\n    ".join([f"{number}. <b>{escape(one_line(then.description, len(then.description)))}</b>", *told])


def _describe_now(teller: Teller, fact: FactSeen) -> list[str]:
    """Return what became of it since; nothing where it is the same."""
    then, now = fact.then, fact.now
    if now is None:
        return [f"{teller.say('why_now')} {teller.say('why_gone')}."]
    told = one_line(now.description, _MAX_TEXT)
    if told != one_line(then.description, _MAX_TEXT):
        return [f"{teller.say('why_now')} {teller.quote(told, _MAX_TEXT)} {teller.number(now.confidence)}"]
    if now.confidence != then.confidence:
        return [f"{teller.say('why_now')} {arithmetic(teller, explain(now))}"]
    return []


def arithmetic(teller: Teller, steps: Sequence[BeliefStep]) -> str:
    """Return how a confidence came about, on one line: `Оля 0,80 → +Марко 0,88 → 2 голоси 0,90 → 1 проти 0,72`."""
    quoted = [step for step in steps if step.user_id is not None]
    told: list[str] = []
    for step in quoted[:STEPS]:
        kind = {"again": "why_step_again", "inferred": "why_step_inferred"}.get(step.kind)
        how = f" {teller.say(kind)}" if kind else ""
        # The name is escaped already.
        told.append(f"{'+' if told else ''}{teller.name(step.user_id)}{how} {teller.number(step.belief)}")
    if len(quoted) > STEPS:
        more = len(quoted) - STEPS
        told.append(teller.say_count("why_step_quotes", more, belief=teller.number(quoted[-1].belief)))
    told += [
        teller.say_count(f"why_step_{step.kind}", step.count, belief=teller.number(step.belief))
        for step in steps
        if step.user_id is None
    ]
    return " → ".join(told)


# --- the rest -----------------------------------------------------------------------------------


def _message(teller: Teller, message: TalkSeen, limit: int) -> str:
    who, when = teller.name(message.user_id, message.name), teller.link_day(message.sent_at, message.message_id)
    return f"{who}, {when}: {teller.quote(message.text, limit)}"


def _facts_besides(teller: Teller, numbered: Sequence[tuple[int, FactSeen]]) -> Iterator[str]:
    rest = [(number, fact) for number, fact in numbered if not fact.at_length]
    for number, fact in rest[:_BESIDES]:
        told = escape(one_line(fact.then.description, _MAX_TEXT))
        gone = f", {teller.say('why_gone')}" if fact.now is None else ""
        yield f"{number}. {told} ({teller.number(fact.then.confidence)}{gone})"
    if len(rest) > _BESIDES:
        yield teller.say_count("why_more_facts", len(rest) - _BESIDES)


def _messages_besides(teller: Teller, given: Given, quoted: Collection[int]) -> Iterator[str]:
    rest = _talk_with_words(m for m in given.messages if not m.leans and m.message_id not in quoted)
    for message in rest[:_BESIDES]:
        yield f"• {_message(teller, message, _MAX_SHORT)}"
    if len(rest) > _BESIDES:
        yield teller.say_count("why_more_messages", len(rest) - _BESIDES)


def _why_rest(teller: Teller, given: Given) -> Iterator[str]:
    """Yield what is only counted or named."""
    talk = sum(message.how == "talk" and not message.leans for message in given.messages)
    parts = [teller.say_count("why_talk", talk)] if talk else []
    parts += [teller.say_count("why_notes", len(given.notes))] if given.notes else []
    parts += [teller.say("why_context_file", revision=str(given.revision))] if given.revision is not None else []
    parts += [teller.say("why_portrait")] if given.portrait else []
    parts += [teller.say_count("why_left_out", given.left_out)] if given.left_out else []
    if parts:
        yield f"\n{teller.say('why_besides')} {', '.join(parts)}."
    if given.tools:
        used = [escape(name if ending == "ok" else f"{name} ({ending})") for name, ending in given.tools]
        yield f"{teller.say('why_tools')} {', '.join(used)}."
    for page in given.pages:
        yield f'• <a href="{escape(page.url)}">{escape(one_line(page.title, _MAX_TITLE) or page.url[:_MAX_TITLE])}</a>'
