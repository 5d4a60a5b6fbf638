"""The provenance of an answer: the memories that the model was given, as they were then.

Only what reached the model counts: what the budget cut from the context, or from the result of a tool, is not here. It
is kept beside the answer (`documents.answer_path`) and not changed by what becomes of the facts; of the talk right
before the question only ids are kept. By it forgetting finds what the bot said with a member's words or facts in view,
in whatever words (`forgetting.retelling`), and what is shown of it leaves out who opted out since.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any

from shared.application.answering.answer_codec import MAX_TEXT, FactGiven, Given, How, MessageGiven, given_fields
from shared.application.answering.conversing import Conversed
from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import Gathered
from shared.application.answering.tool_use import ToolUse
from shared.application.spending.asking import OFFLINE
from shared.domain.answering.context.attribution import attribution_scores
from shared.domain.answering.context.cleaning import cited_ids
from shared.domain.answering.context.material import Context, Material
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact, people_in

MOST_BYTES = 60_000
"""Rough size of one answer's provenance: what was leant on least is left out first."""

MAX_QUOTE = 300
"""Characters kept of a quote: what it begins with is still verbatim."""

_MAX_DESCRIPTION, _MAX_NAME = 500, 64

_CITED = 1_000.0
"""Above every sum of weights of words."""

Seen = tuple[Message, How]


# --- what was given -----------------------------------------------------------------------------


def model_provenance(
    question: UserQuestion, material: Material, context: Context, conversed: Conversed, *, at: datetime
) -> Given:
    """Return what a model's answer was made from: the context as it was put together, and what tools returned."""
    uses = conversed.log
    known = {fact.id: fact for fact in chain(material.chat.facts, material.asker, material.named)}
    file = material.context_file if context.has_context_file else None
    also = (file.people if file is not None else frozenset()) | (
        material.portrait_of if context.has_portrait else frozenset()
    )
    facts = {each: known[each] for each in context.facts} | {fact.id: fact for use in uses for fact in use.facts}
    notes = context.notes | {note.key for use in uses for note in use.notes}
    return _order_given(
        question,
        conversed.reply.text,
        tuple(facts.values()),
        tuple(_messages_seen(question, material, context, uses)),
        made_at=at,
        model=conversed.reply.model,
        notes=tuple(sorted(notes)),
        also=also,
        revision=None if file is None else file.revision,
        portrait=context.has_portrait,
        tools=tuple((use.name, use.ending) for use in uses),
        pages=tuple(dict.fromkeys(page for use in uses for page in use.pages)),
    )


def offline_provenance(question: UserQuestion, gathered: Gathered, answer: str, *, at: datetime) -> Given:
    """Return what an answer without a model was made from: the quotes that it could choose among."""
    material = gathered.material
    facts = tuple(fact for fact in chain(material.chat.facts, material.asker, material.named) if fact.evidence)
    found: list[Seen] = [(message, "found") for message in gathered.hits if message.text]
    hits = {message.message_id for message, _ in found}
    talk = [m for m in reversed(material.talk) if m.text and not m.is_bot and m.message_id not in hits]
    seen: tuple[Seen, ...] = (*found, *((message, "talk") for message in talk))
    return _order_given(question, answer, facts, seen, made_at=at, model=OFFLINE)


def _messages_seen(
    question: UserQuestion, material: Material, context: Context, uses: Sequence[ToolUse]
) -> Iterator[Seen]:
    """Every message that the model has seen but the question, once: found ones first, as ranked, then the talk."""
    asking, seen = question.message, {question.message.message_id}
    found = chain.from_iterable((hit.message, *hit.around) for hit in material.found)
    shown: list[Seen] = [(message, "found") for message in found if message.message_id in context.found]
    shown += [(message, "tool") for use in uses for message in use.messages]
    shown += [(message, "talk") for message in reversed(material.talk) if message.message_id in context.messages]
    for message, how in shown:
        if message.message_id not in seen:
            seen.add(message.message_id)
            yield message, "reply" if message.message_id == asking.reply_to else how


