"""The head of an export: which chat it is of, with the id that the Bot API gives."""

import pytest

from infra.telegram.export import exported_chat


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
