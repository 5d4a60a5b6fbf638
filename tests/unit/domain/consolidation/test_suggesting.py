"""What the rules find in talk."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.suggesting import drop_taken, suggest
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, ProfileQuote
from tests.unit.domain.consolidation.cases import (
    MONDAY,
    by_language,
    read,
    score_suggestions,
    talk,
)
from tests.unit.domain.consolidation.item_lists import KYIV


@pytest.mark.parametrize(("lang", "cases"), by_language(read("suggest")))
def test_the_rules_find_what_people_would_write_down(lang, cases):
    score = score_suggestions(cases)
    assert score.precision >= 0.95, score.wrong
    assert score.recall >= 0.95, score.missed


def test_rules_of_the_chat_are_preferences_as_long_as_their_quotes_are_read():
    messages = talk([["O", "у нас без політики, домовились"]])
    fact = ProfileFact(
        "f", "chat", "rule", "forbidden_topics", "політика", "Без політики.", 0.9, Authority.ADMIN, 1, 1, None, None,
        (ProfileQuote(1001, 102, "Оля", "без політики", MONDAY),),
    )  # fmt: skip
    found = suggest(messages, [fact, fact._replace(evidence=())], zone=KYIV, language="uk")
    assert [(s.section, s.text) for s in found] == [(Section.PREFERENCES, "Без політики")]
    assert suggest([], [fact], zone=KYIV, language="uk") == []


def test_a_bot_and_what_is_forwarded_suggest_nothing():
    messages = talk([["T", "я забронюю квитки до п'ятниці"]])[1:]
    for more in ({"is_bot": True}, {"forwarded": True}, {"kind": "command"}):
        assert suggest([replace(m, **more) for m in messages], [], zone=KYIV, language="uk") == []


@settings(max_examples=8, deadline=None)
@given(
    st.permutations(
        [["T", "я забронюю квитки"], ["O", "давайте поїдемо в Одесу"], ["M", "Одеса, чудово"], ["O", "Одеса!"]]
    )
)
def test_the_order_in_which_messages_are_given_does_not_matter(lines):
    messages = talk(
        [["T", "я забронюю квитки"], ["O", "давайте поїдемо в Одесу"], ["M", "Одеса, чудово"], ["O", "Одеса!"]]
    )
    shuffled = sorted(messages, key=lambda m: [*lines, ["B", "Я тут."]].index([_who(m), m.text]))
    expected = suggest(messages, [], zone=KYIV, language="uk")
    assert suggest(shuffled, [], zone=KYIV, language="uk") == expected
    assert {s.text for s in expected} == {"Поїхати в Одесу", "Тарас: забронювати квитки"}


def _who(message):
    return {101: "T", 102: "O", 103: "M", 900: "B"}[message.user_id]


THURSDAY, FRIDAY = date(2026, 3, 12), date(2026, 3, 13)


def owed(text, *messages, due=None):
    return Suggestion(Section.PENDING, text, tuple((number, f"said in {number}") for number in messages), due)


def test_who_takes_a_request_on_owes_it_and_both_are_quoted():
    [taken] = drop_taken([owed("Тарас: забрати ключі", 1, due=THURSDAY), owed("Оля: забрати ключі", 2)])
    assert (taken.text, taken.due) == ("Оля: забрати ключі", THURSDAY)
    assert [number for number, _ in taken.quotes] == [1, 2]


def test_the_day_of_a_promise_goes_before_that_of_the_request():
    [taken] = drop_taken([owed("Забрати ключі", 1, due=THURSDAY), owed("Оля: забрати ключі", 2, due=FRIDAY)])
    assert taken.due == FRIDAY


@pytest.mark.parametrize(
    "second",
    [
        owed("Оля: забрати квитки", 2),
        owed("Забрати ключі", 2),
        owed("Усі: забрати ключі", 2),
        owed("Тарас: забрати ключі", 2),
        owed("Оля: забрати ключі", 1),
    ],
    ids=["another task", "nobody in particular", "all of us", "the same owner again", "of the same message"],
)
def test_nothing_else_takes_a_request_away(second):
    first = owed("Тарас: забрати ключі", 1)
    assert drop_taken([first, second]) == [first, second]


def test_what_all_are_asked_is_taken_on_by_nobody_alone():
    everybody, one = owed("Everyone: bring water", 1), owed("Mike: bring water", 2)
    assert drop_taken([everybody, one]) == [everybody, one]
