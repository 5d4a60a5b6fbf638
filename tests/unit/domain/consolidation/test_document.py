"""CONTEXT.md as text, and what people make of it by hand."""

import re
from datetime import UTC, date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.consolidation.document import choose_fitting, read_back, render
from shared.domain.consolidation.items import Section
from shared.domain.consolidation.merging import merge
from tests.unit.domain.consolidation.item_lists import KYIV, NIGHT, ago, by_hand, hostile_text, item, item_lists

TRIP = item("Поїхати в Карпати", Section.ONGOING, days=3, starter="Оля", due=date(2026, 4, 4))
TICKETS = item("Тарас: забронювати квитки", days=2, due=date(2026, 3, 25))
ROOF = item("ремонт даху", Section.TOPICS, days=1, starter="Марко")
SHORT = item("Писати коротко", Section.PREFERENCES, days=4)
ITEMS = [TRIP, TICKETS, ROOF, SHORT]


def rendered(items, language="uk"):
    return render(items, language=language, updated_at=NIGHT, zone=KYIV)


def edited(text, items=ITEMS, language="uk"):
    return read_back(text, items, language=language, now=NIGHT)


def test_a_document_in_ukrainian():
    assert rendered(ITEMS) == (
        "<!-- spomyn:context v1 -->\n\n"
        "## Триває\n- Поїхати в Карпати [почато: Оля] [на 2026-04-04] [2026-03-17]\n\n"
        "## Чекає\n- Тарас: забронювати квитки [до 2026-03-25] [2026-03-18]\n\n"
        "## Недавні теми\n- ремонт даху [почато: Марко] [2026-03-19]\n\n"
        "## Побажання\n- Писати коротко [2026-03-16]\n\n"
        "---\n*Оновлено: 2026-03-20 04:00*\n"
    )


def test_a_document_in_english():
    tickets = item("Olha: book the tickets", starter="Mike", language="en", due=date(2026, 3, 25))
    assert rendered([tickets], "en") == (
        "<!-- spomyn:context v1 -->\n\n"
        "## Pending\n- Olha: book the tickets [asked by: Mike] [by 2026-03-25] [2026-03-19]\n\n"
        "---\n*Last updated: 2026-03-20 04:00*\n"
    )


def test_without_items_there_is_no_document():
    assert rendered([]) == ""


def test_when_there_is_too_much_the_oldest_mentions_go_first_and_hand_written_lines_last():
    many = [item(f"{'дуже довга справа ' * 8}{n}", Section.ONGOING, days=n / 2) for n in range(1, 25)]
    notes = [by_hand("Ключі у сусідки", days=90)]
    shown = choose_fitting([*many, *notes], language="uk")
    assert shown == [*notes, *many[: len(shown) - 1]]
    assert len(shown) < 9
    assert "Ключі у сусідки" in rendered([*many, *notes])


def test_a_line_that_was_added_is_hand_written_and_survives_the_next_night():
    text = rendered(ITEMS).replace("## Чекає\n", "## Чекає\n- Віддати дриль сусідам\n")
    kept = edited(text)
    assert by_hand("Віддати дриль сусідам") in kept.items
    assert kept.dismissed == ()
    assert "- Віддати дриль сусідам\n" in rendered(merge(kept.items, [], now=NIGHT))


def test_a_line_that_was_deleted_is_dismissed_until_it_is_said_anew():
    kept = edited(rendered(ITEMS).replace("- ремонт даху [почато: Марко] [2026-03-19]\n", ""))
    assert [each.id for each in kept.items] == [each.id for each in (TRIP, TICKETS, SHORT)]
    assert [(each.id, each.mentioned_at) for each in kept.dismissed] == [(ROOF.id, NIGHT)]
    again = merge(kept.items, [ROOF], closed=kept.dismissed, now=NIGHT)
    assert ROOF.id not in {each.id for each in again}


def test_a_line_that_was_changed_counts_as_hand_written_and_keeps_its_quotes():
    kept = edited(rendered(ITEMS).replace("Поїхати в Карпати", "Поїхати в Карпати всі разом"))
    changed = next(each for each in kept.items if each.section is Section.ONGOING)
    assert changed.by_hand
    assert changed.text.startswith("Поїхати в Карпати всі разом")
    assert changed.quotes == TRIP.quotes
    assert merge(kept.items, [TRIP], closed=kept.dismissed, now=NIGHT)[0] == changed


