"""What chunks, metas and episodes have in common is read from their documents, old ones too."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document, Increment
from shared.application.recall.note_codec import (
    MOST_TEXT,
    NOTE_KINDS,
    NoteTexts,
    emptied_fields,
    index_note,
    indexed_fields,
    kind_of,
    left_alone_fields,
    new_note_fields,
    notes_path,
    outdated_fields,
    read_stored_note,
    read_texts,
    remade_fields,
    text_fields,
    vector_fields,
)
from shared.application.spending.asking import Embedded
from shared.domain.recall.index.vectors import TextVector
from tests.support.builders import at

RANGE = {"first": 1, "last": 10, "first_at": at(1), "last_at": at(10)}
TEXTS = {
    "chunk": {"summary": "про каву", "episodic": "- Оля любить каву"},
    "meta": {"summary": "місяць про каву"},
    "episode": {
        "summary": "ранок",
        "themes": ["кава", "чай"],
        "tone": "теплий",
        "key_topics": ["сніданок"],
    },
}
TOLD = {
    "chunk": "про каву\n- Оля любить каву",
    "meta": "місяць про каву",
    "episode": "ранок\nкава, чай\nтеплий\nсніданок",
}


def document_of(kind, **fields):
    return Document(f"{notes_path(1, kind)}/1-10", RANGE | fields)


def apply(document, changes):
    return Document(document.path, document.data | changes)


@pytest.mark.parametrize("kind", NOTE_KINDS)
def test_a_note_is_found_by_what_its_document_tells(kind):
    document = document_of(kind, **TEXTS[kind])
    note = index_note(read_stored_note(document))
    assert (kind_of(document.path), note.key) == (kind, (kind, "1-10"))
    assert note.text == read_texts(document.data).told == TOLD[kind]
    assert (note.first, note.last, note.first_at, note.last_at) == (1, 10, at(1), at(10))


def test_an_absurdly_long_text_is_cut():
    assert len(index_note(read_stored_note(document_of("chunk", summary="а" * 10**6))).text) == MOST_TEXT


def test_a_vector_comes_with_its_maker_and_may_be_missing():
    plain = read_stored_note(document_of("chunk", summary="про каву"))
    assert plain.embedded == Embedded()
    assert index_note(plain).vector is None
    embedded = index_note(read_stored_note(document_of("chunk", embedding=(0.6, 0.8), embedding_model="m/2")))
    assert embedded.vector == TextVector.of("m/2", (0.6, 0.8))


@pytest.mark.parametrize("kind", NOTE_KINDS)
def test_a_document_of_old_lacks_fields_and_is_read_all_the_same(kind):
    note = read_stored_note(document_of(kind))
    assert (note.texts.told, note.speakers, note.message_ids, note.made_by) == ("", (), (), "")
    assert not (note.model_pending)
    assert not (note.stale)
    assert not (note.outdated)
    assert not (note.edited_by)
    assert not (note.awaits_index)
    assert (note.made_at, note.expire_at) == (None, None)


@pytest.mark.parametrize(("indexed", "waits"), [({"indexed": False}, True), ({"indexed": True}, False), ({}, False)])
def test_only_what_says_so_waits_for_the_index(indexed, waits):
    assert read_stored_note(document_of("chunk", **indexed)).awaits_index is waits


def test_the_index_takes_a_note_up_and_is_told_of_it_again():
    document = apply(document_of("chunk"), indexed_fields(done=False))
    assert read_stored_note(document).awaits_index
    assert not read_stored_note(apply(document, indexed_fields(done=True))).awaits_index


@pytest.mark.parametrize("kind", NOTE_KINDS)
def test_a_note_that_is_emptied_tells_nothing_and_holds_nobodys_words(kind):
    document = document_of(kind, **TEXTS[kind], speakers=[7], participants=[{"user_id": 7, "name": "Оля"}])
    emptied = apply(document, emptied_fields(kind))
    note = read_stored_note(emptied)
    assert (note.texts, note.speakers) == (NoteTexts(), ())
    assert kind != "episode" or emptied.data["participants"] == []


@pytest.mark.parametrize("kind", NOTE_KINDS)
def test_texts_are_written_as_they_are_read_and_no_others(kind):
    note = read_stored_note(document_of(kind, **TEXTS[kind], speakers=[7, 9], made_by="m/1"))
    written = TEXTS[kind] | {"speakers": [7, 9], "made_by": "m/1", "indexed": False}
    assert text_fields(note) == written
    assert text_fields(replace(note, made_with=(3, 4))) == written | {"made_with": [3, 4]}
    assert read_stored_note(document_of(kind, made_with=[3, 4])).made_with == (3, 4)


def test_a_note_outdated_by_an_edit_is_made_again_at_the_cost_of_its_author():
    changes = outdated_fields(by=7)
    assert changes.pop("outdated") == Increment(1)
    before = document_of("chunk", summary="про каву")
    note = read_stored_note(apply(before, changes | {"outdated": 1}))
    assert (note.stale, note.model_pending, note.edited_by) == (True, True, 7)
    assert not note.is_as_read(read_stored_note(before))


@given(later=st.booleans())
def test_a_note_that_was_made_again_is_stale_no_more_and_owed_by_nobody_once_the_model_has_read_it(later):
    document = document_of("chunk", stale=True, model_pending=later, edited_by=7)
    again = read_stored_note(apply(document, remade_fields(read_stored_note(document))))
    assert (again.stale, again.model_pending, again.edited_by) == (False, later, 7 if later else None)
    assert again.awaits_index


def test_a_note_that_is_left_alone_is_neither_stale_nor_waiting():
    note = read_stored_note(apply(document_of("meta", stale=True, model_pending=True), left_alone_fields()))
    assert not (note.stale)
    assert not (note.model_pending)
    assert note.awaits_index


@pytest.mark.parametrize("kind", NOTE_KINDS)
def test_vectors_of_messages_are_written_of_chunks_alone(kind):
    note = read_stored_note(document_of(kind, **TEXTS[kind], embedding=(0.6, 0.8), message_vectors=[b"v"]))
    new, other, emptied = new_note_fields(note), vector_fields(kind, Embedded()), emptied_fields(kind)
    written = [fields.get("message_vectors", "nothing") for fields in (new, other, emptied)]
    assert written == ([[b"v"], None, None] if kind == "chunk" else ["nothing"] * 3)
    assert (new["embedding"], other["embedding"], emptied["embedding"]) == ((0.6, 0.8), None, None)


def test_a_new_vector_is_taken_up_by_the_index():
    note = read_stored_note(apply(document_of("meta"), vector_fields("meta", Embedded((0.6, 0.8), "m/2"))))
    assert (note.embedded, note.awaits_index) == (Embedded((0.6, 0.8), "m/2"), True)
