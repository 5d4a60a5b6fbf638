"""Whom a list of facts is about, and what is known of them."""

from __future__ import annotations

from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.documents import member_path
from shared.application.facts.profiles import hides_facts, subject_facts
from shared.application.people.member_codec import read_member
from shared.application.ports.store import DocumentStore
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.facts.profile import ProfileFact
from shared.domain.text.plain import one_line

MOST_NAME = 40
"""Characters shown of a name or another word that somebody typed."""


_CHAT, _MEMBER = "chat", "user:"


class Subject(NamedTuple):
    """Whom facts are about.

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


def about_member(user_id: int) -> str:
    """The subject of what is known of a member."""
    return f"{_MEMBER}{user_id}"


async def read_subject(store: DocumentStore, state: ChatState, subject: str) -> Subject:
    """Return whom a subject means, with what they chose about who may see it; costs a read for a member."""
    known = Subject(subject)
    if known.member is None:
        return known
    document = await store.get(member_path(state.chat_id, known.member))
    name = "" if document is None else read_member(document).name
    is_hidden = hides_facts(document) or known.member in state.opted_out
    return Subject(subject, one_line(name, MOST_NAME), is_hidden)


async def listed_facts(app: App, state: ChatState, subject: str) -> list[ProfileFact]:
    """The facts about a subject in the order in which they are shown: the rules of a chat first, and of each category
    what an admin said first, so that they stand on the first page however much else there is."""
    found = await subject_facts(app.store, app.policy, state, [subject], now=app.clock.now())
    order = {category: place for place, category in enumerate(categories_of(subject))} | {"rule": -1}

    def place(fact: ProfileFact) -> tuple[int, bool, float, int, str]:
        admins = fact.authority is Authority.ADMIN
        return order.get(fact.category, len(order)), not admins, -fact.confidence, -fact.evidence_count, fact.id

    return sorted(found[subject], key=place)


def categories_of(subject: str) -> tuple[str, ...]:
    """The categories that facts about a subject may have, in their order."""
    return CHAT_CATEGORIES if subject == _CHAT else MEMBER_CATEGORIES
