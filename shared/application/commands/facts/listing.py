"""Facts as people are shown them: eight at a time by category, and those that somebody means by a few words.

A page keeps its order while nothing changes: it is that of categories, then of confidence, never of age, which passes.
What opted-out members said, and what is about them, is never here (`profiles.subject_facts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from itertools import groupby
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.facts.subjects import _CHAT, MOST_NAME, Subject
from shared.application.conversation.message_codec import reply_context_field
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.wording import Rows, button, quotable, text
from shared.application.documents import fact_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.profiles import subject_facts
from shared.application.policy import Policy
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.domain.conversation.links import message_link
from shared.domain.delivery.markup import escape, plain
from shared.domain.facts.fact import Fact, Status
from shared.domain.facts.profile import ProfileFact, people_in
from shared.domain.intake.buttons import short_id
from shared.domain.text.language import Language, fold
from shared.domain.text.names import same_stem
from shared.domain.text.plain import one_line
from shared.domain.text.terms import words_of
from shared.locales import say

PAGE = 8
"""Facts on a page: with the longest descriptions still under Telegram's limit, one row of buttons."""

MOST_FOUND = 6
"""Facts offered for a few words."""


_DESCRIPTION, _STEPS, _IN_A_ROW = 180, 5, 3  # characters, marks of a bar, categories in a row of buttons
_LANGUAGES: tuple[Language, ...] = ("uk", "en")


class ListingPage(NamedTuple):
    """What of a subject's facts is shown.

    Attributes:
        category: One of the subject's, or "" for all.
        page: From 1; one that is gone means the last.
    """

    category: str = ""
    page: int = 1


def category_named(words: str, categories: Sequence[str]) -> str | None:
    """The category that somebody names in Ukrainian, in English or by its key, also in another form of the word."""
    wanted = fold(words[:MOST_NAME].replace("_", " "))
    named = {
        category: {category.replace("_", " "), *(fold(plain(say(each, f"category_{category}"))) for each in _LANGUAGES)}
        for category in categories
    }
    exact = (category for category, names in named.items() if wanted in names)
    alike = (category for category, names in named.items() if any(same_stem(wanted, name) for name in names))
    return next(exact, None) or next(alike, None)


def page_of(facts: Sequence[ProfileFact], fact_id: str, category: str) -> int:
    """The page on which a fact stands, 1 when it is not among those shown."""
    ids = [fact.id for fact in _of_category(facts, category)]
    return ids.index(fact_id) // PAGE + 1 if fact_id in ids else 1


def confidence_bar(confidence: float) -> str:
    """`▰▰▰▰▱ 86%`."""
    full = round(confidence * _STEPS)
    return f"{'▰' * full}{'▱' * (_STEPS - full)} {confidence:.0%}"


