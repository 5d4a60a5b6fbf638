"""What a message is, whose words it holds, and ids of a group that became a supergroup."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.conversation.messages import (
    comes_from,
    known_members,
    message_link,
    migrated_message_id,
    name_mark,
    other_names,
)
from tests.support.builders import message

OLD_IDS = st.integers(1, 2**31)


@given(OLD_IDS, OLD_IDS, OLD_IDS)
def test_old_messages_keep_their_order_and_sort_before_every_new_one(one, other, new):
    assert (migrated_message_id(one) < migrated_message_id(other)) is (one < other)
    assert migrated_message_id(one) < 0 < new


@given(OLD_IDS)
def test_an_id_is_moved_once_however_often_it_is_asked(old):
    assert migrated_message_id(migrated_message_id(old)) == migrated_message_id(old)


@pytest.mark.parametrize(
    "change",
    [{"text": ""}, {"is_bot": True}, {"forwarded": True}, {"kind": "command"}],
    ids=["nothing said", "a bot", "somebody else's words", "a command"],
)
def test_only_a_members_own_words_may_teach(change):
    assert message("я живу у Львові").may_teach
    assert not message(**{"text": "я живу у Львові"} | change).may_teach


def test_who_was_an_admin_when_they_said_it_goes_before_who_is_one_now():
    assert message(user_id=7, is_admin=True).is_by_admin(())
    assert not message(user_id=7, is_admin=False).is_by_admin({7})
    assert message(user_id=7, is_admin=None).is_by_admin({7})
    assert not message(user_id=7, is_admin=None).is_by_admin({8})


def test_members_are_those_who_may_teach_each_with_every_name_once():
    talk = [
        message("раз", user_id=1, name="Оля", username="olia"),
        message("два", user_id=1, name="Ольга", username="olia"),
        message("три", user_id=2, name="Новини", forwarded=True),
        message("чотири", user_id=3, name="Тарас"),
    ]
    assert known_members(talk, without=frozenset({3})) == {1: ["Оля", "olia", "Ольга"]}


def test_the_names_of_others_are_never_ones_own():
    talk = [
        message(user_id=1, name="Оля", username="olia"),
        message(user_id=2, name="Тарас", username=None),
        message(user_id=3, name="Оля"),
    ]
    of_others = other_names(talk)
    assert of_others(talk[0]) == ("Тарас",)
    assert of_others(talk[1]) == ("olia", "Оля")


@given(st.text(max_size=40))
def test_a_name_has_one_mark_however_it_is_cased_spaced_or_composed(name):
    mark = name_mark(name)
    assert len(mark) == 16
    assert int(mark, 16) >= 0
    assert name_mark(f"  {name}\t") == mark
    assert name_mark(unicodedata.normalize("NFD", name)) == mark


def test_another_name_has_another_mark():
    assert name_mark("Оля Коваль") == name_mark("оля  КОВАЛЬ")
    assert name_mark("Оля Коваль") != name_mark("ОляКоваль")


def test_a_message_comes_from_those_whose_ids_or_marks_it_carries():
    carried = message(origin_ids=(5, 6), origin_names=(name_mark("Ганна"),))
    assert comes_from(carried, {6}, ())
    assert comes_from(carried, (), {name_mark("ганна")})
    assert not comes_from(carried, {7}, {name_mark("Оля")})
    assert not comes_from(message(), {6}, {name_mark("Ганна")})


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
