"""A line of a script becomes a message as the Bot API describes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.chat.messenger import Impossible
from infra.local.chat.raw_updates import LOCAL_CHAT, LocalChat
from infra.local.script import ScriptError
from infra.local.script.lines import MESSAGE_KEYS
from infra.telegram.updates import parse_update
from tests.support.telegram.bot_api_rules import check
from tests.unit.infra.local.chat.composed import Chat


@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        ({"type": "user", "sender_user": {"id": 9, "first_name": "Ганна"}}, {"type": "user"}),
        ({"type": "hidden_user", "sender_user_name": "Ганна"}, {"sender_user_name": "Ганна"}),
        ({"type": "chat", "sender_chat": {"id": -1001, "title": "Група"}}, {"type": "chat"}),
        ({"type": "channel", "chat": {"id": -1009, "title": "Канал"}, "message_id": 4}, {"message_id": 4}),
    ],
)
def test_an_origin_may_be_written_as_the_bot_api_does(origin, shown):
    here = Chat()
    forwarded = here.say(text="га", forwarded=origin)["forward_origin"]
    external = here.say(text="га", external_reply={"origin": origin, "chat": {"id": -1007}, "message_id": 3})
    check(external, "Message", "message")
    assert forwarded.items() >= shown.items()
    assert external["external_reply"]["origin"]["type"] == origin["type"]
    assert external["external_reply"]["message_id"] == 3


FORUM = LocalChat(-1001, "supergroup", "Spomyn", is_forum=True)


@pytest.mark.parametrize(
    ("line", "chat"),
    [
        ({"text": "/gryadfacts @olia"}, LOCAL_CHAT),
        ({"text": "ага", "reply_to": 1, "quote": "котик"}, LOCAL_CHAT),
        ({"text": "ага", "external_reply": {"message_id": 1}, "quote": "котик"}, FORUM),
        (
            {"text": "ага", "external_reply": {"chat_id": -1007, "message_id": 3, "user_id": 9}, "quote": "слон"},
            LOCAL_CHAT,
        ),
        ({"text": "ага", "topic": 40}, FORUM),
        ({"text": "ага", "sender_chat": -1001}, LOCAL_CHAT),
        ({"text": "ага", "sender_chat": -10055}, LOCAL_CHAT),
        ({"text": "ага", "via_bot": "@gif"}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": True}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": {"user_id": 9, "name": "Ганна"}}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": {"user_id": -1001, "name": "Група"}}, LOCAL_CHAT),
        ({"text": "ага", "forwarded": {"user_id": -1009, "name": "Канал", "message_id": 4}}, LOCAL_CHAT),
        *[({"media": kind}, LOCAL_CHAT) for kind in ("photo", "voice", "video", "video_note", "animation", "audio")],
        *[({"media": kind}, LOCAL_CHAT) for kind in ("document", "sticker")],
        ({"media": "photo", "caption": "гарно, @taras"}, LOCAL_CHAT),
    ],
)
def test_a_message_has_the_form_that_the_bot_api_describes(line, chat):
    here = Chat()
    here.say(text="🙂 котик спить")
    message = here.say(chat, **line)
    check(message, "Message", "message")
    if "quote" in line:
        assert message["quote"]["position"] == (3 if line["quote"] == "котик" else 0)


def test_a_reply_stays_in_the_topic_of_what_it_answers():
    here = Chat()
    here.say(FORUM, text="про риболовлю", topic=40)
    assert here.say(FORUM, text="і я", reply_to=1)["message_thread_id"] == 40
    with pytest.raises(Impossible, match="stands in topic 40"):
        here.say(FORUM, text="і я", reply_to=1, topic=41)


VALUES = st.sampled_from(
    [
        *(None, True, False, -1001, -1009, 0, 1, 2, 40, 1 << 60, 1.5, "", " ", "котик", "@gif", "photo", "sticker", []),
        *({}, {"user_id": 9, "name": "Г"}, {"message_id": 1}, {"chat_id": -7, "message_id": 1, "name": "Г"}),
        *({"type": "channel", "chat": {"id": -1009}}, {"origin": {"type": "user", "sender_user": {"id": 9}}}),
    ]
)


@given(st.dictionaries(st.sampled_from(MESSAGE_KEYS), VALUES), st.sampled_from((LOCAL_CHAT, FORUM)))
def test_a_line_is_refused_or_a_message_as_the_bot_api_describes_it(line, chat):
    here = Chat()
    here.say(text="🙂 котик спить")
    try:
        message = here.say(chat, **{"text": "га"} | line)
    except (ScriptError, Impossible):
        return
    check(message, "Message", "message")
    parse_update({"update_id": 1, "message": message})
