"""`/gryadwhy` under an answer: the memories that made it, as they were then, and what is believed of them now."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.application.answering.answer_codec import FactGiven, Given, read_given
from shared.application.answering.provenance import without_members
from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, Scene, answer, usage
from shared.application.commands.facts.card import compose_card_message
from shared.application.commands.facts.why_text import FactSeen, TalkSeen, Teller, why_lines
from shared.application.conversation.consent_gate import may_speak, silent_members, usable_messages
from shared.application.conversation.message_codec import read_message
from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import Rows, long, show_people
from shared.application.documents import answer_path, fact_path, member_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.moderation import current_document
from shared.application.facts.profiles import hides_facts
from shared.application.facts.version_codec import fact_as_of
from shared.application.people.member_codec import read_member
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Document, DocumentStore
from shared.application.recall.search import label_people
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.slot import BeliefStep, explain
from shared.domain.intake.buttons import long_id, short_id

CARDS = 5
"""Buttons that open the card of a fact: one row."""

EXPLAINED = 10
"""Facts told at length; if the answer leans on none, the first `GUESSED` are."""

GUESSED = 3


async def explain_answer(app: App, call: CommandCall) -> Answer:
    """Return where the answer came from that the command replies to, or how the command is used."""
    if call.message.reply_to is None:
        return usage(call)
    if call.update.reply_to_user_id != app.policy.bot_id:
        return answer(call, "why_not_mine")
    all_given = await _read_given(app.store, call)
    if isinstance(all_given, str):
        return answer(call, all_given)
    here, lines, shown, people = call.scene(app.policy), list[str](), list[FactSeen](), set[int]()
    for given in all_given:
        facts, talk = await asyncio.gather(_facts(app.store, call, given), _talk(app.store, call.state, given))
        names = await label_people(app, call.state, await _names(app.store, call.state, given, facts, talk))
        teller = Teller(here, names)
        lines += await _say_whom(app.store, call.state, teller, given) if len(all_given) > 1 else []
        lines += why_lines(teller, given, facts, talk, first=len(shown) + 1)
        shown += facts
        people |= {*given.people, *names}
    told = long(call.language, "\n".join(lines), here.say("why_file"))
    return show_people(_with_buttons(told, _cards(here, shown)), people)


async def _say_whom(store: DocumentStore, state: ChatState, teller: Teller, given: Given) -> list[str]:
    """Return for which of several questions an answer was made."""
    message_id, user_id, sent_at = given.question
    asked = await store.get(message_path(state.chat_id, message_id)) if may_speak(state, user_id) else None
    name = "" if asked is None else read_message(asked).message.name
    return ["", f"<b>{teller.name(None, name)}, {teller.link_day(sent_at, message_id)}:</b>"]


async def _read_given(store: DocumentStore, call: CommandCall) -> list[Given] | str:
    """Return what each of the answers in the message was given (those to the caller alone, if any), as far as it may be
    shown; else the name of a text that says why it cannot be."""
    chat_id = call.state.chat_id
    replied = await store.get(message_path(chat_id, call.message.reply_to or 0))
    if replied is None:
        return "why_too_old"
    answer_ids = read_message(replied).answer_ids
    if not answer_ids:
        return "why_no_memory"
    stored = await store.get_many([answer_path(chat_id, each) for each in answer_ids])
    given = [without_members(read_given(each.data), silent_members(call.state)) for each in stored if each is not None]
    own = [each for each in given if each.question[1] == call.user_id]
    return own or given or "why_too_old"


# --- the facts then and now ---------------------------------------------------------------------


async def _facts(store: DocumentStore, call: CommandCall, given: Given) -> list[FactSeen]:
    """The facts of an answer that whoever asks may see, each with what is believed of it now."""
    chat_id = call.state.chat_id
    found, hidden = await asyncio.gather(
        store.get_many([fact_path(chat_id, fact.id) for fact in given.facts]), _find_hidden(store, call, given)
    )
    pairs = [pair for pair in zip(given.facts, found, strict=True) if pair[0].subject not in hidden]
    used = [fact for fact, _ in pairs if fact.leans]
    if not used and not any(message.leans for message in given.messages):
        used = [fact for fact, _ in pairs][:GUESSED]
    told = {fact.id for fact in used[:EXPLAINED]}
    return await asyncio.gather(
        *(_see_fact(store, call.state, given, *pair, at_length=pair[0].id in told) for pair in pairs)
    )


async def _find_hidden(store: DocumentStore, call: CommandCall, given: Given) -> set[str]:
    """Subjects about whom nothing is told here: members who show what is known of them to nobody. In a group, whoever
    asks, everybody would read it."""
    own = {f"user:{call.user_id}"} if call.state.chat_id > 0 else set()
    members = sorted({fact.subject for fact in given.facts} - {"chat"} - own)
    paths = [member_path(call.state.chat_id, int(subject.removeprefix("user:"))) for subject in members]
    documents = await store.get_many(paths) if paths else []
    return {subject for subject, member in zip(members, documents, strict=True) if hides_facts(member)}


async def _see_fact(
    store: DocumentStore, state: ChatState, given: Given, then: FactGiven, found: Document | None, *, at_length: bool
) -> FactSeen:
    # One that is gone may have become part of another.
    document = found if found is not None else await current_document(store, state.chat_id, then.id)
    current = _fact_to_show(document, state) if document is not None else None
    card = document.id if document is not None else None
    if not at_length:
        return FactSeen(then, current, card)
    steps = explain(current) if current is not None and current.value == then.value else []
    if not _comes_to(steps, then):
        earlier = await fact_as_of(store, state.chat_id, then.id, given.made_at, within=current.id if current else None)
        steps = explain(earlier) if earlier is not None else []
    return FactSeen(then, current, card, at_length, steps if _comes_to(steps, then) else [])


def _comes_to(steps: Sequence[BeliefStep], then: FactGiven) -> bool:
    return bool(steps) and steps[-1].belief == then.confidence


def _fact_to_show(document: Document, state: ChatState) -> Fact | None:
    """A fact that is believed, unless only members who opted out have said it."""
    fact = fact_from_fields(document.data)
    shown = not fact.evidence or any(may_speak(state, quote.user_id) for quote in fact.evidence)
    return fact if fact.status is Status.ACTIVE and shown else None


# --- the talk and the names ---------------------------------------------------------------------


async def _talk(store: DocumentStore, state: ChatState, given: Given) -> list[TalkSeen]:
    """The messages right before the question on which the answer leans, as they are now."""
    wanted = [message.message_id for message in given.messages if message.how == "talk" and message.leans]
    found = await store.get_many([message_path(state.chat_id, each) for each in wanted]) if wanted else []
    shown = usable_messages(state, (read_message(document).message for document in filter(None, found)))
    return [TalkSeen(m.message_id, m.user_id, m.name, m.sent_at, m.text or m.media_text) for m in shown]


async def _names(
    store: DocumentStore, state: ChatState, given: Given, facts: Iterable[FactSeen], talk: Iterable[TalkSeen]
) -> dict[int, str]:
    """Return what the members are called whose words are told, or count in the arithmetic."""
    known = {quote.user_id: quote.name for fact in given.facts for quote in fact.quotes if quote.name}
    known |= {m.user_id: m.name for m in given.messages if m.user_id is not None and m.name}
    known |= {m.user_id: m.name for m in talk if m.user_id is not None and m.name}
    counted = {step.user_id for fact in facts for step in fact.all_steps() if step.user_id is not None}
    missing = sorted(counted - known.keys() - silent_members(state))
    members = await store.get_many([member_path(state.chat_id, each) for each in missing]) if missing else []
    return known | {member.user_id: member.name for member in map(read_member, filter(None, members))}


def _with_buttons(told: Answer, rows: Rows) -> Answer:
    """The buttons under the last message that is no file."""
    pieces = list(told.pieces)
    at, content = [(at, p.content) for at, p in enumerate(pieces) if isinstance(p.content, OutgoingText)][-1]
    pieces[at] = replace(pieces[at], content=replace(content, buttons=rows))
    return replace(told, pieces=tuple(pieces))


def _cards(here: Scene, facts: Sequence[FactSeen]) -> Rows:
    """Buttons that open the cards of the first facts that are still there, by the numbers in the text."""
    there = [(number, fact.card) for number, fact in enumerate(facts, start=1) if fact.card is not None]
    row = tuple(here.button(f"{number}", "whyc", short_id(each)) for number, each in there[:CARDS])
    return (row,) if row else ()


async def say_card(app: App, press: ButtonPress) -> Pressed:
    """Say the card of a fact under the explanation, which stays for the other facts."""
    fact_id = long_id(press.args[0])
    return Pressed(answer=Answer((await compose_card_message(app.store, press.scene(app.policy), fact_id),)))
