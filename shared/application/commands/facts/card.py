"""The card of a fact: what is believed, how surely, who says so, who says otherwise, and what can be done about it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.commands.call import ButtonPress, Pressed
from shared.application.commands.facts.listing import (
    ListingPage,
    confidence_bar,
    list_button,
    means_fact,
    quote_line,
    quote_link,
)
from shared.application.commands.facts.subjects import Subject, about_member, read_subject
from shared.application.delivery.wording import Rows, button, localized_text, text
from shared.application.documents import fact_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.moderation import current_id
from shared.application.facts.profiles import names_of
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import escape, plain
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.group_question import wording_of
from shared.domain.facts.profile import people_in, quotes_shown
from shared.domain.facts.slot import rivals
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line
from shared.locales import say

MOST_RIVALS = 2
"""Values that wait against a fact on its card."""

_DESCRIPTION, _QUOTE, _RIVAL = 600, 200, 200
"""Characters shown of each: all together stay under Telegram's limit also when each takes two UTF-16 units."""

_STATES = {Status.DEPRECATED: "card_dropped", Status.EXPIRED: "card_expired", Status.PENDING: "card_pending"}


async def open_card(app: App, press: ButtonPress) -> Pressed:
    """Show the card of a fact in place of the list."""
    fact_id, narrowed = long_id(press.args[0]), press.args[1:] == ("1",)
    chat_id = press.state.chat_id
    card = await render_card(
        app.store, app.policy, press.state, fact_id, press.language, press.user_id, narrowed=narrowed
    )
    await means_fact(app.store, app.clock, chat_id, press.message_id, fact_id, card)
    return Pressed(shows=card)


async def render_card(
    store: DocumentStore,
    policy: Policy,
    state: ChatState,
    fact_id: str,
    language: Language,
    viewer: int,
    *,
    narrowed: bool = False,
) -> OutgoingText:
    """The card of a fact or of a pending rival as it is now, whatever became of it.

    Of a member who hides what is known of them a group is shown none, not even when they ask; of what is about members
    who opted out, or only they are known to have said, nobody is.

    Args:
        viewer: User id of who wants to see it.
        narrowed: Whether the way back leads to the fact's category instead of to all.
    """
    fact = await read_fact(store, policy, state, fact_id)
    quotes = _quotes_of_readable(fact, state) if fact is not None else ()
    if fact is None or not quotes or fact.subject in map(about_member, state.opted_out):
        return localized_text(language, "card_gone", ((_list(policy, state, Subject("chat"), language),),))
    shown = quotes_shown(quotes)
    subject, against, names = await asyncio.gather(
        read_subject(store, state, fact.subject),
        _against(store, policy, state, fact),
        names_of(store, state.chat_id, shown),
    )
    if not subject.may_be_shown_in(state.chat_id):
        return localized_text(language, "card_hidden" if viewer == subject.member else "facts_hidden")
    zone = choices_for(policy, state).timezone
    lines = [
        f"<b>{escape(one_line(fact.description, _DESCRIPTION))}</b>",
        *_standing(fact, zone, language),
        "",
        say(language, "card_who"),
        *_quotes(state, shown, names, zone, language),
        *_voices(fact, language),
        *(say(language, "card_otherwise", said=one_line(each.description, _RIVAL)) for each in against),
    ]
    buttons = _buttons(policy, state, fact, against, language, narrowed=narrowed)
    return text("\n".join(lines), buttons, people=people_in([fact, *against]))


async def read_fact(store: DocumentStore, policy: Policy, state: ChatState, fact_id: str) -> Fact | None:
    """The fact or rival that an id means, also of one that was folded into another since; None when there is none.

    One that is believed no more comes with the quotes and voices that its value had.
    """
    document = await store.get(fact_path(state.chat_id, fact_id))
    if document is None:
        now = await current_id(store, state.chat_id, fact_id)
        document = await store.get(fact_path(state.chat_id, now)) if now is not None else None
    return None if document is None else _as_said(fact_from_fields(document.data, consensus=policy.consensus))


