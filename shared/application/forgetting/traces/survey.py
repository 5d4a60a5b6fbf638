"""Looking through everything of a chat for what must go. Two streams over its documents: what the other members said
themselves must be known before it can be told which words are nobody else's.

Costs two reads a document; memory grows with what is to be forgotten, not with the chat (a few numbers a note).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.application.documents import answer_path, chat_path
from shared.application.facts.codec import fact_from_fields
from shared.application.forgetting.traces.hearsay import Retold
from shared.application.forgetting.traces.notes import NoteSeen, note_seen
from shared.application.forgetting.traces.retelling import Retellings
from shared.application.forgetting.traces.scope import Scope, references, texts
from shared.application.forgetting.traces.slots import others_words
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
        echoes: Messages that are nobody's own words here (the bot's, forwarded ones) and repeat them or answer to them.
        quoting: Messages of others that answer to them, or quote them beside their own words: these stay.
        reacted: The bot's messages that stay, but keep a reaction of the member (see `reactions`).
        slots: Ids of facts.
        quoted: Those of them in which a quote of the member or of a message stands.
        profiles: Their subjects.
        given: What answers were made from.
        spent: What the member spent of the model's budget, a day each.
        said: The bot's own messages by id, with when they were stored; those among `echoes` and those that are meant.
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
    """Take out of `words` what other members say themselves, in messages and in quotes whose messages are gone."""
    async for document in store.subtree(chat_path(scope.chat_id)):
        kind = _kind(document)
        if kind == "messages" and not is_echo(document.data) and not _is_meant(scope, document.data):
            words.leave_out(document.data["text"])
            words.leave_out(document.data.get("media_text") or "")
        elif kind == "facts":
            for text in _told_by_others(scope, document):
                words.leave_out(text)


def _told_by_others(scope: Scope, document: Document) -> Iterator[str]:
    """Yield what a fact, or a version of one, has from other members: their quotes, and the values made of these."""
    data = document.data
    quotes = [each for each in references(data) if "quote" in each]
    others = [each for each in quotes if not scope.covers_fields(each)]
    yield from (each["quote"] for each in others)
    if "change" not in data:
        yield from others_words(fact_from_fields(data), scope)
    elif data["change"] in _OPENING and any(not each["agrees"] for each in others) and len(others) == len(quotes):
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
        whose: The member whose words they are; what the bot said with their words or facts in view goes, too. None when
            only messages are meant.
        retold: Looks for what others retell of them: these messages go like echoes.
    """
    found, told, own = TraceSurvey(), Retellings(scope, whose, words), dict[int, datetime]()
    async for document in store.subtree(chat_path(scope.chat_id)):
        kind = _kind(document)
        if kind == "answers":
            told.add_answer(document)
        elif kind == "messages" and document.data["is_bot"]:
            told.add_message(document)
            if document.data["user_id"] == policy.bot_id:
                own[document.data["message_id"]] = document.data["received_at"]
            _survey_bot_message(found, document, scope, words, told)
        else:
            _SEEN.get(kind, _pass_over)(found, document, scope, words)
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


def _kind(document: Document) -> str:
    return document.path.split("/")[2]


def is_echo(message: Mapping[str, Any]) -> bool:
    """Return whether a message's text is nobody's own words in this chat."""
    return bool(message["is_bot"] or message["forwarded"])


def _is_meant(scope: Scope, message: Mapping[str, Any]) -> bool:
    return scope.covers(message["message_id"], message["user_id"], message["sent_at"])


def _pass_over(*_: object) -> None:
    """Nothing of the members is in these documents."""


def _survey_bot_message(
    found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords, told: Retellings
) -> None:
    """A message of the bot, or of another one: deleted when it answers to them, shows what is theirs or repeats it."""
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
    """A message of a member: of what is nobody's own words here only what repeats theirs goes."""
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
    """What the bot's message was made from goes with it."""
    if (answer := message.data.get("answer")) is not None:
        found.given.add(answer_path(int(message.path.split("/")[1]), answer))


def _fact(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    data = document.data
    refers = [each for each in references(data) if scope.covers_fields(each)]
    if any("quote" in each for each in refers):
        found.quoted.add(document.path.split("/")[3])
    if refers or data["subject"] == scope.subject or any(words.repeated_in(text) for text in texts(data)):
        found.slots.add(data["conflicts_with"] or document.path.split("/")[3])


def _quality(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    data = document.data
    hit = not scope.message_ids.isdisjoint(data["message_ids"]) or any(words.repeated_in(text) for text in texts(data))
    if hit:
        found.slots.add(data["fact_id"])
        found.quality.append(document.path)


def _profile(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    data = document.data
    refers = any(scope.covers_fields(each) for each in references(data))
    if refers or document.id == scope.subject or any(words.repeated_in(text) for text in texts(data)):
        found.profiles.add(document.id)


def _note(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:
    note = note_seen(scope, document)
    found.notes.append(note._replace(theirs=note.theirs or any(words.repeated_in(t) for t in texts(document.data))))


def _media(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:  # noqa: ARG001
    if scope.covers(document.data["message_id"], document.data["user_id"], document.data["made_at"]):
        found.media.append(document.path)


def _member(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:  # noqa: ARG001
    if document.id != str(scope.user_id) and any(name.startswith("profile_") for name in document.data):
        found.summarized.append(document.path)


def _spending(found: TraceSurvey, document: Document, scope: Scope, words: ForgottenWords) -> None:  # noqa: ARG001
    if scope.user_id is not None and document.data.get("user_id") == scope.user_id:
        found.spent.append(document.path)


_SEEN = {
    "messages": _message,
    "facts": _fact,
    "quality": _quality,
    "profiles": _profile,
    "members": _member,
    "media": _media,
    "spending": _spending,
    **dict.fromkeys(_NOTES, _note),
}
