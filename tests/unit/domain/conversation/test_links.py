"""Where Telegram has links to messages, and what they are."""

import pytest

from shared.domain.conversation.links import message_link

SUPERGROUP = -1001234567890


@pytest.mark.parametrize(
    ("chat_id", "message_id", "more", "link"),
    [
        (SUPERGROUP, 42, {}, "https://t.me/c/1234567890/42"),
        (SUPERGROUP, 42, {"thread_id": 7}, "https://t.me/c/1234567890/7/42"),
        (SUPERGROUP, 42, {"username": "spomyn_chat"}, "https://t.me/spomyn_chat/42"),
        (SUPERGROUP, 42, {"username": "spomyn_chat", "thread_id": 7}, "https://t.me/spomyn_chat/7/42"),
        (-1000000000001, 1, {}, "https://t.me/c/1/1"),
        (SUPERGROUP, -42, {}, None),
        (SUPERGROUP, 0, {}, None),
        (-4242, 42, {}, None),
        (-1000000000000, 42, {}, None),
        (101, 42, {}, None),
        (101, 42, {"username": "olia"}, None),
    ],
)
def test_a_message_has_the_link_that_telegram_gives_it(chat_id, message_id, more, link):
    assert message_link(chat_id, message_id, **more) == link
