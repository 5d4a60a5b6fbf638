"""A question to the group under the eyes of the group: how it reads, its buttons, replies to it, and how it ends.

What a question is about is in its message's document (`asks`: the fact, and the mark of the values) and in its buttons.
It shows the votes as they are now, and once they are enough the outcome without buttons.
"""

import re
from functools import partial

from shared.application.app import App
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, Scene, answer, notice, refusal
from shared.application.conversation.consent_gate import may_retell
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import Answer
from shared.application.delivery.parcels import show_instead
from shared.application.delivery.wording import Rows, quotable, text
from shared.application.facts.moderation import current_fact, no_voice, settle_conflict, vote
from shared.application.ports.chat import OutgoingText
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
from shared.domain.text.language import detect_language
from shared.domain.text.plain import one_line

_DAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend"})
_DOES = frozenset({
    "recap", "movie_night", "games", "memes", "music", "sport", "meal", "photos", "call", "books", "trip", "quiet",
    "gifts", "meetup",
})  # fmt: skip
"""Weekly things of a group, as `patterns.terms` names them, that a sentence of ours is made from."""

_FIGURES = re.compile(r": \d+ %.*$| \([^)]*\)")
"""The endings of sentences by `statistics`: "…: 64 % of 50 messages", "… (UTC, over 8 days): …"."""

_SAID, _LABEL = 240, 34
"""Characters of somebody's words in the question and on a button."""


async def _vote(
    app: App, press: ButtonPress, *, key: str, supports: bool = True, for_rival: bool | None = None
) -> Pressed:
    """Count a vote, of two values for one (the one that waits: `for_rival`), and end the conflict once the group
    decided for the one that holds."""
    fact_id, mark, is_conflict = long_id(press.args[0]), press.args[1], for_rival is not None
    read = partial(current_fact, app.store, app.policy, press.state.chat_id, fact_id)
    fact = await read()
    if fact is not None and outcome_of(fact, mark, is_conflict=is_conflict) is VoteOutcome.OPEN:
        if refused := no_voice(app.policy, press.state, fact, press.user_id):
            return notice(press.language, f"no_voice_{refused}")
        chosen = (rival_asked_about(fact, mark) if for_rival else None) or fact
        await vote(app, press.state.chat_id, chosen.id, press.user_id, supports=supports)
        fact = await read()
        rival = rival_asked_about(fact, mark) if is_conflict and fact is not None else None
        if fact is not None and rival is not None and is_upheld(fact, rival):
            by, user_id = Authority.CONSENSUS, press.user_id
            await settle_conflict(app, press.state.chat_id, rival.id, accept=False, user_id=user_id, authority=by)
            fact = await read()
    shows = render_question(press.scene(app.policy), fact, mark, is_conflict=is_conflict)
    is_over = not shows.buttons and fact is not None
    return Pressed("" if is_over else notice(press.language, key).notice, shows=shows)


agree, oppose = partial(_vote, key="question_voted_yes"), partial(_vote, key="question_voted_no", supports=False)
"""Vote yes, or no."""

agree_in_conflict = partial(_vote, key="question_voted_one", for_rival=False)
prefer_rival = partial(_vote, key="question_voted_other", for_rival=True)
"""Vote for the first of two values, which holds, or for the second, which waits."""


# --- how it reads -------------------------------------------------------------------------------


def render_question(here: Scene, fact: Fact | None, mark: str, *, is_conflict: bool) -> OutgoingText:
    """A question as it stands now: with its buttons while it is open, else with what came of it.

    Args:
        fact: The fact that it is about, or None when that is gone.
        mark: Which values it is about (`group_question.mark_of`).
        is_conflict: Whether it is about two values.
    """
    if fact is None or not may_retell(here.state, (quote.user_id for quote in fact.evidence)):
        return here.text("question_over")
    outcome = outcome_of(fact, mark, is_conflict=is_conflict)
    if outcome is not VoteOutcome.OPEN:
        return text(_outcome_text(here, fact, mark, outcome), people=people_in([fact]))
    question = GroupQuestion(fact, rival_asked_about(fact, mark) if is_conflict else None)
    asked = _question_text(here, question) + _votes(here, question)
    return text(asked, _rows(here, question), people=people_in(filter(None, question)))


def _question_text(here: Scene, question: GroupQuestion) -> str:
    fact, rival = question
    if rival is not None:
        return here.say("question_conflict", one=_words(here, fact), other=_words(here, rival))
    period, _, activity = fact.key.partition("_")
    if period == "weekly" and activity in _DOES and fact.value in _DAYS:
        return here.say("question_day", day=here.say(f"day_{fact.value}"), does=here.say(f"does_{activity}"))
    told = _strip_figures(fact)
    if fact.authority is Authority.STATISTICS and told and detect_language(told) == here.language:
        return here.say("question_plain", said=told[0].lower() + told[1:])
    return here.say(f"question_{fact.category}", said=_words(here, fact))


