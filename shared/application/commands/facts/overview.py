"""`/gryadchatfacts` and `/gryadfacts`: what is known of the chat, of oneself, and of others as far as they let it be
seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.commands.call import ButtonPress, CommandCall, Pressed
from shared.application.commands.facts.card import read_fact
from shared.application.commands.facts.listing import (
    ListingPage,
    category_named,
    confidence_bar,
    list_button,
    means_fact,
    page_of,
    quote_line,
    render_facts,
)
from shared.application.commands.facts.subjects import (
    MOST_NAME,
    Subject,
    about_member,
    categories_of,
    listed_facts,
    read_subject,
)
from shared.application.commands.replies import answer, notice
from shared.application.delivery.answer import Answer, AnswerPiece
from shared.application.delivery.wording import button, column, localized_text, showing, text
from shared.application.documents import chat_path, member_path
from shared.application.people.member_codec import StoredMember, by_username, choice_fields, read_member
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingFile, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.domain.delivery.markup import plain
from shared.domain.facts.profile import ProfileFact
from shared.domain.intake.buttons import long_id
from shared.domain.text.language import Language, fold, tokens
from shared.domain.text.names import same_name
from shared.domain.text.plain import one_line
from shared.locales import say

MOST_MEMBERS = 2_000
"""Members looked through for a username in another spelling."""

MOST_NAMED = 8
"""Members of one name who are offered: as many as a list holds on a page."""

_CHAT = "chat"


# --- the commands -------------------------------------------------------------------------------


async def list_chat_facts(app: App, call: CommandCall) -> Answer:
    """Return what is known of the chat; with an argument only what is of that category."""
    facts = await listed_facts(app, call.state, _CHAT)
    category = category_named(call.args, categories_of(_CHAT)) if call.args else ""
    if category is None:
        return _unknown_category(call, facts)
    if not facts:
        return answer(call, "facts_none_of_chat")
    return Answer.of(render_facts(app.policy, call.state, Subject(_CHAT), facts, ListingPage(category), call.language))


async def list_member_facts(app: App, call: CommandCall) -> Answer:
    """Return what is known of the asker, or of whom they name or reply to, as far as that member's settings allow."""
    meant = await _find_meant(app.store, app.policy, call)
    if not meant:
        return answer(call, "facts_unknown_member", name=one_line(call.args, MOST_NAME) or "?")
    if len(meant) > 1:
        return _which(app.policy, call, meant)
    user_id = meant[0].user_id
    subject, facts = await _read_known(app, call.state, about_member(user_id))
    if user_id == call.user_id:
        return _own(app.policy, call, subject, facts)
    if subject.is_hidden:
        return answer(call, "facts_hidden")
    return Answer.of(
        _render_list(app.policy, call.state, subject, facts, ListingPage(), call.language, viewer=call.user_id)
    )


def _unknown_category(call: CommandCall, facts: Sequence[ProfileFact]) -> Answer:
    there = [each for each in categories_of(_CHAT) if not facts or each in {fact.category for fact in facts}]
    names = [plain(say(call.language, f"category_{each}")) for each in there]
    typed = one_line(call.args, MOST_NAME)
    return answer(
        call, "facts_unknown_category", category=typed, categories=", ".join(names), example=names[0].casefold()
    )


def _own(policy: Policy, call: CommandCall, subject: Subject, facts: Sequence[ProfileFact]) -> Answer:
    """Answer the asker: in the group where everybody may see it, else as a file in private.

    A file, for its buttons would be sealed for the group, and no chat may come to know what another one knows.
    """
    if call.user_id in call.state.opted_out:
        return answer(call, "facts_opted_out")
    if subject.may_be_shown_in(call.state.chat_id):
        return Answer.of(
            _render_list(policy, call.state, subject, facts, ListingPage(), call.language, viewer=call.user_id)
        )
    told = localized_text(call.language, "facts_sent", ((_visibility(policy, call.state, subject, call.language),),))
    zone, numbered = choices_for(policy, call.state).timezone, enumerate(facts, start=1)
    items = [_plain_item(number, fact, zone, call.language) for number, fact in numbered]
    content = "\n\n".join(items) or plain(say(call.language, "facts_none_of_you"))
    file = OutgoingFile("facts.txt", "text/plain", content.encode(), localized_text(call.language, "facts_file"))
    closed = localized_text(call.language, "facts_write_first", username=policy.bot_username)
    return Answer((AnswerPiece(told), AnswerPiece(file, private_to=call.user_id, otherwise=closed)))


