"""The card of a fact: what is believed, how surely, who says so, who says otherwise, and what can be done about it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import ButtonPress, Pressed, Scene
from shared.application.commands.facts.listing import (
    ListingPage,
    Subject,
    confidence_bar,
    list_button,
    member_subject,
    quote_line,
    read_subject,
)
from shared.application.conversation.consent_gate import may_speak, silent_members
from shared.application.conversation.message_codec import reply_context_field
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.wording import Rows, text
from shared.application.documents import fact_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.moderation import current_document
from shared.application.facts.profiles import names_of
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.domain.delivery.markup import escape
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.group_question import wording_of
from shared.domain.facts.profile import people_in, quotes_shown
from shared.domain.facts.slot import rivals
from shared.domain.intake.buttons import long_id, short_id
from shared.domain.text.plain import one_line

MOST_RIVALS = 2
"""Values that wait against a fact on its card."""

_DESCRIPTION, _QUOTE, _RIVAL = 600, 200, 200
"""Characters shown of each: all together stay under Telegram's limit also when each takes two UTF-16 units."""

_STATES = {Status.DEPRECATED: "card_dropped", Status.EXPIRED: "card_expired", Status.PENDING: "card_pending"}


async def open_card(app: App, press: ButtonPress) -> Pressed:
    """Show the card of a fact in place of the list."""
    fact_id, narrowed = long_id(press.args[0]), press.args[1:] == ("1",)
    card = await compose_card(app.store, press.scene(app.policy), fact_id, narrowed=narrowed)
    await note_shown_fact(app.store, app.clock, press, fact_id, card)
    return Pressed(shows=card)


async def compose_card(store: DocumentStore, here: Scene, fact_id: str, *, narrowed: bool = False) -> OutgoingText:
    """The card of a fact or of a pending rival as it is now, whatever became of it.

    Of a member who hides what is known of them a group is shown none, not even when they ask; of what is about members
    who opted out, or only they are known to have said, nobody is.

    Args:
        narrowed: Whether the way back leads to the fact's category instead of to all.
    """
    fact = await read_fact(store, here, fact_id)
    quotes = _quotes_of_readable(fact, here.state) if fact is not None else ()
    if fact is None or not quotes or fact.subject in map(member_subject, silent_members(here.state)):
        return here.text("card_gone", ((list_button(here, here.word("card_back"), Subject("chat"), ListingPage()),),))
    shown = quotes_shown(quotes)
    subject, against, names = await asyncio.gather(
        read_subject(store, here.state, fact.subject),
        _read_rivals(store, here, fact),
        names_of(store, here.state.chat_id, shown),
    )
    if not subject.may_be_shown_in(here.state.chat_id):
        return here.text("card_hidden" if here.viewer == subject.member else "facts_hidden")
    lines = [
        f"<b>{escape(one_line(fact.description, _DESCRIPTION))}</b>",
        *_describe_standing(here, fact),
        "",
        here.say("card_who"),
        *_quotes(here, shown, names),
        *_voices(here, fact),
        *(here.say("card_otherwise", said=one_line(each.description, _RIVAL)) for each in against),
    ]
    return text("\n".join(lines), _buttons(here, fact, against, narrowed=narrowed), people=people_in([fact, *against]))


async def compose_card_message(store: DocumentStore, here: Scene, fact_id: str, line: str = "") -> AnswerPiece:
    """The card of a fact as a message of its own, a reply to which means the fact; `line` is markup over it."""
    card = await compose_card(store, here, fact_id)
    return AnswerPiece(with_line(card, line) if line else card, asks=card_asks(fact_id, card))


def with_line(card: OutgoingText, markup: str, rows: Rows | None = None, *, last: bool = False) -> OutgoingText:
    """A card with a line over it, or under it, and other buttons where `rows` says so."""
    lines = (card.html, markup) if last else (markup, card.html)
    return text("\n\n".join(lines), card.buttons if rows is None else rows, people=card.people)


# --- what a reply to it means -------------------------------------------------------------------


async def note_shown_fact(
    store: DocumentStore, clock: Clock, press: ButtonPress, fact_id: str | None, card: OutgoingText | None = None
) -> None:
    """Note of which fact the message with the button shows the card now, None for no fact: replies to it are about that
    one."""
    context = None if fact_id is None else card_asks(fact_id, card)._replace(since=clock.now())
    await store.update(message_path(press.state.chat_id, press.message_id), reply_context_field(context))


