"""Records of an export as messages: what the Bot API would have delivered."""

from datetime import UTC, datetime

import pytest

from infra.telegram.export import LeftOut
from shared.domain.conversation.messages import Message, name_mark
from tests.support.telegram.export import CHAT, START, exported, service
from tests.unit.infra.telegram.export.records import one, read


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


def test_in_a_forum_messages_have_their_topic_and_replies_inherit_it():
    read_ = read(
        service(2, "topic_created", title="Плани"),
        exported(3, "перше", reply_to_message_id=2),
        exported(4, "відповідь", reply_to_message_id=3),
        exported(5, "загальне"),
        exported(6, "відповідь", reply_to_message_id=5),
    )
    assert [(m.thread_id, m.reply_to) for m in read_[1:]] == [(2, None), (2, 3), (None, None), (None, 5)]


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