def _plain_item(number: int, fact: ProfileFact, zone: tzinfo, language: Language) -> str:
    said_ = [quote_line(one_line(q.quote), q.name, q.sent_at, zone, language) for q in fact.evidence]
    first = f"{number}. {one_line(fact.description)} ({confidence_bar(fact.confidence)})"
    return "\n   ".join([first, *map(plain, said_)])


# --- whom a command means -----------------------------------------------------------------------


class _NamedSubject(NamedTuple):
    """A member who may be meant; `called` is what a button says, "" where nobody needs to be told apart."""

    user_id: int
    called: str = ""


async def _find_meant(store: DocumentStore, policy: Policy, call: CommandCall) -> list[_NamedSubject]:
    """Return whom the command is about: several when that many are called so, none when nobody here is."""
    if not call.args:
        replied = call.update.reply_to_user_id
        return [_NamedSubject(call.user_id if replied in (None, policy.bot_id) else replied)]
    if call.update.mentioned_ids:
        return [_NamedSubject(call.update.mentioned_ids[0])]
    name = call.args.split()[0]
    if not name.startswith("@"):
        return await _members_named(store, call.state, call.args)
    user_id = await _member_called(store, call.state, name[1:])
    return [] if user_id is None else [_NamedSubject(user_id)]


async def _members_named(store: DocumentStore, state: ChatState, name: str) -> list[_NamedSubject]:
    """The members with this name, whole or in part, else in another form or script; who was seen last comes first.

    Costs a read for every member. Of who opted out nobody is told that they are here.
    """
    everybody = await store.query(f"{chat_path(state.chat_id)}/members", limit=MOST_MEMBERS)
    known = [each for each in map(read_member, everybody) if each.name and each.user_id not in state.opted_out]
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


def _which(policy: Policy, call: CommandCall, members: Sequence[_NamedSubject]) -> Answer:
    """Ask which of several is meant; two who cannot be told apart by a button can by @name or a reply."""
    buttons = [
        list_button(policy, call.state, each.called, Subject(about_member(each.user_id)), ListingPage())
        for each in members
    ]
    asked = answer(call, "facts_which_member", column(buttons), name=one_line(call.args, MOST_NAME))
    return showing(asked, [each.user_id for each in members])


async def _member_called(store: DocumentStore, state: ChatState, username: str) -> int | None:
    """User id of who was seen last under a username: one that was given up may have become somebody else's.

    Costs a read where it is typed as its owner writes it, else one for every member.
    """
    members = f"{chat_path(state.chat_id)}/members"
    found = [read_member(each) for each in await store.query(members, where=[by_username(username, username.lower())])]
    if not found:
        everybody = map(read_member, await store.query(members, limit=MOST_MEMBERS))
        found = [member for member in everybody if fold(member.username or "") == fold(username)]
    return max(found, key=_last_seen).user_id if found else None


def _last_seen(member: StoredMember) -> tuple[bool, datetime]:
    return member.last_seen_at is not None, member.last_seen_at or datetime.min.replace(tzinfo=UTC)


# --- what is shown ------------------------------------------------------------------------------


async def _read_known(app: App, state: ChatState, subject: str) -> tuple[Subject, list[ProfileFact]]:
    """Return whom a subject means, and what is known of them."""
    whom, facts = await asyncio.gather(read_subject(app.store, state, subject), listed_facts(app, state, subject))
    return whom, facts


