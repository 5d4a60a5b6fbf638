"""Names of people and chats."""

from __future__ import annotations

import pytest

from infra.telegram.json import Node
from infra.telegram.people import chat_of, name_of
from shared.domain.intake.updates import (
    ChatInfo,
)
from tests.support.updates import (
    chat,
    user,
)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"name": ""}, "8"),
        ({"name": " \u200b\u2060 "}, "8"),
        ({"name": "", "username": "kobzar"}, "kobzar"),
        ({"name": "", "last_name": "Шевченко"}, "Шевченко"),
    ],
)
def test_a_name_is_never_empty(fields, name):
    assert name_of(Node(user(8, **fields), "user")) == name


def test_a_title_of_a_private_chat_is_the_persons_name():
    assert chat_of(Node(chat(5), "chat")) == ChatInfo(5, "private", "Olena")
