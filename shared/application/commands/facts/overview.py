"""`/gryadchatfacts` and `/gryadfacts`: what is known of the chat, of oneself, and of others as far as they let it be
seen."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import ButtonPress, CommandCall, Pressed, Scene, answer, notice
from shared.application.commands.facts.card import note_shown_fact, read_fact
from shared.application.commands.facts.listing import (
    MOST_NAME,
    ListingPage,
    Subject,
    categories_of,
    category_named,
    confidence_bar,
    list_button,
    list_facts,
    member_subject,
    quote_line,
    read_subject,
    render_facts,
)
from shared.application.conversation.consent_gate import may_speak
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import column, show_people, text
from shared.application.documents import chat_path, member_path
from shared.application.people.member_codec import StoredMember, by_username, choice_fields, read_member
from shared.application.ports.chat import Button, OutgoingFile, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import plain
from shared.domain.facts.profile import ProfileFact
from shared.domain.intake.buttons import long_id
from shared.domain.text.language import fold, tokens
from shared.domain.text.names import same_name
from shared.domain.text.plain import one_line

MOST_MEMBERS = 2_000
"""Members looked through for a username in another spelling."""

MOST_NAMED = 8
"""Members of one name who are offered: as many as a list holds on a page."""

_CHAT = "chat"


# --- the commands -------------------------------------------------------------------------------


async def list_chat_facts(app: App, call: CommandCall) -> Answer:
    """Return what is known of the chat; with an argument only what is of that category."""
    facts, here = await list_facts(app, call.state, _CHAT), call.scene(app.policy)
    category = category_named(call.args, categories_of(_CHAT)) if call.args else ""
    if category is None:
        there = [each for each in categories_of(_CHAT) if not facts or each in {fact.category for fact in facts}]
        names, typed = [here.word(f"category_{each}") for each in there], one_line(call.args, MOST_NAME)
        categories, example = ", ".join(names), names[0].casefold()
        return answer(call, "facts_unknown_category", category=typed, categories=categories, example=example)
    if not facts:
        return answer(call, "facts_none_of_chat")
    return Answer.of(render_facts(here, Subject(_CHAT), facts, ListingPage(category)))


async def list_member_facts(app: App, call: CommandCall) -> Answer:
    """Return what is known of the asker, or of whom they name or reply to, as far as that member's settings allow."""
    meant, here = await _find_meant(app.store, call, app.policy.bot_id), call.scene(app.policy)
    if not meant:
        return answer(call, "facts_unknown_member", name=one_line(call.args, MOST_NAME) or "?")
    if len(meant) > 1:  # two who cannot be told apart by a button can by @name or a reply
        buttons = [list_button(here, who.called, Subject(member_subject(who.user_id)), ListingPage()) for who in meant]
        asked = answer(call, "facts_which_member", column(buttons), name=one_line(call.args, MOST_NAME))
        return show_people(asked, [who.user_id for who in meant])
    user_id = meant[0].user_id
    subject, facts = await _read_known(app, call.state, member_subject(user_id))
    if user_id == call.user_id and not may_speak(call.state, user_id):
        return answer(call, "facts_opted_out")
    if user_id == call.user_id and not subject.may_be_shown_in(call.state.chat_id):
        return _own_in_private(here, subject, facts)
    if user_id != call.user_id and subject.is_hidden:
        return answer(call, "facts_hidden")
    return Answer.of(_render_list(here, subject, facts, ListingPage()))


def _own_in_private(here: Scene, subject: Subject, facts: Sequence[ProfileFact]) -> Answer:
    """Answer who hides what is known of them, as a file in private: its buttons would be sealed for the group, and no
    chat may come to know what another one knows."""
    told = here.text("facts_sent", ((_visibility(here, subject),),))
    items = [_plain_item(here, number, fact) for number, fact in enumerate(facts, start=1)]
    content = "\n\n".join(items) or here.word("facts_none_of_you")
    file = OutgoingFile("facts.txt", "text/plain", content.encode(), here.text("facts_file"))
    closed = here.text("facts_write_first", username=here.policy.bot_username)
    return Answer((AnswerPiece(told), AnswerPiece(file, private_to=here.viewer, otherwise=closed)))


def _plain_item(here: Scene, number: int, fact: ProfileFact) -> str:
    first = f"{number}. {one_line(fact.description)} ({confidence_bar(fact.confidence)})"
    quotes = (quote_line(here, one_line(q.quote), q.name, q.sent_at) for q in fact.evidence)
    return "\n   ".join([first, *map(plain, quotes)])


# --- whom a command means -----------------------------------------------------------------------


class _NamedSubject(NamedTuple):
    """A member who may be meant; `called` is what a button says, "" where nobody needs to be told apart."""

    user_id: int
    called: str = ""


async def _find_meant(store: DocumentStore, call: CommandCall, bot_id: int) -> list[_NamedSubject]:
    """Return whom the command is about: several when that many are called so, none when nobody here is."""
    if not call.args:
        replied = call.update.reply_to_user_id
        return [_NamedSubject(call.user_id if replied in (None, bot_id) else replied)]
    if call.update.mentioned_ids:
        return [_NamedSubject(call.update.mentioned_ids[0])]
    name = call.args.split()[0]
    if not name.startswith("@"):
        return await _members_named(store, call.state, call.args)
    return await _member_called(store, call.state, name[1:])


