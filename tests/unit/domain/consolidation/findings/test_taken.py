"""When one asks and another promises, it is owed by the one who took it on."""

from datetime import date

import pytest

from shared.domain.consolidation import Section, Suggestion
from shared.domain.consolidation.findings.taken import owner_of, untaken

THURSDAY, FRIDAY = date(2026, 3, 12), date(2026, 3, 13)


def owed(text, *messages, due=None):
    return Suggestion(Section.PENDING, text, tuple((number, f"said in {number}") for number in messages), due)


@pytest.mark.parametrize(
    ("text", "owner", "task"),
    [
        ("Тарас: забрати ключі", "Тарас", "забрати ключі"),
        ("Everyone: bring water", "Everyone", "bring water"),
        ("Забрати ключі", "", "Забрати ключі"),
    ],
)
def test_a_line_tells_who_owes_what(text, owner, task):
    assert owner_of(text) == (owner, task)


def test_who_takes_a_request_on_owes_it_and_both_are_quoted():
    [taken] = untaken([owed("Тарас: забрати ключі", 1, due=THURSDAY), owed("Оля: забрати ключі", 2)])
    assert (taken.text, taken.due) == ("Оля: забрати ключі", THURSDAY)
    assert [number for number, _ in taken.quotes] == [1, 2]


def test_the_day_of_a_promise_goes_before_that_of_the_request():
    [taken] = untaken([owed("Забрати ключі", 1, due=THURSDAY), owed("Оля: забрати ключі", 2, due=FRIDAY)])
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
    assert untaken([first, second]) == [first, second]


def test_what_all_are_asked_is_taken_on_by_nobody_alone():
    everybody, one = owed("Everyone: bring water", 1), owed("Mike: bring water", 2)
    assert untaken([everybody, one]) == [everybody, one]