def render_facts(
    policy: Policy,
    state: ChatState,
    subject: Subject,
    facts: Sequence[ProfileFact],
    view: ListingPage,
    language: Language,
) -> OutgoingText:
    """One page of a list, with buttons for the card of each fact, the pages and the categories.

    Args:
        facts: All of the subject's (`listed_facts`), at least one.
    """
    shown = _of_category(facts, view.category)
    last = max(1, -(-len(shown) // PAGE))
    view = ListingPage(view.category, min(max(view.page, 1), last))
    first = (view.page - 1) * PAGE
    numbered = list(enumerate(shown[first : first + PAGE], start=first + 1))
    lines = [_title(subject, len(facts), language), *_page_lines(state, numbered, language)]
    if not shown:
        lines += ["", say(language, "facts_none_in_category", category=_category(language, view.category))]
    rows = (
        _card_buttons(policy, state, numbered, view),
        _page_buttons(policy, state, subject, view, last),
        *_category_buttons(policy, state, subject, facts, view, language),
    )
    people = people_in(fact for _, fact in numbered).union(() if subject.member is None else (subject.member,))
    return text("\n".join(lines), tuple(row for row in rows if row), people=people)


def item_line(number: int, fact: ProfileFact) -> str:
    """A fact's description after its number, as markup."""
    pin = " 📌" if fact.pinned_at is not None else ""
    return f"<b>{number}.</b> {escape(one_line(fact.description, _DESCRIPTION))}{pin}"


def quote_line(words: str, name: str, sent_at: datetime, zone: tzinfo, language: Language) -> str:
    """Words of a member on one line, with their name and the day, as markup."""
    return say(
        language,
        "card_quote",
        quote=quotable(language, words),
        name=one_line(name, MOST_NAME) or plain(say(language, "facts_somebody")),
        date=f"{sent_at.astimezone(zone):%d.%m.%Y}",
    )


def quote_link(state: ChatState, message_id: int) -> str | None:
    """The link to a quoted message, where Telegram has one, as it stands in markup."""
    link = message_link(state.chat_id, message_id, username=state.username)
    return None if link is None else escape(link)


def _title(subject: Subject, count: int, language: Language) -> str:
    if subject.member is None:
        return say(language, "facts_of_chat", count=str(count))
    name = subject.name or plain(say(language, "facts_somebody"))
    return say(language, "facts_of_member", name=name, count=str(count))


def _page_lines(state: ChatState, numbered: Sequence[tuple[int, ProfileFact]], language: Language) -> Iterator[str]:
    for category, group in groupby(numbered, key=lambda each: each[1].category):
        yield from ("", f"<b>{escape(_category(language, category))}</b>")
        for number, fact in group:
            yield item_line(number, fact)
            yield f"{confidence_bar(fact.confidence)} · {_count_quotes(state, fact, language)}"


def _count_quotes(state: ChatState, fact: ProfileFact, language: Language) -> str:
    """Return how many quotes there are, with a link to the newest."""
    counted = say(language, "facts_quotes", count=str(fact.evidence_count))
    link = quote_link(state, fact.evidence[-1].message_id) if fact.evidence else None
    return counted if link is None else f'<a href="{link}">{counted}</a>'


def _of_category(facts: Sequence[ProfileFact], category: str) -> list[ProfileFact]:
    return [fact for fact in facts if category in ("", fact.category)]


def _category(language: Language, category: str) -> str:
    return plain(say(language, f"category_{category}"))


# --- buttons ------------------------------------------------------------------------------------


def _card_buttons(
    policy: Policy, state: ChatState, numbered: Sequence[tuple[int, ProfileFact]], view: ListingPage
) -> tuple[Button, ...]:
    narrowed = "1" if view.category else ""
    return tuple(
        button(policy, state.chat_id, str(number), "card", short_id(fact.id), narrowed) for number, fact in numbered
    )


def list_button(policy: Policy, state: ChatState, label: str, subject: Subject, view: ListingPage) -> Button:
    """A button that shows a page of a list."""
    whom = "" if subject.member is None else subject.member
    return button(policy, state.chat_id, label, "list", whom, view.category, view.page)


def _page_buttons(
    policy: Policy, state: ChatState, subject: Subject, view: ListingPage, last: int
) -> tuple[Button, ...]:
    if last == 1:
        return ()
    places = (("◀", view.page - 1), (f"{view.page}/{last}", view.page), ("▶", view.page + 1))
    return tuple(
        list_button(policy, state, label, subject, view._replace(page=page))
        for label, page in places
        if 1 <= page <= last
    )


def _category_buttons(
    policy: Policy,
    state: ChatState,
    subject: Subject,
    facts: Sequence[ProfileFact],
    view: ListingPage,
    language: Language,
) -> Rows:
    """All categories that have facts, the chosen one marked; none where there is nothing to choose."""
    there = list(dict.fromkeys(fact.category for fact in facts))
    if there == [view.category] or (len(there) < 2 and not view.category):
        return ()
    choices = [("", plain(say(language, "facts_all"))), *((each, _category(language, each)) for each in there)]
    row = [
        list_button(policy, state, f"• {label}" if category == view.category else label, subject, ListingPage(category))
        for category, label in choices
    ]
    return tuple(tuple(row[at : at + _IN_A_ROW]) for at in range(0, len(row), _IN_A_ROW))


# --- finding ------------------------------------------------------------------------------------


async def find_facts(app: App, state: ChatState, words: str, subject: str = _CHAT) -> list[Fact]:
    """The active facts about a subject that somebody means by a few words, whole.

    Best first: those that share most of the words, in whatever form, then as facts are ranked; at most `MOST_FOUND`,
    none when no word is shared.
    """
    wanted = frozenset(words_of(words))
    known = (
        (await subject_facts(app.store, app.policy, state, [subject], now=app.clock.now()))[subject] if wanted else []
    )
    shared = {fact.id: len(wanted & _terms(fact)) for fact in known}
    best = sorted((fact for fact in known if shared[fact.id]), key=lambda fact: -shared[fact.id])[:MOST_FOUND]
    found = await app.store.get_many([fact_path(state.chat_id, fact.id) for fact in best])
    facts = [fact_from_fields(each.data, consensus=app.policy.consensus) for each in found if each is not None]
    return [fact for fact in facts if fact.status is Status.ACTIVE]


def _terms(fact: ProfileFact) -> frozenset[str]:
    """Everything by which somebody may name a fact: its slot, what it says, and what was said."""
    said = (fact.key.replace("_", " "), fact.value, fact.description, *(quote.quote for quote in fact.evidence))
    return frozenset(words_of("\n".join(said)))


async def means_fact(
    store: DocumentStore,
    clock: Clock,
    chat_id: int,
    message_id: int,
    fact_id: str | None,
    card: OutgoingText | None = None,
) -> None:
    """Note that a message of the bot shows the card of a fact now, so that a reply to it means that fact, or no longer
    does (None)."""
    context = None if fact_id is None else card_asks(fact_id, card)._replace(since=clock.now())
    await store.update(message_path(chat_id, message_id), reply_context_field(context))


def card_asks(fact_id: str, card: OutgoingText | None = None) -> ReplyContext:
    """Return what a reply to the card of a fact means; with the words that it shows, where one may vote on them."""
    marked = [each.data.split("|") for row in card.buttons for each in row] if card is not None else []
    words = next((parts[2] for parts in marked if parts[0] == "yes"), "")
    return ReplyContext("gryadfix", "card", fact_id, words=words)
