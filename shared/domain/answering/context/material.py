"""The material of one answer as plain data, and the context that the model is given of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Literal, NamedTuple

from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact
from shared.domain.people.labels import Identity
from shared.domain.recall.index.note import Note
from shared.domain.text.language import Language

Format = Literal["compact", "meta"]


class Excerpt(NamedTuple):
    """A message that a search found.

    Attributes:
        around: It and its neighbours, in the order of talk.
        link: Where it can be seen, or None.
    """

    message: Message
    around: tuple[Message, ...]
    link: str | None = None


class ContextFileText(NamedTuple):
    """The chat's CONTEXT.md: its lines, when it was written, the number of its revision, and whose words are in it."""

    text: str
    written_at: datetime
    revision: int = 0
    people: frozenset[int] = frozenset()


class ChatFacts(NamedTuple):
    """Facts, best first, with the limits of the chat's profile."""

    facts: Sequence[ProfileFact]
    limit: int
    tokens: int


NO_FACTS = ChatFacts((), 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that was gathered for one answer; empty is what could not be had.

    Attributes:
        rules: The constant text of the prompt: who the bot is and how to answer and read.
        question: The message to answer.
        language: Of the answer.
        zone: In which days begin and clocks are read.
        earlier: What its author asked right before it: one answer serves it all.
        talk: What was said before the question, oldest first.
        later: What was said since, before the answer is made, oldest first.
        portrait, portrait_of: What the group is like, in a few sentences, or "", and whose words it was made from.
        found: Best first.
        named: Facts about other members, best first: whom the question names, or that it picks.
        names: What these members are called, by user id.
        headings: What the asker calls each category of facts, in order.
        people: What more is known of those who are told of, and of their namesakes, by user id.
        metas, summaries: The newest summaries of summaries and of chunks, newest first.
        key_facts, episodes: Chunks' notes and episodes that the question is about, best first.
        links: Where messages can be seen from which facts and notes were made, by id; those that expired have none.
    """

    rules: str
    question: Message
    language: Language
    now: datetime
    zone: tzinfo
    bot_id: int
    bot_name: str
    chat: ChatFacts = NO_FACTS
    portrait: str = ""
    portrait_of: frozenset[int] = frozenset()
    asker: Sequence[ProfileFact] = ()
    asker_limit: int = 10
    named: Sequence[ProfileFact] = ()
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    headings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    people: Mapping[int, Identity] = field(default_factory=lambda: MappingProxyType({}))
    earlier: Sequence[Message] = ()
    talk: Sequence[Message] = ()
    later: Sequence[Message] = ()
    found: Sequence[Excerpt] = ()
    context_file: ContextFileText | None = None
    metas: Sequence[Note] = ()
    summaries: Sequence[Note] = ()
    key_facts: Sequence[Note] = ()
    episodes: Sequence[Note] = ()
    links: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


class ShownTurn(NamedTuple):
    """One entry of the conversation as the model is given it."""

    role: Literal["user", "model"]
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """The context that the model is given for one answer.

    Attributes:
        system: The system instruction: the rules, then what is remembered, what changes least first.
        turns: The talk and the question; the last is the user's.
        tokens: By layer, the rules and the question among them, as estimated; in the order in which they stand.
        messages: Ids of the messages shown.
        found: Those of them that the search brought, or that stand beside these.
        notes: Kind and id of the notes shown.
        facts: Ids of the facts shown, in the order in which they stand.
        has_context_file, has_portrait: Whether CONTEXT.md and what the group is like are shown.
        citations: Markdown that stands for a message that may be cited, or a fact or note learnt from it, by its id.
        handles: What the people are called, by user id.
    """

    system: str
    turns: tuple[ShownTurn, ...]
    tokens: Mapping[str, int]
    messages: frozenset[int]
    notes: frozenset[tuple[str, str]]
    citations: Mapping[int, str]
    handles: Mapping[int, str]
    found: frozenset[int] = frozenset()
    facts: tuple[str, ...] = ()
    has_context_file: bool = False
    has_portrait: bool = False

    @property
    def total(self) -> int:
        """Tokens of everything."""
        return sum(self.tokens.values())
