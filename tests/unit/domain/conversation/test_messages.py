"""What a message is, whose words it holds, and ids of a group that became a supergroup."""

import unicodedata
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.conversation.messages import (
    MOST_EDITIONS,
    Edition,
    comes_from,
    join_editions,
    known_members,
    message_link,
    migrated_message_id,
    name_mark,
    other_names,
    read_the_same_at,
    worded_at,
    wording_mark,
)
from tests.support.builders import at, message

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


marks = st.sampled_from(["a", "b", "c"])
editions = st.lists(st.builds(Edition, st.integers(0, 8).map(at), st.integers(0, 30), marks), max_size=10)


def edition(minute, words, update_id=0):
    return Edition(at(minute), update_id, wording_mark(words))


@pytest.mark.parametrize(
    "text", ["говоримо українською", "Говоримо  українською!!", " ГОВОРИМО\nукраїнською. ", "говоримо українською…"]
)
def test_spaces_emphasis_and_the_marks_at_the_end_make_no_other_wording(text):
    assert wording_mark(text) == wording_mark("Говоримо українською")


@pytest.mark.parametrize(
    "text",
    [
        "Говоримо українською?",
        "Говоримо, українською",
        "Говоримо. Українською",
        "Не говоримо українською",
        "Говоримо -",
    ],
)
def test_any_other_sign_makes_another_wording(text):
    assert wording_mark(text) != wording_mark("Говоримо українською")


def test_what_was_never_edited_always_read_so():
    assert read_the_same_at((), at(3))
    assert worded_at((), at(3)) == at(3)


def test_what_was_agreed_to_before_an_edit_was_something_else():
    known = (edition(0, "a"), edition(5, "b", 9))
    assert [read_the_same_at(known, at(minute)) for minute in (1, 5, 6)] == [False, False, True]
    assert worded_at(known, at(0)) == at(5)


def test_words_that_come_back_have_those_back_who_agreed_to_them_and_not_who_agreed_in_between():
    known = (edition(0, "a"), edition(5, "b", 9), edition(8, "a", 12))
    assert [read_the_same_at(known, at(minute)) for minute in (1, 6, 8, 9)] == [True, False, False, True]
    assert worded_at(known, at(0)) == at(8)


def test_what_a_message_read_before_its_first_known_edition_nobody_knows():
    assert not read_the_same_at((edition(5, "a", 9),), at(3))


def test_of_two_edits_in_one_second_the_later_update_is_the_wording_and_that_second_is_nobodys():
    known = join_editions([edition(5, "b", 11)], [edition(0, "a"), edition(5, "a", 9)])
    assert known[-1].mark == wording_mark("b")
    assert [read_the_same_at(known, at(5)), read_the_same_at(known, at(5) + timedelta(seconds=1))] == [False, True]


@given(editions.flatmap(lambda told: st.tuples(st.just(told), st.permutations(told), st.integers(0, 10))))
def test_order_and_repetition_of_deliveries_change_nothing(deliveries):
    told, shuffled, cut = deliveries
    assert join_editions(shuffled[:cut], shuffled[cut:], shuffled[:cut]) == join_editions(told)


@given(editions, st.integers(0, 10).map(at))
def test_who_agreed_since_it_reads_so_agreed_to_what_it_reads(told, when):
    known = join_editions(told)
    if known and when > worded_at(known, at(0)):
        assert read_the_same_at(known, when)


@given(st.lists(st.builds(Edition, st.integers(0, 500).map(at), st.integers(0, 5), marks), min_size=60, max_size=90))
def test_of_too_many_editions_the_newest_are_known(told):
    known = join_editions(told)
    assert len(known) <= MOST_EDITIONS
    assert known == tuple(sorted(set(told)))[-MOST_EDITIONS:]
