"""Named lists of words, as phrases name them."""

import pytest

from shared.domain.reading.patterns.named_lists import chat_lists, intros, member_lists
from shared.domain.text.data_files import word_lists

PATTERNS = "shared.domain.reading.patterns"


def test_a_list_that_names_another_holds_its_words():
    assert {*member_lists("uk")["num"], *member_lists("uk")["ordinal"]} <= {*member_lists("uk")["howmany"]}


def test_ukrainian_verbs_stand_in_every_person():
    lists = member_lists("uk")
    verbs = lists["eat"]
    assert "їсти" in verbs
    assert "їсти#i" in lists["eat#i"]
    assert "їсти#past" in lists["eat#past"]


def test_verbs_of_the_chat_have_a_list_for_each_person():
    assert "говорити#we" in chat_lists("uk")["talk_we"]


def test_english_has_years_and_ages():
    assert ("=1999" in member_lists("en")["year"], "=42" in member_lists("en")["age"]) == (True, True)


@pytest.mark.parametrize("lang", ["uk", "en"])
def test_lists_for_the_chat_hold_those_for_members(lang):
    assert member_lists(lang).keys() <= chat_lists(lang).keys()


@pytest.mark.parametrize(
    "names", [("uk/lists", "uk/lists_people", "uk/lists_doings"), ("en/lists", "en/lists_doings")], ids=["uk", "en"]
)
def test_a_list_stands_in_one_file(names):
    found = [name for file in names for name in word_lists(PATTERNS, file)]
    assert sorted(found) == sorted(set(found))


def test_only_english_has_intros():
    assert intros("uk") == ()
    assert list(intros("en")) == sorted(set(intros("en")))