def test_headings_and_loose_lines_of_ones_own_stay_where_they_are():
    text = rendered(ITEMS).replace("v1 -->\n", "v1 -->\nЧитати уважно!\n")
    text = text.replace("\n---\n", "\n## Бюджет\n- Олена збирає по 500\n  * готівкою\n\n---\n")
    kept = edited(text)
    assert [each.text for each in kept.items if each.by_hand] == [
        "Читати уважно!", "## Бюджет", "- Олена збирає по 500", "  * готівкою",
    ]  # fmt: skip
    again = rendered(kept.items)
    assert "v1 -->\nЧитати уважно!\n" in again
    assert "## Бюджет\n- Олена збирає по 500\n  * готівкою\n" in again
    assert edited(again, kept.items) == (kept.items, ())


def test_a_document_in_another_time_zone_is_still_unchanged():
    text = render(ITEMS, language="uk", updated_at=NIGHT, zone=UTC)
    assert edited(text) == (tuple(ITEMS), ())


def test_items_that_did_not_fit_are_not_taken_for_deleted():
    many = [item(f"{'довга справа ' * 12}{n}", Section.ONGOING, days=n / 2) for n in range(1, 25)]
    kept = edited(f"{rendered(many)}\n- ще одне\n", many)
    assert {each.id for each in many} <= {each.id for each in kept.items}
    assert kept.dismissed == ()


@settings(max_examples=30, deadline=None)
@given(item_lists(texts=hostile_text), st.sampled_from(["uk", "en"]))
def test_a_document_never_exceeds_its_bytes_nor_splits_a_line(items, language):
    text = render(items, language=language, updated_at=NIGHT, zone=KYIV)
    assert len(text.encode()) <= 2_048
    shown = choose_fitting(items, language=language)
    assert len([line for line in text.splitlines() if line.startswith("- ")]) == len(shown)


@settings(max_examples=30, deadline=None)
@given(item_lists(texts=hostile_text, hand=False), st.sampled_from(["uk", "en"]))
def test_reading_back_what_nobody_edited_is_the_identity(items, language):
    text = render(items, language=language, updated_at=NIGHT, zone=KYIV)
    assert read_back(text, items, language=language, now=NIGHT) == (tuple(items), ())


@settings(max_examples=30, deadline=None)
@given(item_lists(), st.lists(hostile_text, max_size=5), st.integers(0, 12))
def test_whatever_people_write_into_it_is_read_the_same_the_second_time(items, lines, place):
    before = render(items, language="uk", updated_at=NIGHT, zone=KYIV).splitlines()
    text = "\n".join([*before[:place], *lines, *before[place:]])
    kept = read_back(text, items, language="uk", now=NIGHT).items
    again = render(kept, language="uk", updated_at=NIGHT, zone=KYIV)
    assert read_back(again, kept, language="uk", now=NIGHT) == (kept, ())


@settings(max_examples=30, deadline=None)
@given(item_lists(texts=hostile_text, hand=False))
def test_nothing_in_an_item_can_forge_a_part_of_the_document(items):
    text = render(items, language="uk", updated_at=NIGHT, zone=KYIV)
    shown = choose_fitting(items, language="uk")
    headings = re.findall(r"^\s*#.*$", text, re.MULTILINE)
    assert len(headings) == len({each.section for each in shown})
    assert text.count("\n---\n") == bool(shown)
    assert len(re.findall(r"(?<!\\)<", text)) == bool(shown)
    for line in text.splitlines():
        if line.startswith("- "):
            assert line[2].isalnum() or line[2] == "\\"
            assert re.search(r"(?<!\\)(?:\\\\)* \[\d{4}-\d\d-\d\d\]$", line)
            said = re.findall(r"(?<!\\)\[[^\]]*\]", line)
            assert len(said) <= 3


def test_the_last_update_is_told_in_local_time_of_the_season():
    summer = datetime(2026, 7, 1, 23, 30, tzinfo=UTC)
    assert "2026-07-02 02:30" in render([TICKETS], language="uk", updated_at=summer, zone=KYIV)
    assert ago(0) == NIGHT
