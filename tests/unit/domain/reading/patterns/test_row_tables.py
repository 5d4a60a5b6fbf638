"""Every row of the tables has an example that it finds and one that teaches nothing."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.reading.matching.rows import PatternFinding, PatternRow
from shared.domain.reading.patterns.finding import findings_in
from shared.domain.reading.patterns.listener import Listener
from shared.domain.reading.patterns.row_tables import chat_table, member_table
from tests.support.talk import BOT_NAMES, learnt, said

ROWS = [row for table in (member_table, chat_table) for lang in ("uk", "en") for row in table(lang).rows]


def found_in(text: str) -> list[PatternFinding]:
    return findings_in(said(text), Listener(BOT_NAMES, (), frozenset()))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_finds_its_example(row: PatternRow) -> None:
    found = found_in(row.hit)
    assert [finding.row for finding in found] == [row.name]
    assert found[0].category == row.category
    assert found[0].category in (CHAT_CATEGORIES if found[0].subject == "chat" else MEMBER_CATEGORIES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_what_only_looks_like_a_row_teaches_nothing(row: PatternRow) -> None:
    assert found_in(row.miss) == []


def test_no_two_rows_share_a_name() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=120), min_size=1, max_size=5))
@example(["\ud800", "Як завжди, в п'ятницю \udfff"])
@example(["+1", "👍", "("])
def test_no_text_makes_extraction_raise(texts: list[str]) -> None:
    for candidate in learnt(*texts):
        assert candidate.evidence
        assert 0.7 <= candidate.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "я " * 50_000,
        "ми тут усі " * 9_000,
        "I love " * 12_000,
        "no " * 30_000,
        "," * 90_000,
        "((((" * 20_000,
        "«" * 50_000 + "»",
        "🙂" * 30_000,
        "щоп'ятниці " * 9_000,
        "не можна не можна " * 5_000,
        "и\u0306" * 40_000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_length_costs_no_more_than_a_page(text: str) -> None:
    assert isinstance(learnt((text, {"is_admin": True})), list)
