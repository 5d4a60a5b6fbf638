"""A question to the group under the eyes of the group: how it reads, its buttons, replies to it, and how it ends.

What a question is about is in its message's document (`asks`: the fact, and the mark of the values) and in its buttons.
It shows the votes as they are now, and once they are enough the outcome without buttons.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.authority import refusal
from shared.application.commands.call import ButtonPress, CommandCall, Pressed
from shared.application.commands.facts.votes import meant_fact
from shared.application.commands.replies import notice
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import Rows, button, localized_text, quotable, text
from shared.application.facts.moderation import no_voice, settle_conflict, vote
from shared.application.policy import Policy
from shared.application.ports.chat import OutgoingText
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected, SendUncertain
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Fact
from shared.domain.facts.group_question import (
    GroupQuestion,
    VoteOutcome,
    is_upheld,
    outcome_of,
    rival_asked_about,
    support,
    votes_between,
)
from shared.domain.facts.profile import people_in
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.text.language import Language, detect_language
from shared.domain.text.plain import one_line
from shared.locales import say

if TYPE_CHECKING:
    from shared.application.ports.chat import ChatGateway


log = logging.getLogger(__name__)

_DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend"})
_DOES = frozenset({
    "recap", "movie_night", "games", "memes", "music", "sport", "meal", "photos", "call", "books", "trip", "quiet",
    "gifts", "meetup",
})  # fmt: skip
"""What a group does together every week, as `patterns.terms` names it: those that a sentence of ours is made from."""

_FIGURES = re.compile(r": \d+ %.*$| \([^)]*\)")
"""How `statistics` ends its sentences: "…: 64 % of 50 messages", "… (UTC, over 8 days): …"."""

_SAID, _LABEL = 240, 34
"""Characters of somebody's words in the question and on a button."""


async def agree(app: App, press: ButtonPress) -> Pressed:
    """Yes, or of two values the first."""
    return await _vote(app, press, supports=True)


async def oppose(app: App, press: ButtonPress) -> Pressed:
    """No."""
    return await _vote(app, press, supports=False)


async def agree_in_conflict(app: App, press: ButtonPress) -> Pressed:
    """Vote for the first of two values, which holds."""
    return await _choose(app, press, for_rival=False)


async def prefer_rival(app: App, press: ButtonPress) -> Pressed:
    """Vote for the second of two values, which waits."""
    return await _choose(app, press, for_rival=True)


async def _vote(app: App, press: ButtonPress, *, supports: bool) -> Pressed:
    fact_id, mark = long_id(press.args[0]), press.args[1]
    fact = await meant_fact(app.store, app.policy, press.state, fact_id)
    if fact is not None and outcome_of(fact, mark, is_conflict=False) is VoteOutcome.OPEN:
        if refused := no_voice(app.policy, press.state, fact, press.user_id):
            return notice(press.language, f"no_voice_{refused}")
        await vote(app, press.state.chat_id, fact.id, press.user_id, supports=supports)
        fact = await meant_fact(app.store, app.policy, press.state, fact_id)
    key = "question_voted_yes" if supports else "question_voted_no"
    return _show_again(app.policy, press, fact, mark, key, is_conflict=False)


async def _choose(app: App, press: ButtonPress, *, for_rival: bool) -> Pressed:
    fact_id, mark = long_id(press.args[0]), press.args[1]
    fact = await meant_fact(app.store, app.policy, press.state, fact_id)
    rival = rival_asked_about(fact, mark) if fact is not None else None
    if fact is not None and rival is not None:
        if refused := no_voice(app.policy, press.state, fact, press.user_id):
            return notice(press.language, f"no_voice_{refused}")
        chosen = rival.id if for_rival else fact.id
        await vote(app, press.state.chat_id, chosen, press.user_id, supports=True)
        fact = await settle_question(app, press.state, fact_id, mark, press.user_id)
    key = "question_voted_other" if for_rival else "question_voted_one"
    return _show_again(app.policy, press, fact, mark, key, is_conflict=True)


