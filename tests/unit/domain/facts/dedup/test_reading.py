"""Deduplication by meaning: words, times, numbers and states that are written in different ways."""

import re
from types import SimpleNamespace

import pytest

from shared.domain.facts.dedup import Verdict, verdict
from shared.domain.facts.dedup.reading import comparable, holds_one, slot_of
from shared.domain.text.data_files import read_data

MERGES = (Verdict.DUPLICATE, Verdict.REINFORCES)


def said(category, key, value, description=""):
    return SimpleNamespace(
        subject="user:1",
        category=category,
        key=key,
        value=value,
        description=description or value.capitalize(),
        single=False,
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("preference", "alcohol", "teetotal"), said("personal_info", "drinking", "doesn't drink")),
        (said("relationship", "siblings", "only child"), said("relationship", "family", "no brothers or sisters")),
        (said("relationship", "шлюб", "незаміжня"), said("relationship", "marital_status", "not married")),
        (said("personal_info", "fear", "heights"), said("personal_info", "phobia", "acrophobia")),
        (said("preference", "diet", "vegan"), said("preference", "food", "eats no animal products")),
        (said("personal_info", "job", "taxi driver"), said("personal_info", "робота", "водить таксі")),
        (said("rule", "войси", "войси заборонені"), said("rule", "voice", "no voice messages")),
        (said("rule", "спам", "спамерів виганяємо"), said("rule", "spam", "spam is banned")),
        (said("personal_info", "age", "twenty-seven"), said("personal_info", "вік", "27 років")),
        (said("rule", "slow_mode", "60 minutes"), said("rule", "slow mode", "1 hour")),
    ],
)
def test_what_means_the_same_is_brought_together(one, other):
    assert verdict(one, other) in MERGES
    assert verdict(other, one) in MERGES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (said("personal_info", "car", "Ford", "Has a Ford"), said("personal_info", "vehicle", "none", "Sold the Ford")),
        (said("relationship", "pet", "hamster"), said("relationship", "хом'як", "хом'як помер")),
        (said("personal_info", "sleep", "night owl"), said("preference", "режим", "жайворонок")),
        (said("preference", "alcohol", "drinks beer and wine"), said("personal_info", "alcohol", "no beer, no wine")),
        (said("rule", "slow_mode", "30 seconds"), said("rule", "slow_mode", "2 minutes")),
        (said("rule", "joining", "closed"), said("rule", "joining", "open")),
        (said("rule", "ads", "ads once a week"), said("rule", "ads", "ads once a month")),
        (said("personal_info", "weight", "80 kg"), said("personal_info", "вага", "75 кг")),
        (said("relationship", "boss", "Martin"), said("relationship", "начальник", "Юлія")),
        (
            said("shared_knowledge", "treasurer", "Petra", "Petra is the treasurer"),
            said("shared_knowledge", "money", "Hugo", "Hugo took over as treasurer from Petra"),
        ),
    ],
)
def test_a_changed_state_or_value_conflicts(one, other):
    assert verdict(one, other) is Verdict.CONFLICTS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            said("preference", "fruit", "pears", "Likes pears"),
            said("preference", "sport", "pear", "Hits the boxing pear every evening"),
        ),
        (
            said("preference", "hobby", "rock climbing", "Enjoys rock climbing"),
            said("preference", "music", "rock", "Enjoys rock music"),
        ),
        (said("relationship", "godfather", "Viktor"), said("relationship", "вітчим", "Віктор")),
        (said("rule", "penalty", "ban for spam"), said("rule", "penalty", "ban for insults")),
    ],
)
def test_one_word_in_two_senses_or_relations_stays_two_facts(one, other):
    assert verdict(one, other) is Verdict.DISTINCT


def test_a_description_that_is_repeated_whole_reinforces_under_another_key():
    short = said("experience", "injury", "broken leg", "Broke a leg")
    long = said("experience", "accident", "broken leg, Andorra", "Broke a leg snowboarding in Andorra")
    assert verdict(short, long) is Verdict.REINFORCES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("пароль від вайфаю 12345", "the wifi password is hunter2"),
        ("the wifi password is swordfish", "пароль від вайфаю 12345"),
        ("код домофону 15к", "код домофону 27"),
    ],
    ids=["two languages", "a word and a number", "codes"],
)
def test_two_things_that_the_chat_knows_are_not_one_because_one_is_a_number(one, other):
    first, second = (said("shared_knowledge", "shared_knowledge", words) for words in (one, other))
    assert verdict(first, second) is Verdict.DISTINCT
    assert verdict(second, first) is Verdict.DISTINCT


def test_the_same_password_in_two_languages_is_one():
    one, other = "wifi password: sunflower99", "пароль wifi: sunflower99"
    assert verdict(said("shared_knowledge", "knows", one), said("shared_knowledge", "knows", other)) in MERGES


SLOTS = read_data("shared.domain.facts.dedup", "slots")


@pytest.mark.parametrize("slot", SLOTS)
def test_each_alternative_is_an_expression_and_stands_once(slot):
    alternatives = SLOTS[slot]
    assert len(alternatives) == len(set(alternatives))
    assert [alternative for alternative in alternatives if alternative == "" or re.fullmatch(alternative, "")] == []


@pytest.mark.parametrize(
    ("key", "slot"),
    [("city", "location"), ("місто", "location"), ("рідне місто", "hometown"), ("др", "birthday"), ("shoe size", None)],
)
def test_a_key_names_its_slot_in_both_languages(key, slot):
    assert slot_of("personal_info", key, "") == slot


def test_a_key_that_says_nothing_leaves_it_to_the_description():
    assert slot_of("personal_info", "info", "lives in lviv") == "location"


def test_a_favourite_is_a_slot_of_its_kind():
    assert slot_of("preference", "favourite tea", "") == "favourite tea"


def test_a_skill_has_no_slot():
    assert slot_of("skill", "language", "") is None


def test_who_studies_twice_keeps_both():
    assert (holds_one("education"), holds_one("location"), holds_one(None)) == (False, True, False)


def test_what_was_done_is_not_what_is_wanted():
    assert comparable("rule", "norm")
    assert not comparable("experience", "goal")
