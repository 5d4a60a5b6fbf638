"""Segments: whole or refused, the same bytes for the same content, and everything recoverable from them."""

from base64 import b64decode
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.conversation.messages import MediaFile, Message
from shared.domain.recall.index.note import Note
from shared.domain.recall.index.segment import MOST_BYTES, MOST_MESSAGES, Segment, SegmentUnreadable, divide_segment
from shared.domain.recall.index.vectors import TextVector
from tests.support.builders import at, message
from tests.unit.domain.recall.index.stretches import note

CHAT = -1001234567890
TEXT = st.text(st.characters(exclude_categories=[]), max_size=30)
INT64 = st.integers(-(2**62), 2**62).filter(bool)
TIMES = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
SIZES = st.none() | st.integers(0, 2**52)
STILLS = st.none() | st.builds(MediaFile, TEXT, TEXT, SIZES)
MESSAGES = st.builds(
    Message,
    chat_id=st.just(CHAT),
    message_id=INT64,
    sent_at=TIMES,
    user_id=INT64,
    name=TEXT,
    username=st.none() | TEXT,
    text=TEXT,
    kind=st.sampled_from(["text", "photo", "voice"]),
    is_bot=st.booleans(),
    is_admin=st.none() | st.booleans(),
    reply_to=st.none() | INT64,
    quote=st.none() | TEXT,
    thread_id=st.none() | st.integers(1, 2**52),
    forwarded=st.booleans(),
    edited_at=st.none() | TIMES,
    media=st.none() | st.builds(MediaFile, TEXT, TEXT, SIZES, thumbnail=STILLS),
    media_text=TEXT,
)
VECTORS = st.builds(TextVector, st.sampled_from(["m/3", "n/3"]), st.binary(min_size=3, max_size=3))
NOTES = st.builds(
    Note,
    kind=st.sampled_from(["chunk", "meta", "episode"]),
    id=TEXT,
    first=INT64,
    last=INT64,
    first_at=TIMES,
    last_at=TIMES,
    text=TEXT,
    vector=st.none() | VECTORS | st.builds(TextVector, st.just("m/1"), st.binary(min_size=1, max_size=1)),
)


def vectors_in(segment):
    known = {n: segment.talk.own_vectors.get(row) for row, n in enumerate(segment.talk.columns.message_ids.tolist())}
    return {number: each for number, each in known.items() if each}


def by_id(messages):
    return sorted({m.message_id: m for m in messages}.values(), key=lambda m: m.message_id)


@settings(max_examples=60, deadline=None, database=None)
@given(st.lists(MESSAGES, max_size=12), st.lists(NOTES, max_size=6), st.randoms(use_true_random=False))
def test_everything_comes_back_and_the_order_of_building_leaves_no_trace(messages, notes, dice):
    messages, notes = by_id(messages), list({note.key: note for note in notes}.values())
    payload = Segment.build(messages, notes).encode()
    read = Segment.decode(payload)
    assert read.messages() == messages
    assert [read.talk.item(row) for row in range(read.talk.size)] == messages
    assert {note.key: note for note in read.notes()} == {note.key: note for note in notes}
    assert read.encode() == payload
    dice.shuffle(messages)
    dice.shuffle(notes)
    assert Segment.build(messages, notes).encode() == payload
    assert Segment.build(read.messages(), read.notes(), earlier=read).encode() == payload


@settings(max_examples=40, deadline=None, database=None)
@given(st.lists(MESSAGES, max_size=8), st.lists(MESSAGES, max_size=8), st.lists(NOTES, max_size=4))
def test_a_changed_segment_is_the_one_built_from_the_result(before, after, notes):
    gone = {m.message_id for m in before[::2]}
    changed = Segment.build(before, notes[:2]).change(after, notes[1:], without=gone)
    kept = [m for m in by_id(before) if m.message_id not in gone]
    assert changed.encode() == Segment.build([*kept, *after], notes).encode()


@settings(max_examples=150, deadline=None, database=None)
@given(st.data())
def test_cut_or_altered_bytes_are_refused_by_name(data):
    payload = Segment.build([message(f"слово {n}", message_id=n) for n in range(1, 60)], [note()]).encode()
    kind = data.draw(st.sampled_from(["cut", "flip", "grow", "noise"]))
    if kind == "cut":
        altered = payload[: data.draw(st.integers(0, len(payload) - 1))]
    elif kind == "grow":
        altered = payload + data.draw(st.binary(min_size=1, max_size=9))
    elif kind == "noise":
        altered = data.draw(st.binary(max_size=200))
    else:
        place, bit = data.draw(st.integers(0, len(payload) - 1)), data.draw(st.integers(0, 7))
        altered = payload[:place] + bytes([payload[place] ^ (1 << bit)]) + payload[place + 1 :]
    with pytest.raises(SegmentUnreadable):
        Segment.decode(altered)


