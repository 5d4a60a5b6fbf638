"""Short names in a context: all different, the bot's its own, and nothing in them that structures a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.handles import MAX_HANDLE, NAMELESS, handles_of

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
def test_handles_are_all_different_short_and_without_structure(names):
    given_names = handles(names)
    assert set(given_names) == {BOT, *names}
    assert len({each.casefold() for each in given_names.values()}) == len(given_names)
    for handle in given_names.values():
        bare, _, number = handle.partition("#")
        assert not set(":→←[]<>\\\n") & set(handle)
        assert number.isdecimal() or not number
        assert len(bare) <= MAX_HANDLE


@given(PEOPLE)
def test_the_order_in_which_people_are_named_changes_nothing(names):
    assert handles(names) == handles(dict(reversed(names.items())))
