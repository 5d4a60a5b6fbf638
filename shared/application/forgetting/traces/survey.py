"""Looks through everything of a chat for what must be forgotten, and empties the notes among it.

It reads the documents twice: what the other members said themselves must be known before it can be told which words are
nobody else's. That costs two reads a document; memory grows with what is to be forgotten, not with the chat (some ids a
note).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.bulk import update_all
from shared.application.chats.portrait_codec import portrait_names
from shared.application.conversation.media import read_media_description
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.conversation.reply_codec import reacted_at
from shared.application.documents import answer_path, chat_path
from shared.application.facts.codec import fact_from_fields, slot_id_of, subject_of
from shared.application.facts.subject_codec import read_quality
from shared.application.facts.version_codec import is_version, read_version
from shared.application.forgetting.traces.retelling import Retellings, Retold
from shared.application.forgetting.traces.scope import ForgottenWords, Scope, collection_of, quotes, references, texts
from shared.application.forgetting.traces.slots import others_words
from shared.application.policy import Policy
from shared.application.ports.store import Document, DocumentStore
from shared.application.reading.notes.codec import MetaSummary, mark_work_due, read_note
from shared.application.recall.note_codec import NOTE_KINDS, emptied_fields, outdated_fields, vector_fields
from shared.application.spending.asking import Embedded
from shared.domain.conversation.messages import Message
from shared.domain.people.naming import unname
from shared.domain.reading.stretch import MOST_CHUNKS
from shared.domain.recall.index.note import NoteKind

REACH = 10 * MOST_CHUNKS
"""Messages on either side that a note may retell, of a note that does not say which it was made with (`made_with`):
those of an earlier day that one call of the model may have shown it."""

_OPENING = ("creation", "evolution")
"""Changes that give a fact the value which their own quotes say."""


@dataclass(slots=True)
class TraceSurvey:
    """A survey of all that refers to the words, by paths and ids.

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
        named: Notes in which the member is named, with the changes by which they are not.
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
    named: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    media: list[str] = field(default_factory=list)
    summarized: list[str] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    spent: list[str] = field(default_factory=list)
    said: dict[int, datetime] = field(default_factory=dict)


async def leave_others_words(store: DocumentStore, scope: Scope, words: ForgottenWords) -> None:
    """Remove from `words` what other members say themselves, in messages and in quotes whose messages are gone."""
    async for document in store.subtree(chat_path(scope.chat_id)):
        for text in _find_others_words(scope, document):
            words.leave_out(text)


def _find_others_words(scope: Scope, document: Document) -> Iterator[str]:
    """Yield others' words in a message, in a fact or a version of one: their quotes, and the values made of these."""
    kind = collection_of(document)
    if kind == "messages":
        message = read_message(document).message
        if not is_echo(message) and not scope.covers_message(message):
            yield from (message.text, message.media_text or "")
    if kind != "facts":
        return
    yield from (each.quote or "" for each in quotes(document.data) if not scope.covers_reference(each))
    if not is_version(document):
        yield from others_words(fact_from_fields(document.data), scope)
        return
    version = read_version(document)
    quoted = (*version.evidence, *version.retracted)
    only_others = not any(scope.covers(each.message_id, each.user_id, each.sent_at) for each in quoted)
    if version.change in _OPENING and only_others and not all(each.agrees for each in quoted):
        yield version.value


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
    told.made_with = lambda gone: {note.id for note in find_affected(found.notes, gone)}
    async for document in store.subtree(chat_path(scope.chat_id)):
        kind = collection_of(document)
        if kind == "answers":
            told.add_answer(document)
        elif kind == "messages":
            stored = read_message(document)
            if stored.message.user_id == policy.bot_id and stored.message.is_bot:
                own[stored.message.message_id] = stored.received_at
            if stored.message.is_bot:
                told.add_message(document.path, stored)
            _survey_message(found, document, stored, scope, words, told)
        else:
            _survey_repeated(found, kind, document, scope, words)
            _survey_owned(found, kind, document, scope)
        if retold is not None:
            retold.see(document)
    if retold is not None:
        found.echoes |= retold.messages
        found.quoting |= retold.quoting
    given, said = told.find({*scope.message_ids, *found.echoes}, found.quoted)
    found.given |= given
    found.echoes |= said
    found.said = {each: at for each, at in own.items() if each in found.echoes or each in scope.message_ids}
    return found


def is_echo(message: Message) -> bool:
    """Return whether a message's text is nobody's own words in this chat."""
    return message.is_bot or message.forwarded


def _survey_message(
    found: TraceSurvey, document: Document, stored: StoredMessage, scope: Scope, words: ForgottenWords, told: Retellings
) -> None:
    """Look at a message: one that is nobody's own words goes when it answers, shows or repeats the words.

    One in somebody's own words stays, whatever it quotes; one of a bot is theirs when it asks or answers the member.
    """
    message = stored.message
    if scope.covers_message(message):
        _note_sources(found, stored)
        return
    asker = stored.reply_context.user_id if stored.reply_context is not None else None
    is_asked = asker is not None and asker == scope.user_id
    is_for_them = message.is_bot and (is_asked or told.answers(stored) or told.shows(stored))
    theirs = scope.is_origin(message) or is_for_them
    if is_echo(message):
        if theirs or words.occur_in(f"{message.text}\n{message.media_text or ''}"):
            found.echoes[message.message_id] = document.path
            _note_sources(found, stored)
        elif has_reaction(document, scope):
            found.reacted.append(document.path)
    elif theirs or message.reply_to in scope.message_ids or words.occur_in(message.quote or ""):
        found.quoting[message.message_id] = document.path


