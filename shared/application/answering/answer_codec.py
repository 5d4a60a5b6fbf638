"""The codec of what an answer was made from (`provenance`), kept beside the answer: `documents.answer_path`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, NamedTuple

from shared.application.derived_codec import DerivedCodec, picked_fields
from shared.application.documents import chat_path
from shared.application.ports.model import WebSource
from shared.application.ports.store import Document, Filter, OpenFilter
from shared.domain.facts.profile import ProfileQuote
from shared.domain.text.plain import one_line

MAX_TEXT = 200
"""Characters kept of a message: what it begins with is still verbatim."""

How = Literal["found", "reply", "talk", "tool"]
"""The way of a message to the model: the search brought it, the question replies to it, it stood right before, or a
tool returned it."""


@dataclass(frozen=True, slots=True)
class FactGiven:
    """A fact as it was. What `ProfileFact` has under the same name means the same.

    Attributes:
        leans: Whether the answer leans on it, as far as its words tell.
    """

    id: str
    subject: str
    category: str
    value: str
    description: str
    confidence: float
    quotes: tuple[ProfileQuote, ...] = ()
    leans: bool = False


@dataclass(frozen=True, slots=True)
class MessageGiven:
    """A message. Of the talk no words are kept: then `name` and `text` are "".

    Attributes:
        text: What it begins with, or what its file shows.
        leans: As of `FactGiven`.
    """

    message_id: int
    how: How
    user_id: int | None = None
    name: str = ""
    sent_at: datetime | None = None
    text: str = ""
    leans: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The provenance of one answer; facts and messages best first: those that it leans on, then as they were ranked.

    Attributes:
        question: Ids of the message that asks and of its author, and when it was sent.
        model: Its name, or `OFFLINE`.
        notes: Kind and id of summaries and episodes.
        revision: Number of the revision of CONTEXT.md, or None when it was not given.
        portrait: Whether what the group is like was.
        tools: Name and ending of each call.
        left_out: Memories that are not kept here for want of room.
        people: Who asks, and whose words or facts were among all of it, those left out as well, and in CONTEXT.md and
            the portrait.
    """

    question: tuple[int, int, datetime]
    made_at: datetime
    model: str
    facts: tuple[FactGiven, ...] = ()
    messages: tuple[MessageGiven, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    revision: int | None = None
    portrait: bool = False
    tools: tuple[tuple[str, str], ...] = ()
    pages: tuple[WebSource, ...] = ()
    left_out: int = 0
    people: tuple[int, ...] = ()


def answers_path(chat_id: int) -> str:
    """Return the collection of what a chat's answers were made from."""
    return f"{chat_path(chat_id)}/answers"


asked_by = OpenFilter[int]("question.user_id", "==")
"""The condition that an answer was asked for by somebody."""

made_since = OpenFilter[datetime]("made_at", ">=")
"""The condition that an answer was made at a moment or later."""

_APART = ("question", "messages", "notes", "tools", "pages")
_GIVEN = DerivedCodec(Given, names={"revision": "board"}, apart=_APART)


def given_fields(given: Given) -> dict[str, Any]:
    """Return the document; words or ids of somebody stand beside `user_id` and `message_id` (`forgetting.scope`)."""
    message_id, user_id, sent_at = given.question
    return {
        **_GIVEN.fields(given),
        "question": {"message_id": message_id, "user_id": user_id, "sent_at": sent_at},
        "messages": [_message_to_fields(message) for message in given.messages],
        "notes": [{"kind": kind, "id": note_id} for kind, note_id in given.notes],
        "tools": [{"name": name, "ending": str(ending)} for name, ending in given.tools],
        "pages": [{"title": one_line(page.title, MAX_TEXT), "url": page.url} for page in given.pages],
    }


def _message_to_fields(message: MessageGiven) -> dict[str, Any]:
    fields: dict[str, Any] = {"message_id": message.message_id, "how": message.how, "leans": message.leans}
    fields |= {"user_id": message.user_id, "sent_at": message.sent_at}
    return fields if message.how == "talk" else fields | {"name": message.name, "text": message.text}


def read_given(data: Mapping[str, Any]) -> Given:
    """Return what an answer was made from; of one of an earlier day nobody is noted in `people`."""
    asking = data["question"]
    return _GIVEN.read(
        data,
        question=(asking["message_id"], asking["user_id"], asking["sent_at"]),
        messages=tuple(MessageGiven(**fields) for fields in data.get("messages", ())),
        notes=tuple((note["kind"], note["id"]) for note in data.get("notes", ())),
        tools=tuple((tool["name"], tool["ending"]) for tool in data.get("tools", ())),
        pages=tuple(WebSource(page["title"], page["url"]) for page in data.get("pages", ())),
    )


_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class AnswerSources(NamedTuple):
    """The part of what an answer was made from that tells whose it is; of an old answer what was not noted is empty.

    Attributes:
        made_at: Long ago where it does not tell.
        fact_ids, subjects: Of the facts.
        note_ids: Of summaries and episodes.
        people, left_out: As of `Given`.
    """

    made_at: datetime
    message_ids: frozenset[int]
    fact_ids: frozenset[str]
    subjects: frozenset[str]
    note_ids: tuple[str, ...]
    people: frozenset[int]
    left_out: int


def read_sources(document: Document) -> AnswerSources:
    """Read of an answer's record only whose it is, whatever else it holds."""
    data = document.data
    return AnswerSources(
        made_at=data.get("made_at", _LONG_AGO),
        message_ids=frozenset(message["message_id"] for message in data.get("messages", ())),
        fact_ids=frozenset(fact.get("id", "") for fact in data.get("facts", ())),
        subjects=frozenset(fact.get("subject", "") for fact in data.get("facts", ())),
        note_ids=tuple(note["id"] for note in data.get("notes", ())),
        people=frozenset(data.get("people") or ()),
        left_out=data.get("left_out", 0),
    )


def made_between(start: datetime, end: datetime) -> list[Filter]:
    """Return the conditions that an answer was made between two instants, both included."""
    return [made_since(start), Filter("made_at", "<=", end)]


def fact_ids_given(document: Document) -> tuple[str, ...]:
    """Return the ids of the facts that an answer was made from, best first."""
    return tuple(fact["id"] for fact in document.data["facts"])


shown_answer = partial(picked_fields, names=("made_at", "model"))
"""Picks what a member is shown of an answer that was made for them."""


def asking_message_id(document: Document) -> int:
    """Return the id of the message that was answered."""
    message_id: int = document.data["question"]["message_id"]
    return message_id