def _order_given(
    question: UserQuestion,
    answer: str,
    facts: Sequence[ProfileFact],
    seen: Sequence[Seen],
    *,
    also: frozenset[int] = frozenset(),
    **more: Any,
) -> Given:
    """Put in order what the answer leans on: what it cites, then what it repeats; the bot's own words bear nothing.
    What has no quotes here holds words or facts of some `also`."""
    told = [fact.description for fact in facts] + ["" if m.is_bot else m.text or m.media_text for m, _ in seen]
    cited, scores = cited_ids(answer), attribution_scores(answer, question.text, told)
    about = [
        (score + _CITED * any(quote.message_id in cited for quote in fact.evidence), fact)
        for score, fact in zip(scores[: len(facts)], facts, strict=True)
    ]
    said = [
        (score + _CITED * (message.message_id in cited and not message.is_bot), message, how)
        for score, (message, how) in zip(scores[len(facts) :], seen, strict=True)
    ]
    asking = question.message
    given = Given(
        question=(asking.message_id, asking.user_id, asking.sent_at),
        facts=tuple(_fact(fact, leans=score > 0) for score, fact in _sort_best_first(about)),
        messages=tuple(_message(m, how, leans=score > 0) for score, m, how in _sort_best_first(said)),
        people=tuple(sorted({asking.user_id} | people_in(facts) | {message.user_id for message, _ in seen} | also)),
        **more,
    )
    return _bound_given(given)


def _sort_best_first(scored: Iterable[Any]) -> list[Any]:
    return sorted(scored, key=lambda each: -each[0])


def _fact(fact: ProfileFact, *, leans: bool) -> FactGiven:
    quotes = tuple(said._replace(name=said.name[:_MAX_NAME], quote=said.quote[:MAX_QUOTE]) for said in fact.evidence)
    value, description = fact.value[:_MAX_DESCRIPTION], fact.description[:_MAX_DESCRIPTION]
    return FactGiven(fact.id, fact.subject, fact.category, value, description, fact.confidence, quotes, leans)


def _message(message: Message, how: How, *, leans: bool) -> MessageGiven:
    if how == "talk":
        return MessageGiven(message.message_id, how, message.user_id, sent_at=message.sent_at, leans=leans)
    text = (message.text or message.media_text)[:MAX_TEXT]
    name = message.name[:_MAX_NAME]
    return MessageGiven(message.message_id, how, message.user_id, name, message.sent_at, text, leans)


def _bound_given(given: Given) -> Given:
    """Leave out the last memories, those that take most room first, until the rest is small enough.

    Bytes are counted of it as Python prints it: about what it takes in any store.
    """
    while (size := len(str(given_fields(given)).encode("utf-8", "surrogatepass"))) > MOST_BYTES:
        name = max(("facts", "messages", "pages"), key=lambda each: len(str(getattr(given, each))))
        kept = getattr(given, name)
        many = max(1, len(kept) * (size - MOST_BYTES) // (2 * size))
        given = replace(given, **{name: kept[:-many]}, left_out=given.left_out + many)
    return given


# --- as stored ----------------------------------------------------------------------------------


def without_members(given: Given, silenced: Collection[int]) -> Given:
    """Return what may be shown when these members opted out since: nothing about them, and none of their words. A fact
    that nobody else is shown to have said goes with its quotes."""
    if not silenced:
        return given
    hidden = {f"user:{user_id}" for user_id in silenced}
    still_shown = [
        replace(fact, quotes=tuple(quote for quote in fact.quotes if quote.user_id not in silenced))
        for fact in given.facts
        if fact.subject not in hidden
    ]
    messages = tuple(message for message in given.messages if message.user_id not in silenced)
    people = tuple(user_id for user_id in given.people if user_id not in silenced)
    return replace(given, facts=tuple(fact for fact in still_shown if fact.quotes), messages=messages, people=people)