def _strip_figures(fact: Fact) -> str:
    """Return what a count shows, without its figures, which nobody could answer for."""
    told = _FIGURES.sub("", fact.description).rstrip(".")
    return told.rpartition(", ")[0] or told


def _words(here: Scene, fact: Fact, limit: int = _SAID) -> str:
    """Return what a fact says, without the name of its category before it, fit to be quoted."""
    from shared.domain.reading.matching.rows import label  # with it come lemmas: only a question pays for them

    words = _strip_figures(fact) if fact.authority is Authority.STATISTICS else fact.description
    for spoken in ("uk", "en"):
        words = words.removeprefix(label(fact.category, spoken, "").removesuffix("."))
    return one_line(quotable(here.language, words.rstrip(".")), limit)


def _votes(here: Scene, question: GroupQuestion) -> str:
    """The tally once somebody has voted."""
    fact, rival = question
    if rival is not None:
        held, waiting = votes_between(fact, rival)
        counted = {"one": str(len(held)), "other": str(len(waiting))}
        return f"\n\n{here.say('question_tally_conflict', **counted)}" if held or waiting else ""
    return f"\n\n{here.say('question_tally', **_tally(fact))}" if fact.voices else ""


def _tally(fact: Fact) -> dict[str, str]:
    votes = support(fact)
    return {"yes": str(len(votes.supporters)), "no": str(len(votes.objectors))}


def _outcome_text(here: Scene, fact: Fact, mark: str, outcome: VoteOutcome) -> str:
    asked = f"{_question_text(here, GroupQuestion(fact))}\n\n" if GroupQuestion(fact).mark == mark else ""
    match outcome:
        case VoteOutcome.AGREED:
            return asked + here.say("question_agreed", **_tally(fact))
        case VoteOutcome.CHANGED:
            return here.say("question_changed", said=_words(here, fact))
        case VoteOutcome.DECIDED:
            return here.say("question_decided", said=_words(here, fact))
        case _:
            return asked + here.say("question_dropped")


def _rows(here: Scene, question: GroupQuestion) -> Rows:
    fact, rival = question
    ids = short_id(fact.id), question.mark
    fix = (here.option("question_fix", "fix", ids[0]),)
    if rival is None:
        return ((here.option("question_yes", "ay", *ids), here.option("question_no", "an", *ids)), fix)
    one = here.button(f"1. {_words(here, fact, _LABEL)}", "ah", *ids)
    return ((one,), (here.button(f"2. {_words(here, rival, _LABEL)}", "ar", *ids),), fix)


# --- replies ------------------------------------------------------------------------------------


async def reply_to_question(app: App, call: CommandCall, asks: ReplyContext) -> Answer | None:
    """A reply that says yes or no is a vote, and one that says no and how it really is a correction; anything else is
    talk."""
    from shared.application.commands.facts.fix import correct_objecting
    from shared.domain.reading.patterns.consensus import Reaction, reaction_of

    corrected = None if asks.is_conflict else await correct_objecting(app, call, asks.fact)
    if corrected is not None:
        await _update_question(app, call, asks)
        return corrected
    reaction = reaction_of(call.args)
    if asks.is_conflict or call.user_id < 0 or reaction not in (Reaction.SUPPORT, Reaction.OBJECTION):
        return None
    fact = await current_fact(app.store, app.policy, call.state.chat_id, asks.fact)
    if fact is None or outcome_of(fact, asks.about, is_conflict=False) is not VoteOutcome.OPEN:
        return answer(call, "question_over")
    if refused := no_voice(app.policy, call.state, fact, call.user_id):
        return answer(call, f"no_voice_{refused}")
    if outside := await refusal(app, call.state, call.user_id, "members"):
        return answer(call, outside)
    await vote(app, call.state.chat_id, fact.id, call.user_id, supports=reaction is Reaction.SUPPORT)
    fact = await _update_question(app, call, asks)
    return answer(call, "question_over") if fact is None else answer(call, "question_heard", (), **_tally(fact))


async def _update_question(app: App, call: CommandCall, asks: ReplyContext) -> Fact | None:
    """Show what a reply did to a question; the fact that it is about, as it is now."""
    fact = await current_fact(app.store, app.policy, call.state.chat_id, asks.fact)
    shows = render_question(call.scene(app.policy), fact, asks.about, is_conflict=asks.is_conflict)
    await show_instead(app.gateway, call.state.chat_id, call.message.reply_to or 0, shows)
    return fact


def is_open(fact: Fact, asks: ReplyContext) -> bool:
    """Return whether a message about a fact still takes votes: a card always does, a question until it is settled."""
    if asks.action != "question":
        return True
    return outcome_of(fact, asks.about, is_conflict=asks.is_conflict) is VoteOutcome.OPEN
