"""Talk that is indexed."""

from shared.application.documents import chat_path, index_head_path, index_segment_path
from shared.application.ports.store import Document
from shared.application.recall.head_codec import head_of
from shared.application.recall.placing import ensure_segment, place
from shared.domain.recall.index.segment import Segment
from shared.domain.text.terms import words_of
from tests.support.archive import group_state, said
from tests.support.group import CHAT

STATE = group_state(CHAT)


def talk(first, last, **more):
    return [said(n, f"слово{n} розмова", 101 + n % 3, chat_id=CHAT, **more) for n in range(first, last + 1)]


def ids(corpus):
    return sorted(int(message_id) for message_id in corpus.message_ids)


async def index_documents(store):
    return {d.path: d.data async for d in store.subtree(chat_path(CHAT)) if "/index/" in d.path}


async def head(store):
    return head_of(await store.get(index_head_path(CHAT)))


async def spoil(store, number, payload):
    await store.update(index_segment_path(CHAT, number), {"payload": payload})


def found(corpus, word):
    return sorted(int(corpus.message_ids[row]) for row in corpus.postings(words_of(word)[0])[0])


async def payloads(store):
    documents = await index_documents(store)
    return [data["payload"] for data in documents.values() if "payload" in data]


def noted(notes, word):
    return [notes.note(row).id for row in notes.postings(words_of(word)[0])[0]]


def apply(documents, head, change):
    """Place a change as a worker does; the documents and the head afterwards."""
    head = ensure_segment(head)
    homes = {head.home(message_id).number for message_id in change.ids}
    segments = {number: documents.get(number, Segment.build()) for number in homes}
    *writes, head_written = place(CHAT, head, segments, change)
    for write in writes:
        number = int(write.path[-4:])
        if hasattr(write, "data"):
            documents[number] = Segment.decode(write.data["payload"])
        else:
            del documents[number]
    return documents, head_of(Document(head_written.path, head_written.changes))