async def _members_named(store: DocumentStore, state: ChatState, name: str) -> list[_NamedSubject]:
    """The members with this name, whole or in part, else in another form or script; who was seen last comes first.

    Costs a read for every member. Of who opted out nobody is told that they are here.
    """
    everybody = await store.query(f"{chat_path(state.chat_id)}/members", limit=MOST_MEMBERS)
    known = [each for each in map(read_member, everybody) if each.name and may_speak(state, each.user_id)]
    alike: tuple[Callable[[str, str], bool], ...] = (str.__eq__, same_name)
    found = ([each for each in known if _is_named(each, name, same)] for same in alike)
    named = sorted(next(filter(None, found), []), key=_last_seen, reverse=True)
    return [_NamedSubject(each.user_id, _shown_name(each)) for each in named[:MOST_NAMED]]


def _is_named(member: StoredMember, name: str, same: Callable[[str, str], bool]) -> bool:
    """Return whether each word of a name is one of the member's."""
    words, wanted = tokens(member.name), tokens(name[:MOST_NAME])
    return bool(wanted) and all(any(same(each, word) for word in words) for each in wanted)


def _shown_name(member: StoredMember) -> str:
    name = one_line(member.name, MOST_NAME)
    return f"{name} (@{member.username})" if member.username else name


async def _member_called(store: DocumentStore, state: ChatState, username: str) -> list[_NamedSubject]:
    """Find who was seen last under a username: one that was given up may have become somebody else's.

    Costs a read where it is typed as its owner writes it, else one for every member.
    """
    members = f"{chat_path(state.chat_id)}/members"
    found = [read_member(each) for each in await store.query(members, where=[by_username(username, username.lower())])]
    if not found:
        everybody = map(read_member, await store.query(members, limit=MOST_MEMBERS))
        found = [member for member in everybody if fold(member.username or "") == fold(username)]
    return [_NamedSubject(max(found, key=_last_seen).user_id)] if found else []


def _last_seen(member: StoredMember) -> tuple[bool, datetime]:
    return member.last_seen_at is not None, member.last_seen_at or datetime.min.replace(tzinfo=UTC)


# --- what is shown ------------------------------------------------------------------------------


async def _read_known(app: App, state: ChatState, subject: str) -> tuple[Subject, list[ProfileFact]]:
    """Return whom a subject means, and what is known of them."""
    known, facts = await asyncio.gather(read_subject(app.store, state, subject), list_facts(app, state, subject))
    own = (quote.name for fact in facts for quote in fact.evidence if quote.user_id == known.member and quote.name)
    return known._replace(name=next(own, known.name)), facts


def _render_list(here: Scene, subject: Subject, facts: Sequence[ProfileFact], view: ListingPage) -> OutgoingText:
    """A page of a list, or that nothing is known; a member's own with who else sees it and a button to change that."""
    page = render_facts(here, subject, facts, view) if facts else _render_nothing(here, subject)
    if here.viewer != subject.member or here.state.chat_id > 0:
        return page
    rows = (*page.buttons, (_visibility(here, subject),))
    return text(f"{page.html}\n\n{here.say('facts_seen_by_all')}", rows, people=page.people)


def _render_nothing(here: Scene, subject: Subject) -> OutgoingText:
    if subject.member is None:
        return here.text("facts_none_of_chat")
    if subject.member == here.viewer:
        return here.text("facts_none_of_you")
    if not subject.name:
        return here.text("facts_none_of_somebody")
    return replace(here.text("facts_none_of_member", name=subject.name), people=frozenset({subject.member}))


def _visibility(here: Scene, subject: Subject) -> Button:
    key, chosen = ("facts_show", "group") if subject.is_hidden else ("facts_hide", "nobody")
    return here.option(key, "see", chosen, owner=subject.member)


# --- buttons ------------------------------------------------------------------------------------


async def turn_page(app: App, press: ButtonPress) -> Pressed:
    """Show another page or category of a list."""
    whom, category, page = press.args
    return await _show(app, press, member_subject(int(whom)) if whom else _CHAT, ListingPage(category, int(page)))


async def go_back(app: App, press: ButtonPress) -> Pressed:
    """Lead from the card of a fact to the page of the list on which it stands."""
    fact_id, narrowed = long_id(press.args[0]), press.args[1] == "1"
    fact = await read_fact(app.store, press.scene(app.policy), fact_id)
    if fact is None:
        pressed = await _show(app, press, _CHAT, ListingPage())
    else:
        pressed = await _show(app, press, fact.subject, ListingPage(fact.category if narrowed else ""), fact.id)
    await note_shown_fact(app.store, app.clock, press, None)
    return pressed


async def _show(app: App, press: ButtonPress, about: str, view: ListingPage, fact_id: str | None = None) -> Pressed:
    subject, facts = await _read_known(app, press.state, about)
    here = press.scene(app.policy)
    if not subject.may_be_shown_in(press.state.chat_id):
        return Pressed(shows=_render_hidden(here, subject))
    return Pressed(shows=_render_list(here, subject, facts, view if fact_id is None else view.turn_to(facts, fact_id)))


async def choose_visibility(app: App, press: ButtonPress) -> Pressed:
    """Let everybody here see what is known of the member who presses, or only them."""
    (chosen,), user_id, state = press.args, press.user_id, press.state
    if not may_speak(state, user_id):
        return notice(press.language, "facts_opted_out")
    choice = choice_fields(user_id, press.update.name, hides_facts=chosen == "nobody")
    await app.store.upsert(member_path(state.chat_id, user_id), choice)
    if chosen == "group":
        return await _show(app, press, member_subject(user_id), ListingPage())
    return Pressed(shows=_render_hidden(press.scene(app.policy), Subject(member_subject(user_id), is_hidden=True)))


def _render_hidden(here: Scene, subject: Subject) -> OutgoingText:
    """Return what stands in the group instead of what is known of somebody who hides it."""
    if here.viewer != subject.member or not may_speak(here.state, here.viewer):
        return here.text("facts_hidden")
    return here.text("facts_hidden_now", ((_visibility(here, subject),),))