async def settle_question(app: App, state: ChatState, fact_id: str, mark: str, user_id: int) -> Fact | None:
    """The fact as it is now, after ending a conflict that the group decided for the value that holds.

    Args:
        user_id: Whose vote it was that may have decided.
    """
    fact = await meant_fact(app.store, app.policy, state, fact_id)
    rival = rival_asked_about(fact, mark) if fact is not None else None
    if fact is None or rival is None or not is_upheld(fact, rival):
        return fact
    consensus = Authority.CONSENSUS
    await settle_conflict(app, state.chat_id, rival.id, accept=False, user_id=user_id, authority=consensus)
    return await meant_fact(app.store, app.policy, state, fact_id)


def _show_again(
    policy: Policy, press: ButtonPress, fact: Fact | None, mark: str, key: str, *, is_conflict: bool
) -> Pressed:
    shows = render_question(policy, press.state, fact, mark, press.language, is_conflict=is_conflict)
    is_over = not shows.buttons and fact is not None
    return Pressed("" if is_over else notice(press.language, key).notice, shows=shows)


# --- how it reads -------------------------------------------------------------------------------


def render_question(
    policy: Policy, state: ChatState, fact: Fact | None, mark: str, language: Language, *, is_conflict: bool
) -> OutgoingText:
    """A question as it stands now: with its buttons while it is open, else with what came of it.

    Args:
        fact: The fact that it is about, or None when that is gone.
        mark: Which values it is about (`group_question.mark_of`).
        is_conflict: Whether it is about two values.
    """
    if fact is None or any(quote.user_id in state.opted_out for quote in fact.evidence):
        return localized_text(language, "question_over")
    outcome = outcome_of(fact, mark, is_conflict=is_conflict)
    if outcome is not VoteOutcome.OPEN:
        return text(_ending(fact, mark, outcome, language), people=people_in([fact]))
    rival = rival_asked_about(fact, mark) if is_conflict else None
    question = GroupQuestion(fact, rival)
    people = people_in([fact] if rival is None else [fact, rival])
    asked = _question_text(question, language) + _votes(question, language)
    return text(asked, _rows(policy, state, question, language), people=people)


def _question_text(question: GroupQuestion, language: Language) -> str:
    fact, rival = question
    if rival is not None:
        return say(language, "question_conflict", one=_words(fact, language), other=_words(rival, language))
    period, _, activity = fact.key.partition("_")
    if period == "weekly" and activity in _DOES and fact.value in _DAYS:
        day, does = say(language, f"day_{fact.value}"), say(language, f"does_{activity}")
        return say(language, "question_day", day=day, does=does)
    told = _finding(fact)
    if fact.authority is Authority.STATISTICS and told and detect_language(told) == language:
        return say(language, "question_plain", said=told[0].lower() + told[1:])
    return say(language, f"question_{fact.category}", said=_words(fact, language))


def _finding(fact: Fact) -> str:
    """Return what a count shows, without its figures, which nobody could answer for."""
    told = _FIGURES.sub("", fact.description).rstrip(".")
    return told.rpartition(", ")[0] or told


def _words(fact: Fact, language: Language, limit: int = _SAID) -> str:
    """Return what a fact says, without the name of its category before it, fit to be quoted."""
    from shared.domain.reading.matching.rows import label  # with it come lemmas: only a question pays for them

    heads = [label(fact.category, each, "").removesuffix(".") for each in ("uk", "en")]
    words = _finding(fact) if fact.authority is Authority.STATISTICS else fact.description
    for head in heads:
        words = words.removeprefix(head)
    return one_line(quotable(language, words.rstrip(".")), limit)


def _votes(question: GroupQuestion, language: Language) -> str:
    """The tally once somebody has voted."""
    fact, rival = question
    if rival is not None:
        votes = votes_between(fact, rival)
        counted = {"one": str(len(votes.held)), "other": str(len(votes.rival))}
        return f"\n\n{say(language, 'question_tally_conflict', **counted)}" if votes.held or votes.rival else ""
    return f"\n\n{say(language, 'question_tally', **_tally(fact))}" if fact.voices else ""


def _tally(fact: Fact) -> dict[str, str]:
    votes = support(fact)
    return {"yes": str(len(votes.supporters)), "no": str(len(votes.objectors))}