def card_asks(fact_id: str, card: OutgoingText | None = None) -> ReplyContext:
    """Return what a reply to the card of a fact means; with the words that it shows, where one may vote on them."""
    marked = [each.data.split("|") for row in card.buttons for each in row] if card is not None else []
    words = next((parts[2] for parts in marked if parts[0] == "yes"), "")
    return ReplyContext("gryadfix", "card", fact_id, words=words)


# --- the fact -----------------------------------------------------------------------------------


async def read_fact(store: DocumentStore, here: Scene, fact_id: str) -> Fact | None:
    """The fact or rival that an id means, also of one that was folded into another since; None when there is none.

    One that is believed no more comes with the quotes and voices that its value had.
    """
    document = await store.get(fact_path(here.state.chat_id, fact_id))
    document = document or await current_document(store, here.state.chat_id, fact_id)
    if document is None:
        return None
    fact = fact_from_fields(document.data, consensus=here.policy.consensus)
    dropped = next((claim for claim in fact.others if claim.value_key == fact.value_key), None)
    if fact.evidence or dropped is None:
        return fact
    return replace(fact, evidence=dropped.evidence, voices=dropped.voices)


def _quotes_of_readable(fact: Fact, state: ChatState) -> tuple[Evidence, ...]:
    """The quotes for its value, oldest first, but for those of members who opted out."""
    return tuple(quote for quote in fact.evidence if may_speak(state, quote.user_id))


async def _read_rivals(store: DocumentStore, here: Scene, fact: Fact) -> list[Fact]:
    """The values that wait against a fact; of one that waits the fact that it contradicts."""
    if fact.conflicts_with is None:
        others = list(rivals(fact).values())
    else:
        held = await read_fact(store, here, fact.conflicts_with) if fact.status is Status.PENDING else None
        others = [] if held is None else [held]
    return [other for other in others if _quotes_of_readable(other, here.state)][:MOST_RIVALS]


# --- what it says and what can be done ----------------------------------------------------------


def _describe_standing(here: Scene, fact: Fact) -> Iterator[str]:
    """Category, confidence, since when, and whether it is believed, pinned, or waits."""
    pinned = f" · {here.say('card_pinned')}" if fact.pinned_at is not None else ""
    yield f"{here.say(f'category_{fact.category}')} · {confidence_bar(fact.confidence)}{pinned}"
    if fact.status in _STATES:
        yield here.say(_STATES[fact.status])
    elif fact.valid_from is not None:
        yield here.say("card_since", date=here.day(fact.valid_from))


def _quotes(here: Scene, quotes: Sequence[Evidence], names: Mapping[int, str]) -> Iterator[str]:
    for quote in quotes:
        line = quote_line(here, one_line(quote.quote, _QUOTE), names.get(quote.user_id, ""), quote.sent_at)
        yield f"{line}{here.arrow(quote.message_id)}"


def _voices(here: Scene, fact: Fact) -> Iterator[str]:
    supporters, objectors = len(fact.supporters), len(fact.objectors)
    share = fact.participant_consensus
    if share is not None and (supporters or objectors):
        yield ""
        yield here.say("card_voices", supporters=str(supporters), objectors=str(objectors), share=f"{share:.0%}")


def _buttons(here: Scene, fact: Fact, against: Sequence[Fact], *, narrowed: bool) -> Rows:
    short, words = short_id(fact.id), wording_of(fact)  # a vote counts for what was shown
    back = here.option("card_back", "back", short, "1" if narrowed else "")
    votes = (here.option("card_yes", "yes", short, words), here.option("card_no", "no", short, words))
    if fact.status is Status.DEPRECATED:
        return (votes, (back,)) if fact.voices else ((back,),)  # who voted it out may change their mind
    edits = (here.option("card_fix", "fix", short), here.option("card_drop", "drop", short))
    others = tuple(here.option("card_other", "card", short_id(other.id)) for other in against[:1])
    pinned = fact.pinned_at is not None
    pin = here.option("card_unpin" if pinned else "card_pin", "pin", short, "0" if pinned else "1")
    last = (pin, back) if fact.status is Status.ACTIVE else (back,)
    return tuple(row for row in (votes, edits, others, last) if row)
