"""A topic is what several members come back to on several days."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from shared.domain.reading.statistics.manner import extract_statistics
from tests.support.talk import said
from tests.unit.domain.reading.statistics.talks import (
    by_key,
    only,
    ordinary,
    over_days,
    recurring,
    sample,
)


def test_a_subject_that_keeps_coming_back_is_a_topic() -> None:
    fact = only(extract_statistics(sample("біткоїн знову впав", "ну таке", "йду спати", times=12)))
    assert (fact.category, fact.value, fact.single) == ("topic", "crypto", False)


def test_fifty_messages_of_one_evening_say_nothing_of_hours_and_subjects() -> None:
    messages = [said(f"{text} сервер", id=n, by=100 + n % 5) for n, text in enumerate(ordinary(60))]
    assert {"active_hours", "frequent_topic"}.isdisjoint(by_key(extract_statistics(messages)))


def topics_of(texts: Sequence[str], **fields: Any) -> list[str]:
    found = extract_statistics(over_days(texts, **fields))
    return [candidate.value for candidate in found if candidate.key == "frequent_topic"]


def test_a_noun_that_several_members_use_on_several_days_is_a_topic() -> None:
    assert topics_of(recurring("знову впав наш сервер", "та ну 🙂"), authors=4, days=7) == ["сервер"]
    assert topics_of(recurring("the servers went down", "oh well 🙂"), authors=4, days=7) == ["server"]


def test_the_forms_of_a_word_are_one_topic() -> None:
    texts = ["на велосипеді весело 🙂", "без велосипеда сумно", "та ну", "велосипеди чекають", "ага", "ок"] * 16
    assert topics_of(texts, authors=5, days=7) == ["велосипед"]


def test_a_subject_on_several_days_needs_a_smaller_share_than_in_one_go() -> None:
    texts = recurring("біткоїн знову впав", "та ну 🙂", every=7)
    assert topics_of(texts, days=6, authors=5) == ["crypto"]
    assert topics_of(texts, days=1, authors=5) == []


@pytest.mark.parametrize(
    ("text", "filler"),
    [
        ("Петренку, ти де", "та ну 🙂"),  # a call
        ("питаю, де Петренко зараз", "та ну 🙂"),  # a name
        ("привіт усім", "та ну 🙂"),
        ("хочу це почитати", "та ну 🙂"),  # a verb
        ("гарно сказано", "та ну 🙂"),
        ("and then we walked", "oh well 🙂"),
        ("good morning, thanks", "oh well 🙂"),
        ("ping @petrenko now", "oh well 🙂"),
        ("the problem is time", "oh well 🙂"),
    ],
)
def test_names_greetings_verbs_and_empty_words_are_no_topics(text: str, filler: str) -> None:
    assert topics_of(recurring(text, filler), authors=4, days=7) == []


@pytest.mark.parametrize(("with_article", "topics"), [(6, []), (7, ["server"])])
def test_an_english_word_is_a_noun_when_a_third_of_its_uses_follow_an_article(
    with_article: int, topics: list[str]
) -> None:
    uses = [f"{'the' if n < with_article else 'old'} servers went down" for n in range(21)]
    assert topics_of([text for use in uses for text in (use, *["oh well 🙂"] * 4)], authors=4, days=7) == topics


@pytest.mark.parametrize("as_a_name", ["знову впав Сервер там", "Сервер, ти де"])
@pytest.mark.parametrize(("times", "topics"), [(10, ["сервер"]), (11, [])])
def test_a_word_is_a_name_when_more_than_half_of_its_uses_are_those_of_one(
    as_a_name: str, times: int, topics: list[str]
) -> None:
    uses = [as_a_name if n < times else "знову впав сервер там" for n in range(20)]
    assert topics_of([text for use in uses for text in (use, *["та ну 🙂"] * 4)], authors=4, days=7) == topics


def test_one_members_word_is_not_the_groups_topic() -> None:
    messages = [
        replace(m, user_id=100) if "сервер" in m.text else m
        for m in over_days(recurring("знову впав сервер", "та ну 🙂"), days=7)
    ]
    assert "frequent_topic" not in by_key(extract_statistics(messages))


def test_the_name_of_a_member_is_no_topic() -> None:
    messages = [replace(m, name="Гітара") for m in over_days(recurring("де та гітара", "та ну 🙂"), days=7, authors=4)]
    assert "frequent_topic" not in by_key(extract_statistics(messages))


def test_what_the_bot_is_called_is_no_topic() -> None:
    messages = over_days(recurring("а що гряг скаже", "та ну 🙂"), days=7, authors=4)
    assert "frequent_topic" in by_key(extract_statistics(messages))
    assert "frequent_topic" not in by_key(extract_statistics(messages, names=["гряг", "gryag_bot"]))
