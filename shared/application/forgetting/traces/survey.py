"""Looks through everything of a chat for what must be forgotten.

It reads the documents twice: what the other members said themselves must be known before it can be told which words are
nobody else's. That costs two reads a document; memory grows with what is to be forgotten, not with the chat (a few
numbers a note).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.application.documents import answer_path, chat_path
from shared.application.facts.codec import fact_from_fields
from shared.application.forgetting.traces.hearsay import Retold
from shared.application.forgetting.traces.notes import NoteSeen, note_seen
from shared.application.forgetting.traces.retelling import Retellings
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.slots import others_words
from shared.application.forgetting.traces.walk import collection_of, quotes, texts
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore

_OPENING = ("creation", "evolution")
"""Changes that give a fact the value which their own quotes say."""

_NOTES = ("chunks", "metas", "episodes")


@dataclass(slots=True)
class TraceSurvey:
    """What refers to the words, by paths and ids.

    Attributes:
        echoes: Messages that are nobody's own words here (the bot's, forwarded ones) and repeat or answer the words; by
            id.
        quoting: Messages of others that answer the words, or quote them beside their own: these stay; by id.
        reacted: Messages that stay, but keep a reaction of the member.
        slots: Ids of facts.
        quoted: Ids of those facts in which a quote of the member or of a message stands.
        quality: Quality records.
        profiles: Subjects of profiles.
        notes: Every chunk, meta summary and episode, as far as it is needed to judge it.
        media: Descriptions of files.
        summarized: Documents of other members with a portrait.
        given: What answers were made from.
        spent: What the member spent of the model's budget, a day each.
        said: The bot's own messages by id, with when they were stored: those among `echoes`, and those that are meant.
    """

    echoes: dict[int, str] = field(default_factory=dict)
    quoting: dict[int, str] = field(default_factory=dict)
    reacted: list[str] = field(default_factory=list)
    slots: set[str] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)
    quality: list[str] = field(default_factory=list)
    profiles: set[str] = field(default_factory=set)
    notes: list[NoteSeen] = field(default_factory=list)
    media: list[str] = field(default_factory=list)
    summarized: list[str] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    spent: list[str] = field(default_factory=list)
    said: dict[int, datetime] = field(default_factory=dict)


async def leave_others_words(store: DocumentStore, scope: Scope, words: ForgottenWords) -> None:
    """Remove from `words` what other members say themselves, in messages and in quotes whose messages are gone."""
    async for document in store.subtree(chat_path(scope.chat_id)):
        kind = collection_of(document)
        if kind == "messages" and not is_echo(document.data) and not _is_meant(scope, document.data):
            words.leave_out(document.data["text"])
            words.leave_out(document.data.get("media_text") or "")
        elif kind == "facts":
            for text in _said_by_others(scope, document):
                words.leave_out(text)


def _said_by_others(scope: Scope, document: Document) -> Iterator[str]:
    """Yield what a fact, or a version of one, has from other members: their quotes, and the values made of these."""
    data, quoted = document.data, list(quotes(document.data))
    others = [each for each in quoted if not scope.covers_reference(each)]
    yield from (each.quote or "" for each in others)
    if "change" not in data:
        yield from others_words(fact_from_fields(data), scope)
    elif data["change"] in _OPENING and len(others) == len(quoted) and not all(e.fields["agrees"] for e in others):
        yield data["value"]


async def survey(
    store: DocumentStore,
    policy: Policy,
    scope: Scope,
    words: ForgottenWords,
    *,
    whose: int | None,
    retold: Retold | None = None,
) -> TraceSurvey:
    """Find what refers to the words.

    Args:
        whose: The member whose words they are: what the bot said with their words or facts in view goes as well. None
            when only messages are meant.
        retold: Looks for what others retell of the member: these messages go like echoes.
    """
    found, told, own = TraceSurvey(), Retellings(scope, whose, words), dict[int, datetime]()
    async for document in store.subtree(chat_path(scope.chat_id)):
        kind = collection_of(document)
        if kind == "answers":
            told.add_answer(document)
        elif kind == "messages" and document.data["is_bot"]:
            told.add_message(document)
            if document.data["user_id"] == policy.bot_id:
                own[document.data["message_id"]] = document.data["received_at"]
            _survey_bot_message(found, document, scope, words, told)
        else:
            if (look := _LOOKS.get(kind)) is not None:  # in the others nothing of the members stands
                look(found, document, scope, words)
        if retold is not None:
            retold.see(document)
    if retold is not None:
        found.echoes |= retold.messages
        found.quoting |= retold.quoting
    given, said = told.found({*scope.message_ids, *found.echoes}, found.quoted)
    found.given |= given
    found.echoes |= said
    found.said = {each: at for each, at in own.items() if each in found.echoes or each in scope.message_ids}
    return found


def is_echo(message: Mapping[str, Any]) -> bool:
    """Return whether a message's text is nobody's own words in this chat."""
    return bool(message["is_bot"] or message["forwarded"])


def _is_meant(scope: Scope, message: Mapping[str, Any]) -> bool:
    return scope.covers(message["message_id"], message["user_id"], message["sent_at"])


def _survey_bot_message(
    found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords, told: Retellings
) -> None:
    """Look at a message of this or another bot: it goes when it answers the words, shows or repeats them."""
    data = document.data
    if _is_meant(scope, data):
        _made_from(found, document)
        return
    asked = scope.user_id is not None and (data.get("asks") or {}).get("user") == scope.user_id
    to_them = asked or scope.is_origin(data) or told.answers(data)
    if to_them or told.shows(data) or words.repeated_in(_text(data)):
        found.echoes[data["message_id"]] = document.path
        _made_from(found, document)
    elif has_reaction(data, scope):
        found.reacted.append(document.path)


def _message(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    """Look at a message of a member: one that is nobody's own words here goes when it repeats the words."""
    data = document.data
    if _is_meant(scope, data):
        return
    theirs = scope.is_origin(data)
    if is_echo(data):
        if theirs or words.repeated_in(_text(data)):
            found.echoes[data["message_id"]] = document.path
        elif has_reaction(data, scope):
            found.reacted.append(document.path)
    elif theirs or data["reply_to"] in scope.message_ids or words.repeated_in(data["quote"] or ""):
        found.quoting[data["message_id"]] = document.path


