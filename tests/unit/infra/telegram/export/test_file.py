"""Reading what Telegram Desktop exports: each kind of message, hostile records, broken files, bounded memory."""

import json
import tracemalloc
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.telegram.export import Export, ExportError, LeftOut, MessageReader, exported_chat
from shared.domain.conversation.messages import Message, migrated_message_id, name_mark
from tests.support.telegram.export import CHAT, NUMBER, START, export_of, exported, service, talk, written

ACCOUNT = {"about": "Here is the data you requested", "chats": {"list": [export_of(talk(3))]}}


def read(*records, **more):
    reader = MessageReader(CHAT, **more)
    return [reader.read(record) for record in records]


def one(record, **more):
    (message,) = read(record, **more)
    return message


def all_of(path):
    with Export(path) as export:
        return export.chat, list(export.messages(MessageReader(export.chat.chat_id or 1)))


def test_a_message_is_what_the_bot_api_would_have_delivered():
    record = exported(7, ["Давайте ", {"type": "bold", "text": "українською"}], reply_to_message_id=5)
    assert one(record | {"edited_unixtime": str(START), "edited": "2026-10-26T12:00:00"}) == Message(
        chat_id=CHAT,
        message_id=7,
        sent_at=datetime.fromtimestamp(START + 420, UTC),
        user_id=101,
        name="Оля",
        text="Давайте українською",
        reply_to=5,
        edited_at=datetime.fromtimestamp(START, UTC),
    )


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"photo": "photos/photo_1.jpg"}, "photo"),
        ({"file": "a.pdf", "mime_type": "application/pdf"}, "document"),
        ({"file": "s.webp", "media_type": "sticker", "sticker_emoji": "👍"}, "sticker"),
        ({"file": "v.ogg", "media_type": "voice_message"}, "voice"),
        ({"file": "v.mp4", "media_type": "video_message"}, "video_note"),
        ({"file": "v.mp4", "media_type": "video_file"}, "video"),
        ({"file": "a.mp4", "media_type": "animation"}, "animation"),
        ({"file": "a.mp3", "media_type": "audio_file"}, "audio"),
        ({"file": "x.bin", "media_type": "hologram"}, "document"),
        ({"poll": {"question": "Коли?", "answers": []}}, "poll"),
        ({"location_information": {"latitude": 50.4, "longitude": 30.5}}, "location"),
        ({"place_name": "Дім", "location_information": {"latitude": 50.4, "longitude": 30.5}}, "venue"),
        ({"contact_information": {"first_name": "Іван"}}, "contact"),
        ({"game_title": "2048"}, "game"),
    ],
)
def test_media_keep_their_kind_and_caption(fields, kind):
    for caption in ("", "Ось"):
        message = one(exported(1, caption, **fields))
        assert (message.kind, message.text, message.media) == (kind, caption, None)


def test_a_command_is_no_talk_and_one_within_a_text_is():
    marked = {"type": "bot_command", "text": "/start@gryag_bot"}
    assert one(exported(1, [marked, " зараз"])).kind == "command"
    assert one(exported(1, ["напиши ", marked])).kind == "text"
    assert one(exported(1, "/start")).kind == "text"


@pytest.mark.parametrize("mark", [{"forwarded_from": "Новини"}, {"forwarded_from": None}, {"via_bot": "@gif"}])
def test_what_is_somebody_elses_is_forwarded(mark):
    record = exported(1, "Чужі слова") | mark
    assert one(record).forwarded
    assert not one(record).may_teach


def test_a_forward_says_whose_words_it_holds():
    named = exported(1, "Чужі слова") | {"forwarded_from": "Ганна", "forwarded_from_id": "user202"}
    assert (one(named).origin_ids, one(named).origin_names) == ((202,), ())
    hidden = exported(1, "Чужі слова") | {"forwarded_from": "Ганна"}
    assert (one(hidden).origin_ids, one(hidden).origin_names) == ((), (name_mark("ганна"),))


def test_speakers_have_the_ids_that_the_bot_api_gives():
    assert one(exported(1, from_id="channel1234567890")).user_id == CHAT
    assert one(exported(1, from_id="channel1234567890")).is_admin is True
    assert one(exported(1, from_id="channel987654321")).user_id == -1000987654321
    assert one(exported(1, from_id="chat55")).user_id == -55
    assert one(exported(1, from_id=4242)).user_id == 4242


def test_a_deleted_account_is_called_by_its_id():
    assert one(exported(1, name=None)).name == "101"
    assert one(exported(1, name="\u200b ")).name == "101"