@settings(max_examples=60, deadline=None, database=None)
@given(st.lists(MESSAGES, max_size=8), st.lists(NOTES, max_size=3), st.data())
def test_vectors_come_back_stay_with_texts_that_stay_and_go_with_the_message(messages, notes, data):
    messages = by_id(messages)
    given_vectors = {m.message_id: data.draw(st.none() | VECTORS) for m in messages}
    given_vectors = {number: each for number, each in given_vectors.items() if each}
    built = Segment.build(messages, notes, vectors=given_vectors)
    read = Segment.decode(built.encode())
    assert vectors_in(read) == given_vectors
    assert read.encode() == built.encode()
    gone, edited = {m.message_id for m in messages[::3]}, [replace(m, text=f"{m.text}!") for m in messages[1::3]]
    changed = read.change(edited, without=gone)
    left = {m.message_id for m in messages[2::3]}
    assert vectors_in(changed) == {number: each for number, each in given_vectors.items() if number in left}
    again = {m.message_id: TextVector("n/3", b"abc") for m in edited}
    assert vectors_in(read.change(edited, vectors=again)) == given_vectors | again


VERSION_2 = """
    U1BPTQLRIyDhOgEAAHic62dkYKhWKkktyi1WsjLWUUrOSCxRstI1NDAw1FHKS8xNBQpHRxsCedFKMaUGJoapINI4CUSapCnpgAWNjMCCBmBBAy
    S2oVJsbKyOUm5+SmoOyCClXH0jJZ280pwcoOH6xkpAueT8nNLcPLAtSjaZFko6RrE6xLNqSg3hYiYwVqkFspgxRMwILmuErM4Ybh4eFsIUIk2G
    y9ZkGiKzTEGhkZSTn5wN8rCZpY4lUL1SSWJOdjxM1LAWGCNgwASlGfzfXo3zYWNguNZwE0SnQoVhNGHACMUFqVfCb371Oq575azQ7piZb2ByTF
    BVIBjbcGyb4tY+9tpdHQ4OCSHLtE/xb95YUDwP5ipmKM2K5koWKM0GsxTqWoYnyx+A6U/nnoNomFsYiHQPzHyQvT8ZfvmmOTAwAAAC7ZqQeJyL
    jla6sOvChgubLmxQ0lECogvzLuy+2K+kk1eak6OjVJJaUQJloxKxOtFKF9uBGndCtS26sOFiAxA3EtYaCwDi4zHoeJyLjlZKzijNy1bSUTLUNV
    LSMTQ3N7IwMjAwM4AAHaUL+y82XNincGHXhQ0XNl1sVorVQWgx1jWBazG0QNdysR2oZSeKBlNdM7gGYwO4houdF7YqxcYCAPNELs8=
"""


def test_a_segment_from_before_messages_had_vectors_is_read_with_those_of_its_notes():
    read = Segment.decode(b64decode(VERSION_2))
    assert [m.text for m in read.messages()] == ["кава", "чай"]
    assert vectors_in(read) == {}
    vectors = TextVector.of("m/2", (77, 102)), None, TextVector.of("n/3", (1.0, 0.0, 0.0))
    for each in (read, Segment.decode(read.encode())):
        assert [(n.text, n.vector) for n in each.notes()] == list(
            zip(["про каву", "про чай", "ще"], vectors, strict=True)
        )


def test_vectors_outlive_an_older_analysis_of_words():
    segment = Segment.build([message("кава")], vectors={message("кава").message_id: TextVector("m/1", b"a")})
    old = replace(segment, terms_version=segment.terms_version - 1)
    assert old.change().encode() == segment.encode()


def test_a_segment_with_a_thousand_vectors_is_divided_with_them():
    said = [message(f"слово {n}", message_id=n) for n in range(1, MOST_MESSAGES + 2)]
    given_vectors = {m.message_id: TextVector("m/256", bytes([m.message_id % 128] * 256)) for m in said}
    pieces = divide_segment(Segment.build(said, vectors=given_vectors), growing=True)
    assert [s.talk.size for s, _ in pieces] == [1000, 1]
    assert {k: v for s, _ in pieces for k, v in vectors_in(s).items()} == given_vectors
    assert all(len(payload) <= MOST_BYTES for _, payload in pieces)


def test_a_segment_that_is_full_leaves_a_thousand_messages_behind_when_it_grows_and_is_halved_otherwise():
    messages = [message("так", message_id=n) for n in range(1, MOST_MESSAGES + 2)]
    whole = Segment.build(messages, [note(1, 10), note(1001, 1010)])
    growing, halved = divide_segment(whole, growing=True), divide_segment(whole, growing=False)
    assert [s.talk.size for s, _ in growing] == [1000, 1]
    assert [s.memory.size for s, _ in growing] == [1, 1]
    assert [s.talk.size for s, _ in halved] == [500, 501]


def test_a_hostile_chats_segments_stay_small_enough_to_be_stored():
    letters = np.random.default_rng(5).integers(0x4E00, 0x9FFF, (90, 4096)).astype(np.uint16)
    texts = [row.tobytes().decode("utf-16-le") for row in letters]
    pieces = divide_segment(Segment.build([message(t, message_id=n + 1) for n, t in enumerate(texts)]), growing=True)
    assert len(pieces) > 1
    assert max(len(payload) for _, payload in pieces) <= MOST_BYTES
    assert [m.text for s, _ in pieces for m in s.messages()] == texts


def test_a_single_message_that_is_too_large_is_not_divided():
    huge = Segment.build([message("", media_text=np.random.default_rng(1).bytes(600_000).hex(), sent_at=at(0))])
    assert len(divide_segment(huge, growing=True)) == 1
