"""Reading a chat's index: the head and the newest messages each time, a segment only when it is not held already.

A segment that is missing or altered is left out, written down in the log and in the head, and made again by the worker;
the question is answered from the others. That the store did not answer is another matter, and is raised.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.consent_gate import may_speak
from shared.application.conversation.history import newest_messages
from shared.application.conversation.message_codec import read_message
from shared.application.conversation.message_queries import UNREAD
from shared.application.documents import chat_path, facts_path, index_head_path, index_segment_path
from shared.application.facts.codec import fact_from_fields, with_key
from shared.application.people.member_codec import HIDES_FACTS
from shared.application.ports.store import Document, DocumentStore
from shared.application.ports.system import Clock
from shared.application.recall.cache import IndexCache
from shared.application.recall.head_codec import SegmentEntry, broken_fields, head_of, segment_of
from shared.application.recall.placing import indexable
from shared.domain.conversation.messages import Message
from shared.domain.errors import TransientError
from shared.domain.people.naming import NameBook, bearing_book
from shared.domain.recall.index.corpus import Corpus, join_names
from shared.domain.recall.index.notes import NoteCorpus
from shared.domain.recall.index.segment import Segment, SegmentUnreadable
from shared.domain.recall.index.talk import IndexedTalk
from shared.domain.recall.roster import ALIAS_KEYS, aliases_in
from shared.domain.text.terms import TERMS_VERSION

log = logging.getLogger(__name__)

TAIL = 100
"""Newest messages that are in no segment yet, read with every question (design: the tail is read fresh)."""

_MOST_ALIASES = 50
"""Facts of how members are called that are read with every question."""

_ATTEMPTS = 2
_PAGE = 50


class LoadedSegment(NamedTuple):
    """A segment as it is held, and the revision it was read at."""

    revision: str
    segment: Segment


@dataclass(frozen=True, slots=True)
class Held:
    """The parts of a chat's index that an instance keeps.

    Attributes:
        parts: Segments by number.
        sealed: All of them but the open one, joined; made from `sealed_of`.
        whole: All of them with their notes, made from `whole_of`.
        tail: The newest messages when they were last read.
        corpus: These over `whole`.
    """

    parts: Mapping[int, LoadedSegment] = field(default_factory=dict)
    sealed: Corpus = field(default_factory=Corpus)
    sealed_of: tuple[str, ...] = ()
    whole: Corpus = field(default_factory=Corpus)
    whole_of: tuple[str, ...] = ()
    tail: Sequence[Message] = ()
    corpus: Corpus = field(default_factory=Corpus)

    @property
    def nbytes(self) -> int:
        """Return what it takes in memory, about."""
        made = (self.sealed, self.whole, self.corpus)
        return sum(part.segment.nbytes for part in self.parts.values()) + sum(corpus.nbytes for corpus in made)


async def load_corpus(app: App, state: ChatState, *, around: int | None = None) -> Corpus:
    """Everything that can be searched in a chat, its newest messages included.

    While a group moves here the index stays that it had under its old id, until the one here is made.

    Args:
        around: A message: of what was said right before it as much is read when more came since than the tail holds.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    held = app.indexes.get(state.chat_id) or Held()
    unread, called = _read_tail(app.store, app.clock, state, around), _read_aliases(app.store, state)
    found, aliases = await asyncio.gather(unread, called)
    old_id, moved = state.moves_from(app.clock.now()), list[IndexedTalk]()
    if old_id is not None:
        was = app.indexes.get(old_id) or Held()
        order, parts = await _parts(app, old_id, was)
        app.indexes.put(old_id, replace(was, parts=parts))
        moved = [parts[number].segment.talk.move(state.chat_id) for number in order]
    order, parts = await _parts(app, state.chat_id, held)  # after the tail: what leaves it meanwhile is found here
    tail = indexable(state, found)
    held = _join_parts(held, order, parts)
    is_laid = held.corpus.before is held.whole and held.tail == tail and held.corpus.aliases == aliases
    if not is_laid:
        talk, before = IndexedTalk.of(tail), held.corpus.names
        corpus = Corpus([held.whole, talk], held.whole.notes, names_before=before, aliases=aliases)
        held = replace(held, tail=tail, corpus=corpus)
    app.indexes.put(state.chat_id, held)
    if not moved:
        return held.corpus
    return Corpus([*moved, held.corpus], held.corpus.notes, aliases=aliases)


