"""Buttons under a fact: yes, no, drop it. A press is one member's vote; an admin, or whom it is about, may drop it."""

from __future__ import annotations

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.authority import is_admin
from shared.application.commands.call import ButtonPress, Pressed
from shared.application.commands.facts.card import render_card
from shared.application.commands.facts.listing import means_fact
from shared.application.commands.replies import notice
from shared.application.delivery.wording import Rows, button, column, text
from shared.application.facts.moderation import current_fact, drop_fact, no_voice, vote
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import plain
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.group_question import mark_of, support, wording_of
from shared.domain.facts.slot import is_voted_out
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.text.language import Language
from shared.locales import say

STANDS = (Status.ACTIVE, Status.PENDING)
"""What can be voted on, corrected and dropped: the rest is believed no more, but votes may bring back
what votes have closed."""


async def vote_for(app: App, press: ButtonPress) -> Pressed:
    """Count the vote of who presses for the fact or rival, and show its card."""
    return await _vote(app, press, supports=True)


async def vote_against(app: App, press: ButtonPress) -> Pressed:
    """Count it against the fact or rival: enough of them close it."""
    return await _vote(app, press, supports=False)


async def press_drop(app: App, press: ButtonPress) -> Pressed:
    """Ask who may drop it alone whether they mean it; of anybody else it is a vote against it."""
    fact = await meant_fact(app.store, app.policy, press.state, long_id(press.args[0]))
    if fact is None or fact.status not in STANDS:
        return await _reply_gone(app.store, app.policy, press, fact)
    question = await drop_question(app, press.state, fact, press.user_id, press.language)
    return Pressed(shows=question) if question is not None else await _vote(app, press, supports=False)


async def drop_by_admin(app: App, press: ButtonPress) -> Pressed:
    """Drop it: the admin has been asked."""
    return await _drop(app, press, cause="dropped by an admin")


async def drop_own(app: App, press: ButtonPress) -> Pressed:
    """Drop what is known of who presses: they have been asked."""
    fact = await meant_fact(app.store, app.policy, press.state, long_id(press.args[0]))
    if fact is not None and fact.subject != f"user:{press.user_id}":
        return notice(press.language, "no_voice_anothers")
    return await _drop(app, press, cause="dropped by whom it was about")


async def meant_fact(store: DocumentStore, policy: Policy, state: ChatState, fact_id: str) -> Fact | None:
    """The fact or rival that an id means now, whatever became of it; None when there is none."""
    return await current_fact(store, policy, state.chat_id, fact_id)


async def cast_vote(
    app: App, state: ChatState, fact_id: str, user_id: int, *, supports: bool, language: Language
) -> tuple[str, Fact | None]:
    """Count a member's vote.

    Returns:
        What to tell them, as plain text, and the fact as it is then: None when the vote does not count.
    """
    fact = await meant_fact(app.store, app.policy, state, fact_id)
    if fact is None or not (fact.status in STANDS or is_voted_out(fact)):
        return plain(say(language, "fix_gone")), None
    refused = no_voice(app.policy, state, fact, user_id)
    if refused is not None:
        return plain(say(language, f"no_voice_{refused}")), None
    await vote(app, state.chat_id, fact.id, user_id, supports=supports)
    now = await meant_fact(app.store, app.policy, state, fact.id) or fact
    return plain(_render_count(app.policy, now, supports, language)), now


async def drop_question(
    app: App, state: ChatState, fact: Fact, user_id: int, language: Language
) -> OutgoingText | None:
    """Return what to ask somebody who wants a fact dropped and may do so alone; None for anybody else.

    Raises:
        ChatUnavailable: Telegram is out of reach, and nothing is known that would do.
    """
    own = fact.subject == f"user:{user_id}"
    if not own and not await is_admin(app, state, user_id):
        return None
    card = await render_card(app.store, app.policy, state, fact.id, language, user_id)
    key = "drop_question_own" if own else "drop_question_admin"
    return with_line(
        card, say(language, key), _drop_buttons(app.policy, state, fact, user_id, language, own=own), last=True
    )


