"""What can be noted as a task: words that name a thing, and occasions on a day."""

from datetime import date

import pytest

from shared.domain.consolidation.findings.tasks import task, tells
from shared.domain.consolidation.items import Section
from shared.domain.consolidation.suggesting import suggest
from tests.unit.domain.consolidation.cases import talk
from tests.unit.domain.consolidation.item_lists import KYIV


@pytest.mark.parametrize(
    ("what", "named"),
    [("ярмарок", True), ("the fair", True), ("а", False), ("завтра", False), ("tomorrow", False), ("12", False),
     ("щось", False), ("something", False), ("", False), ("12 щось завтра", False), ("завтра ярмарок", True)],
)  # fmt: skip
def test_a_thing_is_named_by_a_word_that_is_no_time_no_number_and_not_vague(what, named):
    assert tells(what) is named


@pytest.mark.parametrize(
    ("what", "due"),
    [("tickets by Friday", date(2026, 3, 20)), ("tickets", date(2026, 3, 25))],
)
def test_a_task_is_due_on_the_day_told_with_it_else_on_the_one_told_beside_it(what, due):
    assert task("book", what, date(2026, 3, 18), due=date(2026, 3, 25)) == ("book tickets", due)
    assert task("book", "tickets", date(2026, 3, 18)) == ("book tickets", None)


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        ("Концерт у суботу", ["Концерт"]),
        ("дедлайн у п'ятницю", ["Дедлайн"]),  # a weekday, and a word that is no occasion by itself
        ("Захист диплома 28 березня", ["Захист диплома"]),
        ("кава 28 березня", []),  # a day, but no occasion
        ("Контрольна в п'ятницю", []),
        ("прем'єра колись", []),  # an occasion, but no day
    ],
)
def test_an_occasion_on_a_day_is_noted_and_neither_alone(text, noted):
    found = suggest(talk([["O", text], ["T", "супер"]]), [], zone=KYIV, language="uk")
    assert [each.text for each in found if each.section is Section.ONGOING] == noted
