"""Buttons under a fact: yes, no, drop it. A press is one member's vote; an admin, or whom it is about, may drop it."""

from functools import partial

from shared.application.app import App
from shared.application.commands.call import ButtonPress, Pressed, Scene, is_admin, notice
from shared.application.commands.facts.card import compose_card, note_shown_fact, with_line
from shared.application.delivery.wording import column
from shared.application.facts.moderation import current_fact, drop_fact, no_voice, vote
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.group_question import mark_of, support, wording_of
from shared.domain.facts.slot import is_voted_out
from shared.domain.intake.buttons import long_id, short_id

STANDS = (Status.ACTIVE, Status.PENDING)
"""Facts that can be voted on, corrected and dropped: the rest is believed no more, but votes may bring back
what votes have closed."""


async def press_drop(app: App, press: ButtonPress) -> Pressed:
    """Ask who may drop it alone whether they mean it; of anybody else it is a vote against it."""
    here = press.scene(app.policy)
    fact = await current_fact(app.store, app.policy, press.state.chat_id, long_id(press.args[0]))
    if fact is None or fact.status not in STANDS:
        return await _with_card(app.store, here, "fix_gone", fact)
    question = await drop_question(app, here, fact)
    return Pressed(shows=question) if question is not None else await _vote(app, press, supports=False)


async def drop_own(app: App, press: ButtonPress) -> Pressed:
    """Drop what is known of the member who presses: they have been asked."""
    fact = await current_fact(app.store, app.policy, press.state.chat_id, long_id(press.args[0]))
    if fact is not None and fact.subject != f"user:{press.user_id}":
        return notice(press.language, "no_voice_anothers")
    return await _drop(app, press, cause=Cause.DROPPED_BY_SUBJECT)


async def cast_vote(app: App, here: Scene, fact_id: str, *, supports: bool) -> tuple[str, Fact | None]:
    """Count a member's vote.

    Returns:
        What to tell them, as plain text, and the fact as it is then: None when the vote does not count.
    """
    fact = await current_fact(app.store, app.policy, here.state.chat_id, fact_id)
    if fact is None or not (fact.status in STANDS or is_voted_out(fact)):
        return here.word("fix_gone"), None
    refused = no_voice(app.policy, here.state, fact, here.viewer)
    if refused is not None:
        return here.word(f"no_voice_{refused}"), None
    await vote(app, here.state.chat_id, fact.id, here.viewer, supports=supports)
    now = await current_fact(app.store, app.policy, here.state.chat_id, fact.id) or fact
    return _render_count(here, now, supports), now


async def drop_question(app: App, here: Scene, fact: Fact) -> OutgoingText | None:
    """Return what to ask somebody who wants a fact dropped and may do so alone; None for anybody else.

    Raises:
        ChatUnavailable: Telegram is out of reach, and nothing is known that would do.
    """
    own, short = fact.subject == f"user:{here.viewer}", short_id(fact.id)
    if not own and not await is_admin(app, here.state, here.viewer):
        return None
    # An anonymous admin presses as themselves, not as the chat that they speak as.
    whose = here.viewer if here.viewer > 0 else None
    rows = [here.option("drop_yes", "dro" if own else "dra", short, mark_of(fact), owner=whose)]
    if not own and no_voice(app.policy, here.state, fact, here.viewer) is None:
        rows.append(here.option("drop_vote", "no", short, wording_of(fact), owner=whose))
    rows.append(here.option("drop_no", "card", short))
    asked = here.say("drop_question_own" if own else "drop_question_admin")
    return with_line(await compose_card(app.store, here, fact.id), asked, column(rows), last=True)


async def _vote(app: App, press: ButtonPress, *, supports: bool) -> Pressed:
    here, fact_id, shown = press.scene(app.policy), long_id(press.args[0]), list(press.args[1:])
    now = await current_fact(app.store, app.policy, press.state.chat_id, fact_id) if shown else None
    if now is not None and shown != [wording_of(now)]:  # they voted on other words: nothing counts, they see these
        pressed = await _with_card(app.store, here, "vote_changed", now)
        await note_shown_fact(app.store, app.clock, press, now.id, pressed.shows)
        return pressed
    told, fact = await cast_vote(app, here, fact_id, supports=supports)
    return Pressed(told[:200], None if fact is None else await compose_card(app.store, here, fact.id))


vote_for, vote_against = partial(_vote, supports=True), partial(_vote, supports=False)
"""Count the vote of who presses for the fact or rival, or against it, and show its card: enough against it close it."""


async def _drop(app: App, press: ButtonPress, *, cause: Cause) -> Pressed:
    """Drop what was asked about: if the slot holds another value by now, they are shown that instead."""
    (fact_id, *marked), here = press.args, press.scene(app.policy)
    fact = await current_fact(app.store, app.policy, press.state.chat_id, long_id(fact_id))
    if fact is None:
        return await _with_card(app.store, here, "fix_gone", fact)
    is_meant = not marked or marked == [mark_of(fact)]
    if is_meant:
        await drop_fact(app, press.state.chat_id, fact.id, user_id=press.user_id, cause=cause)
    return await _with_card(app.store, here, "drop_done" if is_meant else "drop_changed", fact)


drop_by_admin = partial(_drop, cause=Cause.DROPPED_BY_ADMIN)
"""Drop it: the admin has been asked."""


async def _with_card(store: DocumentStore, here: Scene, key: str, fact: Fact | None) -> Pressed:
    """A notice, and the card of what there is."""
    card = None if fact is None else await compose_card(store, here, fact.id)
    return Pressed(notice(here.language, key).notice, card, is_done=key == "drop_done")


def _render_count(here: Scene, fact: Fact, supports: bool) -> str:
    """Return what a vote came to, as plain text."""
    if supports:
        return here.word("vote_for")
    if fact.status not in STANDS:
        return here.word("vote_dropped")
    if fact.subject != "chat":
        return here.word("vote_against_own")
    if fact.authority is Authority.ADMIN:
        return here.word("vote_against_admin")
    return here.word("vote_against", missing=str(support(fact).missing(here.policy.consensus)))
