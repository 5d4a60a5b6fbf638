"""Short names in a context: all different, the bot's its own, and nothing in them that structures a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.handles import MAX_HANDLE, NAMELESS, handles_of
from tests.unit.domain.answering.context.nasty import IDS, NAMES

BOT = 1
PEOPLE = st.dictionaries(st.integers(2, 50), st.text(max_size=40), max_size=8)


def handles(names, bot_name="гряг"):
    return handles_of(names, bot_id=BOT, bot_name=bot_name)


def test_of_two_who_share_a_name_the_lower_id_has_it_bare():
    assert handles({7: "Оля", 5: "Оля", 9: "Ігор"}) == {BOT: "гряг", 5: "Оля", 7: "Оля#2", 9: "Ігор"}


@pytest.mark.parametrize("name", ["Гряг", "ГРЯГ", "гpяг"])
def test_nobody_is_called_as_the_bot_is_also_not_in_letters_that_look_alike(name):
    assert handles({5: name})[5].endswith("#2")


def test_names_that_only_look_alike_share_one():
    assert handles({5: "Оля", 7: "Oля"})[7] == "Oля#2"  # a Latin O


@pytest.mark.parametrize("name", ["", "  ", "[]", "...", "##"])
def test_whose_name_shows_nothing_is_called_so(name):
    assert handles({5: name})[5] == NAMELESS


@given(PEOPLE)
def test_the_order_in_which_people_are_named_changes_nothing(names):
    assert handles(names) == handles(dict(reversed(names.items())))


@given(st.dictionaries(IDS.filter(lambda user_id: user_id != BOT), NAMES, max_size=12))
def test_handles_are_unique_and_hold_nothing_of_the_format(names):
    given_to = handles(names)
    assert set(given_to) == {*names, BOT}
    assert len({each.casefold() for each in given_to.values()}) == len(given_to)
    for handle in given_to.values():
        name, _, number = handle.partition("#")
        assert not set(":#→←[]<>\\\n") & set(name)
        assert name.strip() == name
        assert number == "" or int(number) > 1
        assert 0 < len(name) <= MAX_HANDLE
    assert given_to[BOT] == "гряг"


def test_two_of_one_name_are_told_apart_and_nobody_takes_the_bots():
    called = {101: "Оля", 102: "Оля", 103: "Oля", 104: "гряг", 105: "Тарас", 106: "Оля#2"}
    assert handles(called) == {
        BOT: "гряг",
        101: "Оля",
        102: "Оля#2",
        103: "Oля#3",
        104: "гряг#2",
        105: "Тарас",
        106: "Оля 2",
    }


@given(st.dictionaries(IDS, NAMES, max_size=6), st.dictionaries(IDS, NAMES, max_size=3))
def test_who_comes_later_by_id_changes_nobodys_handle(names, more):
    later = {max([*names, 0]) + 1 + abs(user_id): name for user_id, name in more.items()}
    few, all_of_them = (handles_of(known, bot_id=None, bot_name="гряг") for known in (names, names | later))
    assert all(all_of_them[user_id] == few[user_id] for user_id in names)
