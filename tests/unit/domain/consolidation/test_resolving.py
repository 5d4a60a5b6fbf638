"""What the talk says is over, with the words that say it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.domain.consolidation.items import Section
from shared.domain.consolidation.resolving import resolve_items
from tests.unit.domain.consolidation.cases import MONDAY, by_language, read, score_resolved, talk
from tests.unit.domain.consolidation.item_lists import item


@pytest.mark.parametrize(("lang", "cases"), by_language(read("resolved")))
def test_the_rules_notice_what_is_over(lang, cases):
    score = score_resolved(cases)
    assert score.precision == 1, score.wrong
    assert score.recall >= 0.95, score.missed


def test_words_older_than_the_last_mention_resolve_nothing():
    task = replace(item("Тарас: забронювати квитки"), mentioned_at=MONDAY + timedelta(days=1))
    assert resolve_items([task], talk([["T", "квитки забронював"]])) == {}


def test_a_new_day_for_a_thing_settles_nothing_and_topics_and_hand_written_lines_are_never_over():
    barbecue = item("Шашлик", Section.ONGOING, days=20)
    done = talk([["T", "вирішено, готово: шашлик 2 травня"]])
    assert resolve_items([barbecue], done) == {}
    finished = talk([["T", "шашлик скасували"]])
    assert set(resolve_items([barbecue], finished)) == {barbecue.id}
    assert resolve_items([replace(barbecue, by_hand=True), replace(barbecue, section=Section.TOPICS)], finished) == {}


def test_the_words_that_say_it_are_quoted():
    task = item("Тарас: забронювати квитки", days=20)
    (quote,) = resolve_items([task], talk([["T", "Привіт! Квитки забронював. Ура"]])).values()
    assert (quote.message_id, quote.user_id, quote.text) == (1001, 101, "Квитки забронював.")
