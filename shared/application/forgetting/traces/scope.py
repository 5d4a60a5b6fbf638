"""The scope of a forgetting in a chat, and whether something stored is part of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.ports.store import Document
from shared.application.recall.head_codec import segment_of
from shared.domain.conversation.messages import Message, migrated_message_id
from shared.domain.people.naming import people_marked, plain_names
from shared.domain.recall.index.segment import Segment, SegmentUnreadable
from shared.domain.text.language import tokens

_SAID_AT = ("sent_at", "at", "last_seen_at")
_TIMES = ("sent_at", "at", "last_at", "made_at", "last_seen_at", "updated_at", "last_reinforced_at")
_PEOPLE = ("people", "speakers", "user_ids", "supporters", "reacted_by", "origin_ids")
_MESSAGES = ("message_ids", "evidence_message_ids")


class Reference(NamedTuple):
    """A part of a document (or all of it) that names somebody or a message: a quote, a voice, a ruling, a message.

    Attributes:
        user_id, message_id: Whom and which message it names, or None.
        said_at: When that was said or decided, or None.
        quote: The words that it quotes, or None.
        fields: All of it, as stored.
    """

    user_id: int | None
    message_id: int | None
    said_at: datetime | None
    quote: str | None
    fields: Mapping[str, Any]


def collection_of(document: Document) -> str:
    """Return the collection of a chat in which a document lies, however deep ("messages"); "" outside of these."""
    top, *rest = document.path.split("/")
    return rest[1] if top == "chats" and len(rest) > 1 else ""


def is_chat(document: Document) -> bool:
    """Return whether it is a chat's own document."""
    return document.path.startswith("chats/") and document.path.count("/") == 1


def texts(value: Any) -> Iterator[str]:
    """Yield every text in a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def references(value: Any) -> Iterator[Reference]:
    """Yield every quote, voice and ruling in a document, and the document itself when it names somebody."""
    if isinstance(value, dict) and ("user_id" in value or "message_id" in value):
        at = next((value[name] for name in _SAID_AT if value.get(name)), None)
        yield Reference(value.get("user_id"), value.get("message_id"), at, value.get("quote"), value)
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from references(inner)


def quotes(value: Any) -> Iterator[Reference]:
    """Yield those references that quote somebody."""
    return (each for each in references(value) if each.quote is not None)


def people_listed(fields: Mapping[str, Any]) -> Iterator[int]:
    """Yield the ids of the members that a document lists, without saying more of them, and of whom it is about."""
    for name in _PEOPLE:
        yield from (each for each in fields.get(name) or () if isinstance(each, int))
    subject = str(fields.get("subject"))
    if subject.startswith("user:"):
        yield int(subject.removeprefix("user:"))


def messages_listed(fields: Mapping[str, Any]) -> Iterator[int]:
    """Yield the ids of the messages that a document lists, without saying more of them."""
    return (each for name in _MESSAGES for each in fields.get(name) or () if isinstance(each, int))


def begun_at(fields: Mapping[str, Any]) -> datetime | None:
    """Return when what a document tells of was said or first seen; None when it does not tell."""
    at: datetime | None = fields.get("sent_at") or fields.get("first_seen_at")
    return at


def instant_of(fields: Mapping[str, Any]) -> datetime | None:
    """Return when a document, or a part of one, was said, made or changed; None when it does not tell."""
    return next((at for name in _TIMES if isinstance(at := fields.get(name), datetime)), None)


def segment_in(document: Document) -> Segment | None:
    """Return the segment of the index that a document holds; None when it holds none that can be read."""
    try:
        return segment_of(document)[0]
    except SegmentUnreadable:
        return None


class Scope(NamedTuple):
    """Messages, or all words of a member up to an instant, or both.

    Attributes:
        user_id: The member, or None when only messages are meant.
        message_ids: Messages that go, the member's among them as far as they are still stored.
        until: What the member said later stays.
        origin_ids, origin_names: Ids and marks of names (`name_mark`) by which others' messages say that they quote,
            answer or forward the member.
    """

    chat_id: int
    user_id: int | None
    message_ids: frozenset[int]
    until: datetime
    origin_ids: frozenset[int] = frozenset()
    origin_names: frozenset[str] = frozenset()

    @property
    def subject(self) -> str | None:
        """The subject of the facts about the member, or None."""
        return None if self.user_id is None else f"user:{self.user_id}"

    def before_moving(self, old_id: int) -> Scope:
        """Return the same under the id that the chat had before it became a supergroup."""
        shift = migrated_message_id(0)
        return self._replace(chat_id=old_id, message_ids=frozenset(n - shift for n in self.message_ids if n < 0))

    def covers(self, message_id: int | None, user_id: int | None, at: datetime) -> bool:
        """Return whether words are to be forgotten, or a vote or decision (then without a message)."""
        own = self.user_id is not None and user_id == self.user_id and at <= self.until
        return own or message_id in self.message_ids

    def covers_reference(self, reference: Reference) -> bool:
        """Return whether a quote, voice or ruling is to be forgotten; one without a time counts as old enough."""
        return self.covers(reference.message_id, reference.user_id, reference.said_at or self.until)

    def is_named_in(self, data: Mapping[str, Any]) -> bool:
        """Return whether anywhere in a document something stands that is to be forgotten, by whose it is."""
        return any(self.covers_reference(each) for each in references(data)) or self.is_marked_in(data)

    def is_marked_in(self, value: Any) -> bool:
        """Return whether a name in a text is marked as the member's."""
        return self.user_id in people_marked(*texts(value))

    def covers_message(self, message: Message) -> bool:
        """Return whether a message is to be forgotten by itself, or as the member's."""
        return self.covers(message.message_id, message.user_id, message.sent_at)

    def is_origin(self, message: Message) -> bool:
        """Return whether a message of somebody else carries or answers the member's words.

        Told by what was stored with it: the original may be gone.
        """
        known = not self.origin_ids.isdisjoint(message.origin_ids)
        known = known or not self.origin_names.isdisjoint(message.origin_names)
        return known and message.sent_at <= self.until


