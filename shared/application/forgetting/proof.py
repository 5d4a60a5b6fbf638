"""Proves a forgetting: beforehand it counts what will go, and afterwards it searches everything for what is left.

The search is independent of how things are erased: it knows ids, runs of words and where the bot's messages came from,
takes a vector for one of theirs unless its message is there, and opens every document, segment of the index, unsent
answer, recorded body and object of the archive.
"""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from typing import NamedTuple

from shared.application.archive.exporting import chat_documents, plain_lines
from shared.application.archive.keeping import folder
from shared.application.bulk import each_document
from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.message_codec import read_message
from shared.application.dead_letter_codec import LETTERS
from shared.application.delivery.ledger_codec import of_chat, read_asked
from shared.application.documents import chat_path, message_path
from shared.application.forgetting.steps import Meant, chat_ids
from shared.application.forgetting.traces.outside import names_chat
from shared.application.forgetting.traces.retelling import Retellings
from shared.application.forgetting.traces.scope import (
    ForgottenWords,
    Preview,
    Scope,
    begun_at,
    collection_of,
    is_chat,
    quotes,
    segment_in,
    texts,
)
from shared.application.forgetting.traces.survey import find_affected, has_reaction, is_echo, leave_others_words, survey
from shared.application.policy import Policy
from shared.application.ports.objects import ObjectStore
from shared.application.ports.store import Document, DocumentStore
from shared.application.reading.notes.codec import read_chunk, read_note
from shared.domain.recall.index.segment import Segment
from shared.domain.recall.index.vectors import are_vectors_of, embedded_text


class Proof(NamedTuple):
    """The result of searching everything.

    Attributes:
        left: Paths of documents and keys of objects that still hold something; none when forgetting is complete.
        searched: How many documents and objects were searched.
    """

    left: Sequence[str]
    searched: int


async def preview(store: DocumentStore, policy: Policy, meant: Meant) -> Preview:
    """Count what would go, without changing anything; two reads a document."""
    scope, words = meant.scope, meant.words()
    await leave_others_words(store, scope, words)
    found = await survey(store, policy, scope, words, whose=scope.user_id)
    gone = frozenset({*scope.message_ids, *found.echoes, *found.quoting})
    counts = {
        "messages": len(meant.said),
        "answers of the bot and forwards": len(found.echoes),
        "facts that go or lose quotes": len(found.slots),
        "summaries made again": len(find_affected(found.notes, gone)),
        "quality records": len(found.quality),
        "descriptions of files": len(found.media),
    }
    return Preview(await chat_ids(store, scope.chat_id), scope, words, counts)


async def preview_chat(store: DocumentStore, chat_id: int) -> Preview:
    """Count what there is of a whole chat, by collection; a read a document."""
    counts, ids = Counter[str](), await chat_ids(store, chat_id)
    for each in ids:
        async for document in store.subtree(chat_path(each)):
            counts[collection_of(document)] += 1
    return Preview(ids, None, ForgottenWords(), dict(counts.most_common()))


async def prove(store: DocumentStore, archive: ObjectStore | None, sought: Preview) -> Proof:
    """Search everything for what still holds something of what was forgotten."""
    left, about, anew, searched = set[str](), set[str](), set[str](), 0
    made = _MadeFrom(sought)
    async for document in _read_everything(store, sought.chat_ids):
        searched += 1
        made.look_at(document)
        if _holds(document, sought) or await _holds_vectors(store, sought.scope, document):
            left.add(document.path)
        elif sought.scope is not None and _is_about(document, sought.scope):
            about.add(document.path)
            anew |= {document.path} if _is_said_later(document, sought.scope) else set()
    left |= {path for path in about if not _belongs_to(path, anew)}
    objects = [each async for each in _search_archive(archive, sought)]
    left |= made.find_left()
    return Proof([*sorted(left), *(key for key, holds in objects if holds)], searched + len(objects))


class _MadeFrom:
    """Collects what the bot said with the words or facts in view, whatever words it used."""

    def __init__(self, sought: Preview) -> None:
        scope, self._chats = sought.scope, dict[str, tuple[Retellings, set[int], set[str]]]()
        for chat_id in sought.chat_ids:
            if scope is not None:
                here = scope if chat_id == scope.chat_id else scope.before_moving(chat_id)
                told = Retellings(here, scope.user_id, sought.words, scope.until)
                self._chats[str(chat_id)] = told, set(here.message_ids), set()

    def look_at(self, document: Document) -> None:
        """Take note of a document if it is one of these, or tells which are."""
        kind, (_, chat, *rest) = collection_of(document), document.path.split("/")
        if not kind or chat not in self._chats:
            return
        told, gone, quoted = self._chats[chat]
        if kind == "answers":
            told.add_answer(document)
        elif kind == "facts" and any(map(told.scope.covers_reference, quotes(document.data))):
            quoted.add(rest[1])
        elif kind == "messages" and (stored := read_message(document)).message.is_bot:
            told.add_message(document.path, stored)
            if told.answers(stored) or told.shows(stored):
                gone.add(stored.message.message_id)

    def find_left(self) -> set[str]:
        """Return the paths of the messages, and of what they were made from."""
        found = set[str]()
        for chat, (told, gone, quoted) in self._chats.items():
            given, said = told.find(gone, quoted)
            shown = {message_path(int(chat), each) for each in gone - told.scope.message_ids}
            found |= {*given, *said.values(), *shown}
        return found


