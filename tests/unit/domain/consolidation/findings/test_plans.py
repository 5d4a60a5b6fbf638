"""A plan is what others take up, quoted by its proposal and by who goes on with it."""

from datetime import date

import pytest

from shared.domain.consolidation.findings.plans import plans, quote_about
from shared.domain.consolidation.items import Section
from shared.domain.consolidation.suggesting import suggest
from tests.unit.domain.consolidation.cases import suggested, talk
from tests.unit.domain.consolidation.item_lists import KYIV, item


def planned(*lines):
    return [(each.text, each.due) for each in plans(talk([list(line) for line in lines]), KYIV)]


@pytest.mark.parametrize(
    ("lang", "said", "again"),
    [
        ("uk", "Барбекю це сила. Давайте зробимо барбекю в суботу", "барбекю о котрій?"),
        ("en", "Barbecue weather is back. Let's have a barbecue on Saturday", "what should we bring to the barbecue?"),
    ],
)
def test_who_proposes_a_plan_is_quoted_with_the_proposal_alone(lang, said, again):
    (found,) = suggested({"lang": lang, "talk": [["O", said], ["T", "я за"], ["M", again]]})
    assert [quote.text for quote in found.quotes] == [said.partition(". ")[2], again]


def test_what_nobody_takes_up_is_no_plan():
    assert planned(("O", "давайте поїдемо в Одесу")) == []
    assert planned(("O", "давайте поїдемо в Одесу"), ("O", "Одеса!"), ("O", "так, Одеса")) == []


def test_with_a_day_one_other_who_joins_in_makes_a_plan_and_without_one_they_come_back_to_it():
    assert planned(("O", "давайте поїдемо в Одесу в суботу"), ("T", "я за")) == [("Поїхати в Одесу", date(2026, 3, 14))]
    back = planned(("O", "давайте поїдемо в Одесу"), ("T", "Одеса, чудово"), ("M", "Одеса!"))
    assert back == [("Поїхати в Одесу", None)]


def test_the_first_sentence_about_it_is_quoted():
    (_, message) = talk([["T", "Привіт. Паркан сохне! Завтра паркан готовий."]])
    assert quote_about(message, frozenset({"паркан"})) == "Паркан сохне!"


def test_a_name_that_is_chosen_for_what_goes_on_is_shown_with_it():
    fair = item("Fair", Section.ONGOING, days=20, language="en")
    messages = talk([["A", "what do we call the fair?"], ["K", "Spring Fling!"], ["A", "Spring Fling it is then"]])
    found = suggest(messages, [], zone=KYIV, language="en", known=[fair])
    assert ("Fair (Spring Fling)", fair.id) in [(s.text, s.same_as) for s in found]