def _render_list(
    policy: Policy,
    state: ChatState,
    subject: Subject,
    facts: Sequence[ProfileFact],
    view: ListingPage,
    language: Language,
    *,
    viewer: int,
) -> OutgoingText:
    """A page of a list, or that nothing is known; a member's own with who else sees it and a button to change that."""
    page = render_facts(policy, state, subject, facts, view, language) if facts else _nothing(subject, language, viewer)
    if viewer != subject.member or state.chat_id > 0:
        return page
    seen = say(language, "facts_seen_by_all")
    rows = (*page.buttons, (_visibility(policy, state, subject, language),))
    return text(f"{page.html}\n\n{seen}", rows, people=page.people)


def _nothing(subject: Subject, language: Language, viewer: int) -> OutgoingText:
    if subject.member is None:
        return localized_text(language, "facts_none_of_chat")
    if subject.member == viewer:
        return localized_text(language, "facts_none_of_you")
    if not subject.name:
        return localized_text(language, "facts_none_of_somebody")
    return replace(
        localized_text(language, "facts_none_of_member", name=subject.name), people=frozenset({subject.member})
    )


def _visibility(policy: Policy, state: ChatState, subject: Subject, language: Language) -> Button:
    key, chosen = ("facts_show", "group") if subject.is_hidden else ("facts_hide", "nobody")
    return button(policy, state.chat_id, plain(say(language, key)), "see", chosen, owner=subject.member)


# --- buttons ------------------------------------------------------------------------------------


async def turn_page(app: App, press: ButtonPress) -> Pressed:
    """Show another page or category of a list."""
    whom, category, page = press.args
    subject = about_member(int(whom)) if whom else _CHAT
    return await _show(app, press, subject, ListingPage(category, int(page)))


async def go_back(app: App, press: ButtonPress) -> Pressed:
    """Lead from the card of a fact to the page of the list on which it stands."""
    fact_id, narrowed = long_id(press.args[0]), press.args[1] == "1"
    fact = await read_fact(app.store, app.policy, press.state, fact_id)
    if fact is None:
        pressed = await _show(app, press, _CHAT, ListingPage())
    else:
        pressed = await _show(app, press, fact.subject, ListingPage(fact.category if narrowed else ""), fact.id)
    await means_fact(app.store, app.clock, press.state.chat_id, press.message_id, None)
    return pressed


async def _show(app: App, press: ButtonPress, about: str, view: ListingPage, fact_id: str | None = None) -> Pressed:
    subject, facts = await _read_known(app, press.state, about)
    if not subject.may_be_shown_in(press.state.chat_id):
        return Pressed(shows=_render_hidden(app.policy, press, subject))
    if fact_id is not None:
        view = view._replace(page=page_of(facts, fact_id, view.category))
    return Pressed(
        shows=_render_list(app.policy, press.state, subject, facts, view, press.language, viewer=press.user_id)
    )


async def choose_visibility(app: App, press: ButtonPress) -> Pressed:
    """Let everybody here see what is known of who presses, or only them."""
    (chosen,), user_id, state = press.args, press.user_id, press.state
    if user_id in state.opted_out:
        return notice(press.language, "facts_opted_out")
    choice = choice_fields(user_id, press.update.name, hides_facts=chosen == "nobody")
    await app.store.upsert(member_path(state.chat_id, user_id), choice)
    if chosen == "group":
        return await _show(app, press, about_member(user_id), ListingPage())
    return Pressed(shows=_render_hidden(app.policy, press, Subject(about_member(user_id), is_hidden=True)))


def _render_hidden(policy: Policy, press: ButtonPress, subject: Subject) -> OutgoingText:
    """Return what stands in the group instead of what is known of somebody who hides it."""
    if press.user_id != subject.member or press.user_id in press.state.opted_out:
        return localized_text(press.language, "facts_hidden")
    rows = ((_visibility(policy, press.state, subject, press.language),),)
    return localized_text(press.language, "facts_hidden_now", rows)