def test_in_a_forum_messages_have_their_topic_and_replies_inherit_it():
    read_ = read(
        service(2, "topic_created", title="Плани"),
        exported(3, "перше", reply_to_message_id=2),
        exported(4, "відповідь", reply_to_message_id=3),
        exported(5, "загальне"),
        exported(6, "відповідь", reply_to_message_id=5),
    )
    assert [(m.thread_id, m.reply_to) for m in read_[1:]] == [(2, None), (2, 3), (None, None), (None, 5)]


def test_the_history_of_the_basic_group_that_a_supergroup_was_sorts_first():
    old = one(exported(-999_999_990, reply_to_message_id=-999_999_995, date_unixtime=str(START)))
    assert (old.message_id, old.reply_to) == (migrated_message_id(10), migrated_message_id(5))


def test_a_reply_into_another_chat_is_none():
    assert one(exported(9, reply_to_message_id=5, reply_to_peer_id="channel77")).reply_to is None


def test_bots_are_left_out_and_our_own_is_marked():
    button = exported(1, "Оберіть", 777, "Кнопкар", inline_bot_buttons=[[{"type": "callback", "text": "Так"}]])
    later = exported(2, "Ще", 777, "Кнопкар")
    assert read(button, later, exported(3, "x", 888), bots={888}) == [
        LeftOut(number, "of another bot") for number in (1, 2, 3)
    ]
    assert one(button | {"via_bot": "@vote"}).forwarded
    assert one(exported(1, "Знаю", 123456), bot_id=123456, bots={123456}).is_bot
    assert one(exported(1, "Знаю", 5, "Гряг"), bot_names=("гряг",)).is_bot


def test_what_is_no_message_is_left_out_by_name():
    records = [service(1, "pin_message"), {"id": 2, "type": "unsupported"}, exported(3, "")]
    assert [(left.reason, left.failed) for left in read(*records)] == [
        ("a service message", False),
        ("not exported by this version of Telegram Desktop", False),
        ("without text or media", False),
    ]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"type": "hologram"}, "of an unknown type 'hologram'"),
        ({"type": None}, "of an unknown type"),
        ({"id": "1"}, '"id" must be a whole number'),
        ({"id": 0}, '"id" is missing'),
        ({"id": -5_000_000_000}, '"id" is missing'),
        ({"from_id": "robot7"}, '"from_id" is not like "user123"'),
        ({"from_id": None}, '"from_id" is not like'),
        ({"from_id": True}, '"from_id" is not like'),
        ({"from": 5}, '"from" must be text'),
        ({"text": 5}, '"text" is neither'),
        ({"text": [{"type": "bold"}]}, '"text" is neither'),
        ({"text": "я" * 40_000}, "40000 characters"),
        ({"date_unixtime": "soon"}, '"date" is no time'),
        ({"date_unixtime": "-5"}, '"date" is no time'),
        ({"date_unixtime": "9" * 30}, '"date" is no time'),
        ({"date_unixtime": None, "date": "yesterday"}, '"date" is no time'),
        ({"date_unixtime": None, "date": None}, '"date" is missing'),
        ({"edited_unixtime": []}, '"edited" is no time'),
        ({"reply_to_message_id": "5"}, '"reply_to_message_id" must be a whole number'),
    ],
)
def test_a_wrong_field_is_named_and_fails_its_message_only(change, complaint):
    wrong = {key: value for key, value in (exported(1) | change).items() if value is not None}
    bad, good = read(wrong, exported(2))
    assert bad.failed
    assert complaint in bad.reason
    assert good.message_id == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([*sorted(exported(1)), "edited", "media_type", "photo"]), json_values))
def test_any_record_is_read_or_refused(change):
    read_ = one(exported(1) | change)
    assert isinstance(read_, Message | LeftOut)
    if isinstance(read_, Message):
        assert "\ud800" not in read_.text
        read_.text.encode()


def test_older_exports_have_only_local_time_which_counts_as_utc():
    assert one(exported(1, date_unixtime=None)).sent_at == datetime(2026, 10, 26, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "number", "chat_id", "type_"),
    [
        ("private_supergroup", 1234567890, -1001234567890, "supergroup"),
        ("public_supergroup", 123456789, -1000123456789, "supergroup"),
        ("private_group", 1234, -1234, "group"),
        ("personal_chat", 77, 77, "private"),
        ("bot_chat", 123456, None, "private"),
        ("private_supergroup", "12", None, "supergroup"),
    ],
)
def test_the_chats_id_is_the_bot_apis(kind, number, chat_id, type_):
    chat = exported_chat({"type": kind, "id": number, "name": "Друзі"})
    assert (chat.chat_id, chat.type) == (chat_id, type_)