def with_line(card: OutgoingText, markup: str, rows: Rows | None = None, *, last: bool = False) -> OutgoingText:
    """A card with a line over it, or under it, and other buttons where `rows` says so."""
    lines = (card.html, markup) if last else (markup, card.html)
    return text("\n\n".join(lines), card.buttons if rows is None else rows, people=card.people)


def _drop_buttons(policy: Policy, state: ChatState, fact: Fact, user_id: int, language: Language, *, own: bool) -> Rows:
    def seal_button(key: str, action: str, owner: int | None) -> Button:
        return button(policy, state.chat_id, plain(say(language, key)), action, short_id(fact.id), owner=owner)

    # An anonymous admin presses as themselves, not as the chat that they speak as.
    whose = user_id if user_id > 0 else None
    action, label = "dro" if own else "dra", plain(say(language, "drop_yes"))
    rows = [button(policy, state.chat_id, label, action, short_id(fact.id), mark_of(fact), owner=whose)]
    if not own and no_voice(policy, state, fact, user_id) is None:
        label, args = plain(say(language, "drop_vote")), (short_id(fact.id), wording_of(fact))
        rows.append(button(policy, state.chat_id, label, "no", *args, owner=whose))
    return column([*rows, seal_button("drop_no", "card", None)])


async def _vote(app: App, press: ButtonPress, *, supports: bool) -> Pressed:
    fact_id, *shown = long_id(press.args[0]), *press.args[1:]
    now = await meant_fact(app.store, app.policy, press.state, fact_id) if shown else None
    if now is not None and shown != [wording_of(now)]:
        return await _shown_anew(app, press, now)
    told, fact = await cast_vote(app, press.state, fact_id, press.user_id, supports=supports, language=press.language)
    if fact is None:
        return Pressed(told[:200])
    return Pressed(
        told[:200], await render_card(app.store, app.policy, press.state, fact.id, press.language, press.user_id)
    )


async def _shown_anew(app: App, press: ButtonPress, fact: Fact) -> Pressed:
    """Count nothing: they voted on other words than the fact has now, which they are shown."""
    card = await render_card(app.store, app.policy, press.state, fact.id, press.language, press.user_id)
    await means_fact(app.store, app.clock, press.state.chat_id, press.message_id, fact.id, card)
    return Pressed(notice(press.language, "vote_changed").notice, card)


async def _drop(app: App, press: ButtonPress, *, cause: str) -> Pressed:
    """Drop what was asked about: if the slot holds another value by now, they are shown that instead."""
    (fact_id, *marked), state = press.args, press.state
    fact = await meant_fact(app.store, app.policy, state, long_id(fact_id))
    if fact is None:
        return await _reply_gone(app.store, app.policy, press, fact)
    is_meant = not marked or marked == [mark_of(fact)]
    if is_meant:
        await drop_fact(app, state.chat_id, fact.id, user_id=press.user_id, cause=cause)
    card = await render_card(app.store, app.policy, state, fact.id, press.language, press.user_id)
    return Pressed(notice(press.language, "drop_done" if is_meant else "drop_changed").notice, card)


async def _reply_gone(store: DocumentStore, policy: Policy, press: ButtonPress, fact: Fact | None) -> Pressed:
    gone = notice(press.language, "fix_gone")
    if fact is None:
        return gone
    return Pressed(gone.notice, await render_card(store, policy, press.state, fact.id, press.language, press.user_id))


def _render_count(policy: Policy, fact: Fact, supports: bool, language: Language) -> str:
    """Return what a vote came to."""
    if supports:
        return say(language, "vote_for")
    if fact.status not in STANDS:
        return say(language, "vote_dropped")
    if fact.subject != "chat":
        return say(language, "vote_against_own")
    if fact.authority is Authority.ADMIN:
        return say(language, "vote_against_admin")
    missing = support(fact).missing(policy.consensus)
    return say(language, "vote_against", missing=str(missing))