def has_reaction(message: Document, scope: Scope) -> bool:
    """Return whether a message keeps a reaction of the member that is to be forgotten."""
    at = None if scope.user_id is None else reacted_at(message, scope.user_id)
    return at is not None and at <= scope.until


def _note_sources(found: TraceSurvey, stored: StoredMessage) -> None:
    """Note that what a message of the bot was made from goes with it."""
    if stored.message.is_bot:
        found.given.update(answer_path(stored.message.chat_id, each) for each in stored.answer_ids)


def _survey_repeated(found: TraceSurvey, kind: str, document: Document, scope: Scope, words: ForgottenWords) -> None:
    """Look at a document that may repeat words."""
    data = document.data
    match kind:
        case "facts":
            if any(scope.covers_reference(each) for each in quotes(data)):
                found.quoted.add(document.path.split("/")[3])
            if scope.is_named_in(data) or subject_of(document) == scope.subject or words.occur_in_any(texts(data)):
                found.slots.add(slot_id_of(document))
        case "quality":
            record = read_quality(document)
            if not scope.message_ids.isdisjoint(record.message_ids) or words.occur_in_any(texts(data)):
                found.slots.add(record.fact_id)
                found.quality.append(document.path)
        case "profiles":
            if scope.is_named_in(data) or document.id == scope.subject or words.occur_in_any(texts(data)):
                found.profiles.add(document.id)
        case "chunks" | "metas" | "episodes":
            note = note_seen(scope, document)
            found.notes.append(note._replace(theirs=note.theirs or words.occur_in_any(texts(data))))
            if scope.user_id is not None and scope.is_marked_in(data):
                told = {name: unname(text, scope.user_id) for name, text in data.items() if isinstance(text, str)}
                found.named[document.path] = told | vector_fields(note.kind, Embedded())


def _survey_owned(found: TraceSurvey, kind: str, document: Document, scope: Scope) -> None:
    """Look at a document of which only matters whose it is; in all other collections nothing of the members stands."""
    match kind:
        case "media":
            described = read_media_description(document)
            if scope.covers(described.message_id, described.user_id, described.made_at):
                found.media.append(document.path)
        case "members":
            if document.id != str(scope.user_id) and portrait_names(document):
                found.summarized.append(document.path)
        case "spending":
            if scope.user_id is not None and any(each.user_id == scope.user_id for each in references(document.data)):
                found.spent.append(document.path)


class NoteSeen(NamedTuple):
    """The part of a note that tells whether it must be made again: its messages, or of a meta summary its nodes.

    Attributes:
        level: Of a meta summary, from 1 on; else 0.
        made_with: As of `StoredNote`.
        theirs: Whether the member speaks in it, or it repeats their words.
    """

    path: str
    kind: NoteKind
    id: str
    level: int
    message_ids: tuple[int, ...]
    made_with: tuple[int, ...] | None
    nodes: tuple[str, ...]
    theirs: bool


def note_seen(scope: Scope, document: Document) -> NoteSeen:
    """Reduce a chunk, a meta summary or an episode to what is needed to judge it."""
    note = read_note(document)
    level, nodes = (note.level, note.nodes) if isinstance(note, MetaSummary) else (0, ())
    theirs = scope.user_id in note.speakers or any(each.user_id == scope.user_id for each in references(document.data))
    return NoteSeen(note.path, note.kind, note.id, level, note.message_ids, note.made_with, nodes, theirs)


def find_affected(notes: Iterable[NoteSeen], gone: frozenset[int]) -> list[NoteSeen]:
    """Return the notes that were made with any of these messages, or from a note that was.

    A model that reads several chunks in one call may tell in one of them what was said in another.
    """
    seen = sorted(notes, key=lambda note: note.level)
    said = sorted({*gone, *(each for note in seen for each in note.message_ids)})
    affected, touched = list[NoteSeen](), set[str]()
    for note in seen:
        made_with = _find_near(note, said) if note.made_with is None else note.made_with
        if note.theirs or not gone.isdisjoint(made_with) or not touched.isdisjoint(note.nodes):
            affected.append(note)
            touched |= set() if note.kind == "episode" else {note.id}
    return affected


def _find_near(note: NoteSeen, said: Sequence[int]) -> Sequence[int]:
    ids = note.message_ids
    first, last = bisect_left(said, min(ids, default=0)), bisect_right(said, max(ids, default=0))
    return said[max(0, first - REACH) : last + REACH] if ids else ()


async def empty_notes(store: DocumentStore, chat_id: int, notes: Sequence[NoteSeen]) -> None:
    """Remove all texts from the notes and have them made again; one that is gone stays gone.

    That they are to be made again is written last: after a crash before, the next run finds the same notes.
    """
    for kind in NOTE_KINDS:
        paths = [note.path for note in notes if note.kind == kind]
        await update_all(store, paths, {**emptied_fields(kind), **outdated_fields()})
    if notes:
        await store.batch([mark_work_due(chat_id, "stale")])