def test_a_file_is_read_in_order_also_when_its_head_comes_last(tmp_path):
    chat, messages = all_of(written(tmp_path, talk(30)))
    assert (chat.chat_id, chat.title) == (CHAT, "Друзі")
    assert [m.message_id for m in messages] == list(range(1, 31))
    backwards = tmp_path / "backwards.json"
    backwards.write_text(json.dumps(dict(reversed(export_of(talk(3)).items()))))
    assert all_of(backwards) == (chat, messages[:3])


def test_a_byte_order_mark_and_telegrams_own_escapes_are_read(tmp_path):
    path = tmp_path / "result.json"
    text = json.dumps(export_of([exported(1, "a\\x41 @@ \\\\"), exported(2, "б")]), ensure_ascii=False)
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("@@", "\\x0B\\x1f").encode())
    assert [m.text for m in all_of(path)[1]] == ["a\\x41 \x0b\x1f \\\\", "б"]


@given(st.lists(st.sampled_from(["\\", '"', "x", "0", "B", "u", "я", "@"]), max_size=60), st.integers(8, 24))
def test_escapes_are_mended_wherever_the_blocks_end(letters, size):
    from io import BytesIO

    from infra.telegram.export.file import _Source

    written_ = json.dumps("".join(letters), ensure_ascii=False).replace("@", "\\x0B").encode()
    source = _Source(BytesIO(written_))
    read_ = b"".join(iter(lambda: source.read(size), b""))
    assert json.loads(read_) == "".join(letters).replace("@", "\x0b")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "ends in the middle"),
        (b"nope", "is not JSON, near byte 4 of 4"),
        (b"[1]", "not the export of one chat"),
        (b'"text"', "not the export of one chat"),
        (b'{"messages": []}', "not the export of one chat (its type is ''"),
        (b'{"type": {"a": 1}, "messages": []}', "not the export of one chat"),
        (b'{"name": "x", "ty', "ends in the middle"),
        (json.dumps(ACCOUNT).encode(), "the export of a whole account; export one group"),
        (b'\xff\xfe{"a": 1}', "is not JSON"),
    ],
)
def test_what_is_no_export_is_refused_in_one_sentence(tmp_path, content, complaint):
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(ExportError) as refused:
        Export(path)
    assert complaint in str(refused.value)
    assert str(refused.value).startswith(str(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.99])
def test_of_a_file_that_is_cut_off_everything_before_is_read_and_the_place_is_said(tmp_path, keep):
    whole = written(tmp_path, talk(500))
    cut = tmp_path / "cut.json"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * keep)])
    messages = []
    with Export(cut) as export, pytest.raises(ExportError) as broken:
        messages.extend(export.messages(MessageReader(CHAT)))
    assert len(messages) > 500 * keep - 10
    assert [m.message_id for m in messages] == list(range(1, len(messages) + 1))
    assert f"ends in the middle after message {len(messages)} (number {len(messages)} of the file)" in str(broken.value)


def test_garbage_in_the_middle_is_told_with_the_last_message(tmp_path):
    path = tmp_path / "result.json"
    path.write_text(json.dumps(export_of(talk(3))).replace('"id": 3', '"id": }'))
    with Export(path) as export, pytest.raises(ExportError, match="is not JSON after message 2"):
        list(export.messages(MessageReader(NUMBER)))


@pytest.mark.parametrize("deep", [b"[", b'{"a":', b'[{"text":'])
def test_brackets_without_end_take_no_memory(tmp_path, deep):
    path = tmp_path / "result.json"
    path.write_bytes(b'{"name": "x", "type": "private_group", "id": 5, "messages": [' + deep * 50_000)
    with Export(path) as export, pytest.raises(ExportError, match="nested 101 deep after the beginning"):
        all_of_open(export)
    path.write_bytes(b'{"messages": ' + deep * 50_000)
    with pytest.raises(ExportError, match="nested 101 deep"):
        Export(path)


def all_of_open(export):
    return list(export.messages(MessageReader(CHAT)))


def test_memory_does_not_grow_with_the_file(tmp_path):
    def peak(count):
        path = written(tmp_path, [])
        with path.open("w") as file:
            file.write('{"name": "x", "type": "private_supergroup", "id": 5, "messages": [')
            file.write(
                ",".join(json.dumps(exported(n, "слово " * 50), ensure_ascii=False) for n in range(1, count + 1))
            )
            file.write("]}")
        tracemalloc.start()
        with Export(path) as export:
            assert sum(1 for _ in export.messages(MessageReader(-5))) == count
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    assert peak(2_000) < 1.5 * peak(300) < 6_000_000
