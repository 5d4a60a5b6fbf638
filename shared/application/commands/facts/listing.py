"""Facts as people are shown them: eight at a time by category, and those that somebody means by a few words.

A page keeps its order while nothing changes: it is that of categories, then of confidence, never of age, which passes.
What opted-out members said, and what is about them, is never here (`profiles.subject_facts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple, get_args

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.commands.call import Scene
from shared.application.conversation.consent_gate import may_speak
from shared.application.delivery.wording import Rows, quotable, text, word
from shared.application.documents import fact_path, member_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.profiles import hides_facts, subject_facts
from shared.application.people.member_codec import read_member
from shared.application.ports.chat import Button, OutgoingText
from shared.application.ports.store import DocumentStore
from shared.application.recall.search import label_people
from shared.domain.delivery.markup import escape
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES, Fact, Status
from shared.domain.facts.profile import ProfileFact, people_in
from shared.domain.intake.buttons import short_id
from shared.domain.text.language import Language, fold
from shared.domain.text.names import same_stem
from shared.domain.text.plain import one_line
from shared.domain.text.terms import words_of

PAGE = 8
"""Facts on a page: with the longest descriptions still under Telegram's limit, one row of buttons."""

MOST_FOUND = 6
"""Facts offered for a few words."""

MOST_NAME = 40
"""Characters shown of a name or another word that somebody typed."""

_DESCRIPTION, _STEPS, _IN_A_ROW = 180, 5, 3  # characters, marks of a bar, categories in a row of buttons
_CHAT, _MEMBER = "chat", "user:"


# --- whom facts are about, and what is known of them --------------------------------------------


class Subject(NamedTuple):
    """The subject of some facts.

    Attributes:
        name: What a member is called, or "" when nobody knows, and for the chat.
        is_hidden: Whether they alone may see what is known of them.
    """

    id: str
    name: str = ""
    is_hidden: bool = False

    @property
    def member(self) -> int | None:
        """Their user id; None for the chat."""
        return None if self.id == _CHAT else int(self.id.removeprefix(_MEMBER))

    def may_be_shown_in(self, chat_id: int) -> bool:
        """Return whether what is known may stand in a chat: in a group everybody reads it, whoever asked for it."""
        return not self.is_hidden or chat_id == self.member


def member_subject(user_id: int) -> str:
    """The subject of what is known of a member."""
    return f"{_MEMBER}{user_id}"


async def read_subject(store: DocumentStore, state: ChatState, subject: str) -> Subject:
    """Return whom a subject means, with what they chose about who may see it; costs a read for a member."""
    known = Subject(subject)
    if known.member is None:
        return known
    document = await store.get(member_path(state.chat_id, known.member))
    name = "" if document is None else read_member(document).name
    return Subject(subject, one_line(name, MOST_NAME), hides_facts(document) or not may_speak(state, known.member))


async def list_facts(app: App, state: ChatState, subject: str) -> list[ProfileFact]:
    """The facts about a subject in the order in which they are shown: the rules of a chat first, and of each category
    what an admin said first, so that they stand on the first page however much else there is."""
    found = await subject_facts(app.store, app.policy, state, [subject], now=app.clock.now())
    order = {category: place for place, category in enumerate(categories_of(subject))} | {"rule": -1}

    def place(fact: ProfileFact) -> tuple[int, bool, float, int, str]:
        admins = fact.authority is Authority.ADMIN
        return order.get(fact.category, len(order)), not admins, -fact.confidence, -fact.evidence_count, fact.id

    said_by = {quote.user_id: quote.name for fact in found[subject] for quote in fact.evidence if quote.name}
    labels = await label_people(app, state, said_by) if said_by else {}

    def label(fact: ProfileFact) -> ProfileFact:
        quotes = (quote._replace(name=labels.get(quote.user_id, "")) for quote in fact.evidence)
        return fact._replace(evidence=tuple(quotes))

    return [label(fact) for fact in sorted(found[subject], key=place)]


async def find_facts(app: App, state: ChatState, words: str, subject: str = _CHAT) -> list[Fact]:
    """The active facts about a subject that somebody means by a few words, whole.

    Best first: those that share most of the words, in whatever form, then as facts are ranked; at most `MOST_FOUND`,
    none when no word is shared.
    """
    wanted = frozenset(words_of(words))
    if not wanted:
        return []
    known = (await subject_facts(app.store, app.policy, state, [subject], now=app.clock.now()))[subject]
    shared = {fact.id: len(wanted & _terms(fact)) for fact in known}
    best = sorted((fact for fact in known if shared[fact.id]), key=lambda fact: -shared[fact.id])[:MOST_FOUND]
    found = await app.store.get_many([fact_path(state.chat_id, fact.id) for fact in best])
    facts = [fact_from_fields(each.data, consensus=app.policy.consensus) for each in found if each is not None]
    return [fact for fact in facts if fact.status is Status.ACTIVE]


def _terms(fact: ProfileFact) -> frozenset[str]:
    """Everything by which somebody may name a fact: its slot, what it says, and what was said."""
    said = (fact.key.replace("_", " "), fact.value, fact.description, *(quote.quote for quote in fact.evidence))
    return frozenset(words_of("\n".join(said)))


def categories_of(subject: str) -> tuple[str, ...]:
    """The categories that facts about a subject may have, in their order."""
    return CHAT_CATEGORIES if subject == _CHAT else MEMBER_CATEGORIES