async def load_names(
    store: DocumentStore, indexes: IndexCache, state: ChatState, said: Iterable[Message] = ()
) -> NameBook:
    """Return who is called what in a chat, also who opted out, as its index and some messages tell.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    held = indexes.get(state.chat_id) or Held()
    parts, head = dict(held.parts), head_of(await store.get(index_head_path(state.chat_id)))
    await _read(store, state.chat_id, [entry for entry in head.entries if not _is_current(parts, entry)], parts)
    indexes.put(state.chat_id, replace(held, parts=parts))
    names = join_names([*(part.segment.talk for part in parts.values()), IndexedTalk.of(list(said))])
    return bearing_book(names, await _read_aliases(store, state))


async def _read_tail(store: DocumentStore, clock: Clock, state: ChatState, around: int | None) -> list[Document]:
    """Read the newest messages that are in no segment; of those before `around` never fewer than where it is newest.

    While a group moves here they are read whether or not they were in one: its index is made anew.
    """
    where = [UNREAD] if state.moves_from(clock.now()) is None else []
    newest = await newest_messages(store, clock, state, where=where, limit=TAIL)
    if around is None or len(newest) < TAIL:
        return newest
    ids = [read_message(document).message.message_id for document in newest]
    since = sum(message_id >= around for message_id in ids)
    if not since:
        return newest
    first = min(around, ids[-1])
    return [*newest, *await newest_messages(store, clock, state, where=where, before=first, limit=since)]


async def _read_aliases(store: DocumentStore, state: ChatState) -> dict[int, tuple[str, ...]]:
    """Return what else members are called, as it is believed of those who let everybody know what is known of them."""
    told = await store.query(facts_path(state.chat_id), where=[with_key(*ALIAS_KEYS)], limit=_MOST_ALIASES)
    aliases = aliases_in(fact_from_fields(document.data) for document in told)
    hidden = await store.query(f"{chat_path(state.chat_id)}/members", where=[HIDES_FACTS]) if aliases else ()
    silent = {int(member.id) for member in hidden}
    return {who: known for who, known in aliases.items() if who not in silent and may_speak(state, who)}


async def _parts(app: App, chat_id: int, held: Held) -> tuple[list[int], dict[int, LoadedSegment]]:
    """The segments that can be read, by number, and their order; those that cannot be are reported."""
    parts = dict(held.parts)
    for _ in range(_ATTEMPTS):  # once more when one is not as the head says: it may have been written in between
        head = head_of(await app.store.get(index_head_path(chat_id)))
        whole = {entry.number for entry in head.entries} - head.broken
        parts = {number: part for number, part in parts.items() if number in whole}
        wanted = [entry for entry in head.entries if entry.number in whole and not _is_current(parts, entry)]
        await _read(app.store, chat_id, wanted, parts)
        if all(_is_current(parts, entry) for entry in wanted):
            break
    if lost := [entry for entry in wanted if entry.number not in parts]:
        await _report(app, chat_id, lost)
    return [entry.number for entry in head.entries if entry.number in parts], parts


def _is_current(parts: Mapping[int, LoadedSegment], entry: SegmentEntry) -> bool:
    return entry.number in parts and parts[entry.number].revision == entry.revision


async def _read(
    store: DocumentStore, chat_id: int, entries: Sequence[SegmentEntry], parts: dict[int, LoadedSegment]
) -> None:
    """Read segments into `parts`; what cannot be read is not in it afterwards."""
    for start in range(0, len(entries), _PAGE):
        page = entries[start : start + _PAGE]
        found = await store.get_many([index_segment_path(chat_id, entry.number) for entry in page])
        for entry, document in zip(page, found, strict=True):
            parts.pop(entry.number, None)
            with suppress(SegmentUnreadable):
                segment, revision = segment_of(document)
                if segment.terms_version != TERMS_VERSION:  # the worker will write it as words are understood now
                    segment = segment.change()
                parts[entry.number] = LoadedSegment(revision, segment)


async def _report(app: App, chat_id: int, lost: Sequence[SegmentEntry]) -> None:
    """Leave word of segments that cannot be read, for the operator and for the worker; an answer does not need it."""
    numbers = [entry.number for entry in lost]
    log.warning("segments %s of the index are missing or altered; searching without them", numbers)
    mark = f"index-{numbers[0]}-{app.clock.now():%Y%m%d%H}"
    try:
        await app.store.update(index_head_path(chat_id), broken_fields(numbers))
        await app.schedule.extraction_later(chat_id, mark=mark, run_at=None)
    except TransientError as error:
        log.warning("missing segments of the index could not be written down: %s", error)


def _join_parts(held: Held, order: Sequence[int], parts: Mapping[int, LoadedSegment]) -> Held:
    """Join what is not joined already; a new message in the open segment leaves the sealed ones as they are."""
    sealed = order[:-1]
    sealed_of = tuple(parts[number].revision for number in sealed)
    whole_of = tuple(parts[number].revision for number in order)
    if sealed_of != held.sealed_of:
        joined = Corpus.of_segments([parts[number].segment for number in sealed])
        held = replace(held, sealed=joined, sealed_of=sealed_of)
    if whole_of != held.whole_of:
        last = [parts[number].segment for number in order[-1:]]
        notes = NoteCorpus([held.sealed.notes, *(segment.memory for segment in last)])
        whole = Corpus([held.sealed, *(segment.talk for segment in last)], notes, names_before=held.corpus.names)
        held = replace(held, whole=whole, whole_of=whole_of)
    return replace(held, parts=parts)
