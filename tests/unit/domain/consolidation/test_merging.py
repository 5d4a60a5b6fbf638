"""One list of last night's items and tonight's."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.consolidation.items import Section
from shared.domain.consolidation.merging import merge, next_end, settle
from tests.unit.domain.consolidation.item_lists import (
    GENERATED,
    KYIV,
    NIGHT,
    ago,
    by_hand,
    item,
    item_lists,
    items,
    quote,
)


def test_the_last_mention_moves_on_and_who_began_it_stays():
    known = item("Поїхати в Карпати", Section.ONGOING, days=6, started_by=7, starter="Оля")
    again = item("Поїхати в Карпати на травневі", Section.ONGOING, days=1, started_by=8, starter="Марко")
    (merged,) = merge([known], [again], now=NIGHT)
    assert (merged.mentioned_at, merged.starter, merged.started_by) == (ago(1), "Оля", 7)
    assert merged.id == known.id


def test_an_older_mention_that_comes_late_changes_no_wording():
    known = item("Поїхати в Карпати на травневі", Section.ONGOING, days=1)
    (merged,) = merge([known], [item("Поїхати в Карпати", Section.ONGOING, days=6)], now=NIGHT)
    assert (merged.text, merged.mentioned_at) == (known.text, known.mentioned_at)


def test_the_newest_three_quotes_are_kept():
    known = item(quotes=tuple(quote(message_id=n, days=9 - n) for n in (1, 2, 3)), days=6)
    (merged,) = merge([known], [item(quotes=(quote(message_id=5, days=2),), days=2)], now=NIGHT)
    assert [said.message_id for said in merged.quotes] == [2, 3, 5]


def test_the_quote_that_the_line_is_worded_by_stays_however_often_others_mention_it():
    hers = quote("Поїхати в Карпати на травневі з наметами", message_id=1, user_id=104, days=9)
    known = item("Поїхати в Карпати на травневі з наметами", Section.ONGOING, quotes=(hers,), days=9)
    for n in range(2, 7):
        said = quote("Карпати на травневі", message_id=n, user_id=101, days=9 - n)
        again = item("Поїхати в Карпати", Section.ONGOING, quotes=(said,), days=9 - n)
        (known,) = merge([known], [again], now=NIGHT)
    assert known.text.endswith("з наметами")
    assert [said.message_id for said in known.quotes] == [1, 5, 6]


def test_a_due_day_that_is_said_anew_replaces_the_old_one_and_silence_about_it_does_not():
    known = item(due=date(2026, 3, 25), days=5)
    (moved,) = merge([known], [item(due=date(2026, 3, 28), days=2)], now=NIGHT)
    (kept,) = merge([known], [item(days=2)], now=NIGHT)
    assert (moved.due, kept.due) == (date(2026, 3, 28), date(2026, 3, 25))


@pytest.mark.parametrize(("days", "left"), [(14, 1), (14.01, 0)])
def test_what_nobody_mentioned_for_fourteen_days_goes(days, left):
    assert len(merge([item(days=days)], [], now=NIGHT)) == left


def test_hand_written_lines_never_go_and_take_up_what_says_the_same():
    note = by_hand("Тарас бронює квитки", days=100)
    assert merge([note], [item("Тарас: забронювати квитки")], now=NIGHT)[0] == note
    assert merge([by_hand("забронювати квитки", days=100)], [item("Тарас: забронювати квитки")], now=NIGHT) == [
        by_hand("забронювати квитки", days=100)
    ]


def test_only_the_newest_five_topics_stay():
    topics = [item(f"тема{n}", Section.TOPICS, days=n) for n in range(1, 8)]
    assert [each.text for each in merge(topics[3:], topics[:3], now=NIGHT)] == [f"тема{n}" for n in range(1, 6)]


def test_what_was_closed_comes_back_only_when_it_is_said_anew():
    done = replace(item(), mentioned_at=ago(3))
    assert merge([], [item("Тарас: взяти квитки", days=4)], closed=[done], now=NIGHT) == []
    assert len(merge([], [item("Тарас: взяти квитки", days=2)], closed=[done], now=NIGHT)) == 1


def test_settling_takes_out_what_is_done_and_remembers_it():
    items = [item(), item("Оля: спекти пиріг", days=2)]
    settled = settle(items, {items[0].id: quote("забронював", days=0.5)}, now=NIGHT)
    assert settled.items == [items[1]]
    assert [(each.id, each.mentioned_at) for each in settled.closed] == [(items[0].id, ago(0.5))]
    assert merge(settled.items, [item()], closed=settled.closed, now=NIGHT) == settled.items


@pytest.mark.parametrize(
    ("due", "days", "left"),
    [
        (date(2026, 3, 18), 9, 1), (date(2026, 3, 17), 9, 0), (date(2026, 3, 10), 1, 1), (None, 9, 1),
    ],
)  # fmt: skip
def test_two_days_after_its_day_a_pending_item_is_over_unless_it_was_mentioned(due, days, left):
    assert len(settle([item(due=due, days=days)], {}, now=NIGHT.astimezone(KYIV)).items) == left


def test_hand_written_items_are_neither_done_nor_overdue():
    note = by_hand(days=30)
    assert settle([note], {note.id: quote()}, now=NIGHT).items == [note]


@pytest.mark.parametrize("due", [None, date(2026, 3, 18), date(2026, 3, 25), date(2026, 9, 1)])
@pytest.mark.parametrize("section", GENERATED)
def test_the_end_of_an_item_is_when_merging_or_settling_lets_go_of_it(section, due):
    items = [item(section=section, due=due), by_hand()]

    def left_at(now):
        return len(settle(merge(items, [], now=now), {}, now=now).items)

    end = next_end(items, KYIV).astimezone(KYIV)
    assert left_at(end - timedelta(microseconds=1)) == 2
    assert left_at(end + timedelta(microseconds=1)) == 1
    assert next_end([by_hand()], KYIV) is None


def test_closed_items_are_forgotten_after_fourteen_days():
    assert settle([], {}, closed=[item(days=15), item(days=3), item(days=2)], now=NIGHT).closed == [item(days=2)]


found_items = st.lists(items(hand=False), max_size=7)


@settings(max_examples=30, deadline=None)
@given(item_lists(), found_items)
def test_merging_the_same_again_changes_nothing(previous, found):
    once = merge(previous, found, now=NIGHT)
    assert merge(once, found, now=NIGHT) == once
    assert merge(once, [], now=NIGHT) == once


@settings(max_examples=30, deadline=None)
@given(item_lists(), found_items, st.randoms(use_true_random=False))
def test_the_order_in_which_items_are_found_does_not_matter(previous, found, dice):
    shuffled = dice.sample(found, len(found))
    assert merge(previous, shuffled, now=NIGHT) == merge(previous, found, now=NIGHT)


@settings(max_examples=30, deadline=None)
@given(item_lists(), found_items)
def test_the_limits_hold_and_hand_written_lines_stay(previous, found):
    items = merge(previous, found, now=NIGHT)
    generated = [each for each in items if not each.by_hand]
    assert sum(each.section is Section.TOPICS for each in generated) <= 5
    assert all(each.mentioned_at >= ago(14) for each in generated)
    assert all(len(each.quotes) <= 3 for each in generated)
    assert [each for each in items if each.by_hand] == [each for each in previous if each.by_hand]
    assert {each.section for each in items} <= set(GENERATED)
