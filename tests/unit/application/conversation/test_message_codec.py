"""What is written of a message is read back, and documents of before there was a field are read, too."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.conversation.message_codec import (
    ChunkState,
    StoredMessage,
    chunk_field,
    chunk_state_of,
    edited_field,
    message_fields,
    new_message,
    own_message_fields,
    read_message,
    read_message_fields,
    retell_field,
    unquoted_fields,
)
from shared.application.conversation.reply_codec import ReplyContext
from shared.application.documents import message_path
from shared.application.ports.store import DELETE_FIELD, Document
from shared.domain.conversation.messages import Edition, MediaFile, Message
from tests.support.builders import at, message

CHAT = -1001

instants = st.integers(0, 10_000).map(at)
ids = st.integers(-(2**52), 2**52)
words = st.text(max_size=20)
editions = st.lists(st.builds(Edition, instants, st.integers(0, 99), words), max_size=3).map(tuple)
sizes = st.none() | st.integers(0, 2**40)
files = st.builds(
    MediaFile,
    words,
    words,
    sizes,
    mime_type=st.none() | words,
    duration=sizes,
    thumbnail=st.none() | st.builds(MediaFile, words, words, sizes),
    media_group_id=st.none() | words,
)
messages = st.builds(
    Message,
    chat_id=st.just(CHAT),
    message_id=ids,
    sent_at=instants,
    user_id=ids,
    name=words,
    username=st.none() | words,
    text=words,
    kind=st.sampled_from(("text", "command", "photo")),
    is_bot=st.booleans(),
    is_admin=st.none() | st.booleans(),
    reply_to=st.none() | ids,
    quote=st.none() | words,
    thread_id=st.none() | ids,
    forwarded=st.booleans(),
    edited_at=st.none() | instants,
    media=st.none() | files,
    media_text=words,
    origin_ids=st.lists(ids, max_size=2).map(tuple),
    origin_names=st.lists(words, max_size=2).map(tuple),
    origin_at=st.none() | instants,
    editions=editions,
)
chunks = st.sampled_from(ChunkState).map(lambda state: (state, "1-10" if state is ChunkState.READ else ""))


@st.composite
def stored_messages(draw, **more):
    chunk_state, chunk_id = draw(chunks)
    return StoredMessage(
        draw(messages),
        received_at=draw(instants),
        expire_at=draw(st.none() | instants),
        chunk_state=chunk_state,
        chunk_id=chunk_id,
        is_edited=draw(st.booleans()),
        retell_at=draw(st.none() | instants),
        edit_update_id=draw(st.integers(0, 2**40)),
        **{name: draw(values) for name, values in more.items()},
    )


def document(fields):
    return Document(message_path(CHAT, fields["message_id"]), fields)


@given(stored_messages())
def test_what_is_written_of_a_message_is_read_back(stored):
    assert read_message(document(message_fields(stored))) == stored


contexts = st.sampled_from((None, ReplyContext("gryadfix", "card", "f1", words="w", since=at(3))))


@given(stored_messages(reply_context=contexts, people=st.lists(ids, max_size=3).map(tuple)), st.lists(ids))
def test_what_is_written_of_the_bots_own_message_is_read_back(stored, answers):
    read = read_message(document(own_message_fields(stored, answers=answers)))
    assert read == stored._replace(answer_ids=tuple(map(str, answers)))


def test_a_message_as_first_stored_waits_to_be_read_unless_it_was_said_in_private():
    new = new_message(message(), now=at(5), retention=timedelta(days=90))
    assert (new.chunk_state, new.received_at, new.expire_at) == (ChunkState.UNREAD, at(5), at(5) + timedelta(days=90))
    assert message_fields(new)["chunk"] is None
    private = new_message(message(), now=at(5), retention=timedelta(days=90), is_private=True)
    assert message_fields(private)["chunk"] == "private"


def test_fields_that_most_messages_have_nothing_for_are_absent():
    fields = message_fields(new_message(message(), now=at(5), retention=timedelta(days=90)))
    absent = {"editions", "origin_ids", "origin_names", "origin_at", "retell_at", "edit_update_id", "asks", "answer"}
    assert absent.isdisjoint(fields)


def test_of_a_file_only_what_is_known_is_stored():
    film = MediaFile("f", "u", 9, duration=0, thumbnail=MediaFile("s", "t"), media_group_id="a")
    stored = {"file_id": "f", "file_unique_id": "u", "file_size": 9, "duration": 0, "media_group_id": "a"}
    fields = message_fields(new_message(message(media=film), now=at(5), retention=timedelta(days=90)))
    assert fields["media"] == stored | {"thumbnail": {"file_id": "s", "file_unique_id": "t"}}
    assert read_message(document(fields)).message.media == film
    assert message_fields(new_message(message(), now=at(5), retention=timedelta(days=90)))["media"] is None


def test_a_document_of_before_most_fields_is_read():
    old = {"message_id": 7, "sent_at": at(1), "user_id": 101, "name": "Оля", "text": "Привіт"}
    read = read_message(document(old))
    assert read.message == message("Привіт", message_id=7, sent_at=at(1))
    assert (read.received_at, read.expire_at, read.chunk_state) == (at(1), None, ChunkState.UNREAD)
    assert (read.is_edited, read.answer_ids, read.people, read.reply_context) == (False, (), (), None)


@pytest.mark.parametrize(
    ("stored", "state", "chunk_id"),
    [
        (None, ChunkState.UNREAD, ""),
        ("private", ChunkState.PRIVATE, ""),
        ("set-aside", ChunkState.SET_ASIDE, ""),
        ("11-20", ChunkState.READ, "11-20"),
    ],
)
def test_the_one_field_of_a_chunk_is_a_state_and_an_id(stored, state, chunk_id):
    fields = {"message_id": 7, "sent_at": at(1), "user_id": 101, "chunk": stored}
    read = read_message(document(fields))
    assert (read.chunk_state, read.chunk_id, chunk_state_of(document(fields))) == (state, chunk_id, state)
    assert chunk_field(state, chunk_id) == {"chunk": stored}


def test_updates_of_a_part_name_the_fields_that_reading_knows():
    assert edited_field() == {"rederive": True}
    assert (retell_field(at(1)), retell_field(None)) == ({"retell_at": at(1)}, {"retell_at": DELETE_FIELD})
    told = message(quote="цитата", origin_ids=(102,), origin_names=("x",), origin_at=at(0))
    fields = message_fields(new_message(told, now=at(5), retention=timedelta(days=90))) | unquoted_fields()
    left = {name: value for name, value in fields.items() if value is not DELETE_FIELD}
    assert read_message_fields(CHAT, left).message == message()


def test_the_chat_of_a_message_is_that_of_its_path():
    fields = message_fields(new_message(message(), now=at(5), retention=timedelta(days=90)))
    assert read_message(Document(message_path(-55, 1), fields)).message.chat_id == -55