def _ending(fact: Fact, mark: str, outcome: VoteOutcome, language: Language) -> str:
    asked = f"{_question_text(GroupQuestion(fact), language)}\n\n" if GroupQuestion(fact).mark == mark else ""
    match outcome:
        case VoteOutcome.AGREED:
            return asked + say(language, "question_agreed", **_tally(fact))
        case VoteOutcome.CHANGED:
            return say(language, "question_changed", said=_words(fact, language))
        case VoteOutcome.DECIDED:
            return say(language, "question_decided", said=_words(fact, language))
        case _:
            return asked + say(language, "question_dropped")


def _rows(policy: Policy, state: ChatState, question: GroupQuestion, language: Language) -> Rows:
    fact, rival = question
    ids, chat_id = (short_id(fact.id), question.mark), state.chat_id
    fix = (button(policy, chat_id, say(language, "question_fix"), "fix", ids[0]),)
    if rival is None:
        yes = button(policy, chat_id, say(language, "question_yes"), "ay", *ids)
        no = button(policy, chat_id, say(language, "question_no"), "an", *ids)
        return ((yes, no), fix)
    one = button(policy, chat_id, f"1. {_words(fact, language, _LABEL)}", "ah", *ids)
    other = button(policy, chat_id, f"2. {_words(rival, language, _LABEL)}", "ar", *ids)
    return ((one,), (other,), fix)


# --- replies ------------------------------------------------------------------------------------


async def reply_to_question(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply that says yes or no is a vote, and one that says no and how it really is a correction; anything else is
    talk."""
    from shared.application.commands.facts.fix import correct_objecting
    from shared.domain.reading.patterns.consensus import Reaction, reaction_of

    corrected = None if asks.is_conflict else await correct_objecting(app, call, asks.fact)
    if corrected is not None:
        fact = await meant_fact(app.store, app.policy, call.state, asks.fact)
        await show_question(app.gateway, app.policy, call.state, call.message.reply_to or 0, fact, asks, call.language)
        return corrected
    reaction = reaction_of(call.args)
    if asks.is_conflict or call.user_id < 0 or reaction not in (Reaction.SUPPORT, Reaction.OBJECTION):
        return None
    fact = await meant_fact(app.store, app.policy, call.state, asks.fact)
    if fact is None or outcome_of(fact, asks.about, is_conflict=False) is not VoteOutcome.OPEN:
        return Answer.of(localized_text(call.language, "question_over"))
    if refused := no_voice(app.policy, call.state, fact, call.user_id):
        return Answer.of(localized_text(call.language, f"no_voice_{refused}"))
    if outside := await refusal(app, call.state, call.user_id, "members"):
        return Answer.of(localized_text(call.language, outside))
    await vote(app, call.state.chat_id, fact.id, call.user_id, supports=reaction is Reaction.SUPPORT)
    fact = await meant_fact(app.store, app.policy, call.state, asks.fact)
    await show_question(app.gateway, app.policy, call.state, call.message.reply_to or 0, fact, asks, call.language)
    if fact is None:
        return Answer.of(localized_text(call.language, "question_over"))
    return Answer.of(text(say(call.language, "question_heard", **_tally(fact))))


async def show_question(
    gateway: ChatGateway,
    policy: Policy,
    state: ChatState,
    message_id: int,
    fact: Fact | None,
    asks: ReplyContext,
    language: Language,
) -> None:
    """Bring a question's message up to date. Raises as `show_instead`."""
    shows = render_question(policy, state, fact, asks.about, language, is_conflict=asks.is_conflict)
    await show_instead(gateway, state, message_id, shows)


async def show_instead(gateway: ChatGateway, state: ChatState, message_id: int, shows: OutgoingText) -> None:
    """Let a message of the bot say something else; one that cannot be changed any more is left as it is.

    Raises:
        ChatUnavailable: Telegram is out of reach now.
    """
    try:
        await gateway.edit(state.chat_id, message_id, shows)
    except (ChatForbidden, ChatMigrated, MessageRejected, SendUncertain) as error:
        log.warning("a message could not be changed: %s", error)


def is_open(fact: Fact, asks: ReplyContext) -> bool:
    """Return whether a message about a fact still takes votes: a card always does, a question until it is settled."""
    if asks.action != "question":
        return True
    return outcome_of(fact, asks.about, is_conflict=asks.is_conflict) is VoteOutcome.OPEN