class Preview(NamedTuple):
    """A preview of what a forgetting is about, by which the proof recognises it afterwards.

    Attributes:
        chat_ids: Every id of the chat, the present one last (`meant.chat_ids`).
        scope: None for a whole chat.
        words: What was said, as far as nobody else said it.
        counts: What will go, or has gone, by kind.
        until: Of a whole chat in which a new memory has begun since: what is older belongs to the forgotten one. None
            when nothing may be there at all.
        looked_at: How many documents were read, when a few queries showed that nothing else is stored (`presence`);
            None where everything has to be searched.
    """

    chat_ids: Sequence[int]
    scope: Scope | None
    words: ForgottenWords
    counts: Mapping[str, int]
    until: datetime | None = None
    looked_at: int | None = None


RUN = 3
"""Words of a run: two occur by chance in any two texts about one matter."""

_LONG = 4
"""Letters of a single word that may give a text away: shorter ones are mostly grammar."""

Run = tuple[str, ...]


class ForgottenWords:
    """The words that were said, as far as nobody else has said them.

    Attributes:
        runs: Runs of words by which a text that repeats it verbatim is recognised.
        single: Words that occur nowhere else, of at least `shortest` letters.
    """

    def __init__(self, texts: Iterable[str] = (), *, shortest: int = _LONG) -> None:
        self.runs: set[Run] = set()
        self.single: set[str] = set()
        for text in texts:
            words = tokens(text)
            self.runs |= _runs(words, RUN) if len(words) >= RUN else {tuple(words)} if len(words) > 1 else set()
            self.single |= {word for word in words if len(word) >= shortest}

    def __bool__(self) -> bool:
        return bool(self.runs or self.single)

    def leave_out(self, text: str) -> None:
        """Remove what somebody else has said as well."""
        words = tokens(text)
        self.runs -= _runs(words, RUN) | _runs(words, 2)
        self.single -= set(words)

    def occur_in(self, text: str) -> bool:
        """Return whether the text repeats a run of it."""
        words = tokens(plain_names(text))
        return not self.runs.isdisjoint(_runs(words, RUN) | _runs(words, 2))

    def occur_in_any(self, texts: Iterable[str]) -> bool:
        """Return whether one of the texts repeats a run of it."""
        return any(self.occur_in(text) for text in texts)

    def echo_in(self, text: str) -> bool:
        """Return whether the text repeats at least one word that occurs nowhere else."""
        return not self.single.isdisjoint(tokens(plain_names(text))) or self.occur_in(text)


def _runs(words: Sequence[str], size: int) -> set[Run]:
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
