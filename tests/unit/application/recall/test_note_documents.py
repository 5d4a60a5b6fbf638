"""What the index reads from the documents of chunks, metas and episodes."""

import pytest

from shared.application.ports.store import Document
from shared.application.reading.notes.chunks import told_by
from shared.application.recall.note_documents import MOST_TEXT, kind_of, note_from
from tests.support.builders import at

RANGE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10)}


@pytest.mark.parametrize(
    ("path", "kind", "told"),
    [
        ("chats/1/chunks/1-10", "chunk", {"summary": "про каву", "episodic": "- Оля любить каву"}),
        ("chats/1/metas/1-1-100", "meta", {"summary": "місяць про каву"}),
        (
            "chats/1/episodes/1-10",
            "episode",
            {
                "summary": "ранок",
                "themes": ["кава", "чай"],
                "tone": "теплий",
                "emotional_arc": "",
                "key_topics": ["сніданок"],
            },
        ),
    ],
)
def test_a_note_is_found_by_what_its_document_tells(path, kind, told):
    document = Document(path, RANGE | told)
    note = note_from(document)
    assert (kind_of(document), note.key) == (kind, (kind, path.rsplit("/", 1)[-1]))
    assert note.text == told_by(document.data) != ""
    assert (note.first, note.last, note.first_at, note.last_at) == (1, 10, at(1), at(10))


def test_an_absurdly_long_text_is_cut():
    assert len(note_from(Document("chats/1/chunks/1-10", RANGE | {"summary": "а" * 10**6})).text) == MOST_TEXT


def test_a_vector_comes_with_its_maker_and_may_be_missing():
    fields = RANGE | {"summary": "про каву"}
    assert note_from(Document("chats/1/chunks/1-10", fields)).embedding is None
    embedded = note_from(Document("chats/1/chunks/1-10", fields | {"embedding": (0.6, 0.8), "embedding_model": "m/2"}))
    assert (embedded.embedding, embedded.embedding_model) == ((0.6, 0.8), "m/2")