def category_named(words: str, categories: Sequence[str]) -> str | None:
    """The category that somebody names in Ukrainian, in English or by its key, also in another form of the word."""
    wanted = fold(words[:MOST_NAME].replace("_", " "))
    named = {
        each: {each.replace("_", " "), *(fold(word(spoken, f"category_{each}")) for spoken in get_args(Language))}
        for each in categories
    }
    exact = (category for category, names in named.items() if wanted in names)
    alike = (category for category, names in named.items() if any(same_stem(wanted, name) for name in names))
    return next(exact, None) or next(alike, None)


# --- how they are shown -------------------------------------------------------------------------


class ListingPage(NamedTuple):
    """The part of a subject's facts that is shown.

    Attributes:
        category: One of the subject's, or "" for all.
        page: From 1; one that is gone means the last.
    """

    category: str = ""
    page: int = 1

    def of(self, facts: Sequence[ProfileFact]) -> list[ProfileFact]:
        """Return those of its category, of all pages."""
        return [fact for fact in facts if self.category in ("", fact.category)]

    def turn_to(self, facts: Sequence[ProfileFact], fact_id: str) -> ListingPage:
        """Return the page on which a fact stands, the first when it is not among those shown."""
        ids = [fact.id for fact in self.of(facts)]
        return self._replace(page=ids.index(fact_id) // PAGE + 1 if fact_id in ids else 1)


def confidence_bar(confidence: float) -> str:
    """`▰▰▰▰▱ 86%`."""
    full = round(confidence * _STEPS)
    return f"{'▰' * full}{'▱' * (_STEPS - full)} {confidence:.0%}"


def quote_line(here: Scene, words: str, name: str, sent_at: datetime) -> str:
    """Words of a member on one line, with their name and the day, as markup."""
    who = one_line(name, MOST_NAME) or here.word("facts_somebody")
    return here.say("card_quote", quote=quotable(here.language, words), name=who, date=here.day(sent_at))


def render_facts(here: Scene, subject: Subject, facts: Sequence[ProfileFact], view: ListingPage) -> OutgoingText:
    """One page of a list, with buttons for the card of each fact, the pages and the categories.

    Args:
        facts: All of the subject's (`list_facts`), at least one.
    """
    shown = view.of(facts)
    last = max(1, -(-len(shown) // PAGE))
    view = view._replace(page=min(max(view.page, 1), last))
    first = (view.page - 1) * PAGE
    numbered = list(enumerate(shown[first : first + PAGE], start=first + 1))
    title = "facts_of_chat" if subject.member is None else "facts_of_member"
    name = subject.name or here.word("facts_somebody")
    lines = [here.say(title, name=name, count=str(len(facts))), *_page_lines(here, numbered)]
    if not shown:
        lines += ["", here.say("facts_none_in_category", category=here.word(f"category_{view.category}"))]
    narrowed = "1" if view.category else ""
    cards = tuple(here.button(str(number), "card", short_id(fact.id), narrowed) for number, fact in numbered)
    rows = (cards, _page_buttons(here, subject, view, last), *_category_buttons(here, subject, facts, view))
    people = people_in(fact for _, fact in numbered).union(() if subject.member is None else (subject.member,))
    return text("\n".join(lines), tuple(row for row in rows if row), people=people)


def _page_lines(here: Scene, numbered: Sequence[tuple[int, ProfileFact]]) -> Iterator[str]:
    for category, group in groupby(numbered, key=lambda each: each[1].category):
        yield from ("", f"<b>{escape(here.word(f'category_{category}'))}</b>")
        for number, fact in group:
            pin = " 📌" if fact.pinned_at is not None else ""
            yield f"<b>{number}.</b> {escape(one_line(fact.description, _DESCRIPTION))}{pin}"
            counted = here.say("facts_quotes", count=str(fact.evidence_count))
            newest = here.link(max(fact.evidence, key=lambda said: said.sent_at).message_id) if fact.evidence else None
            linked = counted if newest is None else f'<a href="{escape(newest)}">{counted}</a>'
            yield f"{confidence_bar(fact.confidence)} · {linked}"


def list_button(here: Scene, label: str, subject: Subject, view: ListingPage) -> Button:
    """A button that shows a page of a list."""
    return here.button(label, "list", "" if subject.member is None else subject.member, view.category, view.page)


def _page_buttons(here: Scene, subject: Subject, view: ListingPage, last: int) -> tuple[Button, ...]:
    places = (("◀", view.page - 1), (f"{view.page}/{last}", view.page), ("▶", view.page + 1)) if last > 1 else ()
    return tuple(
        list_button(here, label, subject, view._replace(page=page)) for label, page in places if 1 <= page <= last
    )


def _category_buttons(here: Scene, subject: Subject, facts: Sequence[ProfileFact], view: ListingPage) -> Rows:
    """All categories that have facts, the chosen one marked; none where there is nothing to choose."""
    there = list(dict.fromkeys(fact.category for fact in facts))
    if there == [view.category] or (len(there) < 2 and not view.category):
        return ()
    choices = [("", here.word("facts_all")), *((each, here.word(f"category_{each}")) for each in there)]
    row = [
        list_button(here, f"• {label}" if category == view.category else label, subject, ListingPage(category))
        for category, label in choices
    ]
    return tuple(tuple(row[at : at + _IN_A_ROW]) for at in range(0, len(row), _IN_A_ROW))