def _as_said(fact: Fact) -> Fact:
    dropped = next((claim for claim in fact.others if claim.value_key == fact.value_key), None)
    if fact.evidence or dropped is None:
        return fact
    return replace(fact, evidence=dropped.evidence, voices=dropped.voices)


def _quotes_of_readable(fact: Fact, state: ChatState) -> tuple[Evidence, ...]:
    """The quotes for its value, oldest first, but for those of members who opted out."""
    return tuple(quote for quote in fact.evidence if quote.user_id not in state.opted_out)


async def _against(store: DocumentStore, policy: Policy, state: ChatState, fact: Fact) -> list[Fact]:
    """The values that wait against a fact; of one that waits the fact that it contradicts."""
    if fact.conflicts_with is None:
        others = list(rivals(fact).values())
    else:
        held = await read_fact(store, policy, state, fact.conflicts_with) if fact.status is Status.PENDING else None
        others = [] if held is None else [held]
    return [other for other in others if _quotes_of_readable(other, state)][:MOST_RIVALS]


# --- what it says -------------------------------------------------------------------------------


def _standing(fact: Fact, zone: tzinfo, language: Language) -> Iterator[str]:
    """Category, confidence, since when, and whether it is believed, pinned, or waits."""
    category = say(language, f"category_{fact.category}")
    pinned = f" · {say(language, 'card_pinned')}" if fact.pinned_at is not None else ""
    yield f"{category} · {confidence_bar(fact.confidence)}{pinned}"
    if fact.status in _STATES:
        yield say(language, _STATES[fact.status])
    elif fact.valid_from is not None:
        yield say(language, "card_since", date=f"{fact.valid_from.astimezone(zone):%d.%m.%Y}")


def _quotes(
    state: ChatState, quotes: Sequence[Evidence], names: Mapping[int, str], zone: tzinfo, language: Language
) -> Iterator[str]:
    for quote in quotes:
        words, name = one_line(quote.quote, _QUOTE), names.get(quote.user_id, "")
        line = quote_line(words, name, quote.sent_at, zone, language)
        link = quote_link(state, quote.message_id)
        yield line if link is None else f'{line} <a href="{link}">→</a>'


def _voices(fact: Fact, language: Language) -> Iterator[str]:
    supporters, objectors = len(fact.supporters), len(fact.objectors)
    share = fact.participant_consensus
    if share is not None and (supporters or objectors):
        yield ""
        counted = {"supporters": str(supporters), "objectors": str(objectors), "share": f"{share:.0%}"}
        yield say(language, "card_voices", **counted)


# --- what can be done ---------------------------------------------------------------------------


def _buttons(
    policy: Policy, state: ChatState, fact: Fact, against: Sequence[Fact], language: Language, *, narrowed: bool
) -> Rows:
    make, short = partial(_button, policy, state, language), short_id(fact.id)
    back = make("card_back", "back", short, "1" if narrowed else "")
    words = wording_of(fact)  # a vote counts for what was shown
    votes = (make("card_yes", "yes", short, words), make("card_no", "no", short, words))
    edits = (make("card_fix", "fix", short), make("card_drop", "drop", short))
    others = tuple(make("card_other", "card", short_id(other.id)) for other in against[:1])
    if fact.status is Status.DEPRECATED:
        return (votes, (back,)) if fact.voices else ((back,),)  # who voted it out may change their mind
    last = (back,) if fact.status is not Status.ACTIVE else (_pin_button(make, fact), back)
    return tuple(row for row in (votes, edits, others, last) if row)


def _pin_button(make: Callable[..., Button], fact: Fact) -> Button:
    pinned = fact.pinned_at is not None
    return make("card_unpin" if pinned else "card_pin", "pin", short_id(fact.id), "0" if pinned else "1")


def _button(policy: Policy, state: ChatState, language: Language, key: str, action: str, *args: str) -> Button:
    return button(policy, state.chat_id, plain(say(language, key)), action, *args)


def _list(policy: Policy, state: ChatState, subject: Subject, language: Language) -> Button:
    return list_button(policy, state, plain(say(language, "card_back")), subject, ListingPage())