def _text(message: Mapping[str, Any]) -> str:
    return f"{message['text']}\n{message.get('media_text') or ''}"


def has_reaction(message: Mapping[str, Any], scope: Scope) -> bool:
    """Return whether a message keeps a reaction of the member that is to be forgotten."""
    kept = (message.get("reacted") or {}).get(str(scope.user_id))
    return kept is not None and kept["at"] <= scope.until


def _made_from(found: TraceSurvey, message: Document) -> None:
    """Note that what the bot's message was made from goes with it."""
    if (answer := message.data.get("answer")) is not None:
        found.given.add(answer_path(int(message.path.split("/")[1]), answer))


def _fact(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    data = document.data
    if any(scope.covers_reference(each) for each in quotes(data)):
        found.quoted.add(document.path.split("/")[3])
    if scope.is_named_in(data) or data["subject"] == scope.subject or words.repeated_in_any(texts(data)):
        found.slots.add(data["conflicts_with"] or document.path.split("/")[3])


def _quality(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    data = document.data
    if not scope.message_ids.isdisjoint(data["message_ids"]) or words.repeated_in_any(texts(data)):
        found.slots.add(data["fact_id"])
        found.quality.append(document.path)


def _profile(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    data = document.data
    if scope.is_named_in(data) or document.id == scope.subject or words.repeated_in_any(texts(data)):
        found.profiles.add(document.id)


def _note(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    note = note_seen(scope, document)
    found.notes.append(note._replace(theirs=note.theirs or words.repeated_in_any(texts(document.data))))


def _media(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:  # noqa: ARG001
    if scope.covers(document.data["message_id"], document.data["user_id"], document.data["made_at"]):
        found.media.append(document.path)


def _member(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:  # noqa: ARG001
    if document.id != str(scope.user_id) and any(name.startswith("profile_") for name in document.data):
        found.summarized.append(document.path)


def _spending(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:  # noqa: ARG001
    if scope.user_id is not None and document.data.get("user_id") == scope.user_id:
        found.spent.append(document.path)


_LOOKS: Mapping[str, Callable[[TraceSurvey, Document, Scope, ForgottenWords], None]] = {
    "messages": _message,
    "facts": _fact,
    "quality": _quality,
    "profiles": _profile,
    "members": _member,
    "media": _media,
    "spending": _spending,
    **dict.fromkeys(_NOTES, _note),
}