async def _read_everything(store: DocumentStore, chat_ids: Sequence[int]) -> AsyncIterator[Document]:
    for chat_id in chat_ids:
        async for _, document in chat_documents(store, chat_id):
            yield document
        for document in await store.query("updates", where=[of_chat(chat_id)]):
            yield document
    async for document in each_document(store, LETTERS):
        yield document


def _holds(document: Document, sought: Preview) -> bool:
    top, scope, words = document.path.split("/")[0], sought.scope, sought.words
    if top == "dead_letters":
        return any(names_chat(document, scope, chat_id, words) for chat_id in sought.chat_ids)
    if scope is None:
        return _was_there(document, sought)
    if top == "updates":
        if scope.user_id is not None and read_asked(document).is_by(scope.user_id, until=scope.until):
            return True
        return words.occur_in_any(texts(document.data))
    return _holds_in_chat(document, scope, words)


def _was_there(document: Document, sought: Preview) -> bool:
    """Return whether a document of a forgotten chat is not of the memory that began since."""
    if is_chat(document) and not read_chat(int(document.id), document).known:
        return False  # it holds only who opted out
    began = begun_at(document.data)
    return sought.until is None or (began is not None and began <= sought.until)


def _holds_in_chat(document: Document, scope: Scope, words: ForgottenWords) -> bool:
    if has_reaction(document, scope):
        return True
    if collection_of(document) == "messages":
        message = read_message(document).message
        if not is_echo(message) and not scope.covers_message(message):  # all but the quote is somebody else's own word
            return scope.is_origin(message) or words.occur_in(message.quote or "")
    if (segment := segment_in(document)) is not None:
        return _in_segment(segment, scope, words)
    if collection_of(document) in ("chunks", "episodes"):
        note = read_note(document)
        if note.texts.told and not scope.message_ids.isdisjoint(note.made_with or ()):
            return True  # whatever words it uses
    return scope.is_named_in(document.data) or words.occur_in_any(texts(document.data))


async def _holds_vectors(store: DocumentStore, scope: Scope | None, document: Document) -> bool:
    """Return whether a chunk holds the vector of a message that is to be forgotten: of none that is still there."""
    if scope is None or collection_of(document) != "chunks":
        return False
    chunk = read_chunk(document)
    if not chunk.embedded.messages or scope.message_ids.isdisjoint(chunk.message_ids):
        return False
    there = await store.get_many([message_path(scope.chat_id, each) for each in chunk.message_ids])
    said = (read_message(each).message for each in there if each is not None)
    left = [embedded_text(message) for message in said if not scope.covers_message(message)]
    return not are_vectors_of(chunk.embedded.messages, left)


def _is_about(document: Document, scope: Scope) -> bool:
    """Return whether a document is about the member, whosever words are in it."""
    return scope.subject is not None and scope.subject in (document.id, *texts(document.data))


def _is_said_later(document: Document, scope: Scope) -> bool:
    """Return whether a fact about the member stands on what they said after they were forgotten."""
    own = (each for each in quotes(document.data) if each.user_id == scope.user_id and each.said_at is not None)
    return collection_of(document) == "facts" and any(each.said_at > scope.until for each in own if each.said_at)


def _belongs_to(path: str, facts: Collection[str]) -> bool:
    """Return whether a document about the member is one of these facts, a version of one, or made of such facts."""
    parts = path.split("/")
    return "/".join(parts[:4]) in facts if parts[2] == "facts" else bool(facts)


def _in_segment(segment: Segment, scope: Scope, words: ForgottenWords) -> bool:
    said, notes = segment.messages(), [note.text for note in segment.notes()]
    told = [*notes, *(m.quote or "" for m in said), *(m.text for m in said if m.is_bot)]
    return any(map(scope.covers_message, said)) or words.occur_in_any(told) or scope.is_marked_in(notes)


async def _search_archive(archive: ObjectStore | None, sought: Preview) -> AsyncIterator[tuple[str, bool]]:
    """Yield the keys of a chat's archived objects, and whether something is left in them.

    Of a chat that was forgotten as a whole, nothing may be archived. Segments of the index are packed in exports: what
    is in them is searched where they come from.
    """
    if archive is None:
        return

    for chat_id in sought.chat_ids:
        async for info in archive.list(folder(chat_id)):
            content = archive.get(info.key)
            lines = plain_lines(content) if info.key.endswith(".gz") else content
            told = [True async for line in lines if sought.words.occur_in(line.decode("utf-8", "replace"))]
            yield info.key, sought.scope is None or bool(told)
