"""Every row of the tables has an example that it finds and one that teaches nothing."""

import dataclasses
from pathlib import Path
from types import MappingProxyType
from typing import get_type_hints

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.reading.matching.rows import Listener, PatternFinding, PatternRow
from shared.domain.reading.patterns import row_tables
from shared.domain.reading.patterns.finding import findings_in
from shared.domain.reading.patterns.row_tables import (
    chat_lists,
    chat_table,
    intros,
    member_lists,
    member_table,
    rows_about,
)
from shared.domain.text.data_files import word_lists
from shared.domain.text.language import Language
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


FOLDER = Path(row_tables.__file__).parent
ROW = {"category": "goal", "key": "goal", "hit": "I want a boat", "miss": "boats", "phrases": ("IWANT <what>",)}


@pytest.fixture
def given(monkeypatch):
    """Rows about members of one file, with parts of their own; what becomes of them."""

    def rows(fields, parts=None, shared=None):
        files = {
            "en/parts": {"members": shared or {"IWANT": "=i want"}},
            "en/goal": {"parts": parts or {}, "rows": {"boat": fields}},
        }
        monkeypatch.setattr(row_tables, "read_data", lambda _, name: MappingProxyType(files[name]))
        monkeypatch.setattr(row_tables, "_FILES", {"members": {"en": ("goal",)}})
        return rows_about("members", "en")

    return rows


def test_a_name_in_capitals_stands_for_its_part(given):
    (row,) = given(ROW)
    assert row.phrases == ("=i want <what>",)
    assert (row.name, row.lang, row.confidence, row.momentary) == ("en_boat", "en", 0.85, True)


def test_parts_may_name_parts_and_be_alternatives_and_a_file_has_its_own(given):
    (row,) = given(ROW, parts={"WISH": ("want", "SURELY wish"), "IWANT": "=i (WISH)"}, shared={"SURELY": "@adv"})
    assert row.phrases == ("=i (want / @adv wish) <what>",)


TYPES = {field.name: get_type_hints(PatternRow)[field.name] for field in dataclasses.fields(PatternRow)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_has_fields_of_their_types_and_says_all_that_it_must(row: PatternRow) -> None:
    for name, expected in TYPES.items():
        kind = {Language: str, tuple[str, ...]: tuple}.get(expected, expected)
        assert isinstance(getattr(row, name), kind), name
    assert all((row.category, row.key, row.hit, row.miss, row.phrases))


@pytest.mark.parametrize("field", ["key", "hit", "miss", "phrases"])
def test_a_row_that_lacks_a_field_is_none(given, field):
    with pytest.raises((TypeError, KeyError), match=field):
        given({key: value for key, value in ROW.items() if key != field})


def test_a_field_that_there_is_none_of_is_refused(given):
    with pytest.raises(TypeError, match="colour"):
        given({**ROW, "colour": "red"})


@pytest.mark.parametrize("lang", ["uk", "en"])
def test_every_file_of_rows_is_read(lang):
    files = {path.stem for path in (FOLDER / lang).glob("*.toml") if "[rows." in path.read_text("utf-8")}
    assert files == {*row_tables._FILES["members"][lang], *row_tables._FILES["chat"][lang]}


PATTERNS = "shared.domain.reading.patterns"


def test_a_list_that_names_another_holds_its_words():
    assert {*member_lists("uk")["num"], *member_lists("uk")["ordinal"]} <= {*member_lists("uk")["howmany"]}


def test_ukrainian_verbs_stand_in_every_person():
    lists = member_lists("uk")
    verbs = lists["eat"]
    assert "їсти" in verbs
    assert "їсти#i" in lists["eat#i"]
    assert "їсти#past" in lists["eat#past"]


def test_verbs_of_the_chat_have_a_list_for_each_person():
    assert "говорити#we" in chat_lists("uk")["talk_we"]


def test_english_has_years_and_ages():
    assert ("=1999" in member_lists("en")["year"], "=42" in member_lists("en")["age"]) == (True, True)


@pytest.mark.parametrize("lang", ["uk", "en"])
def test_lists_for_the_chat_hold_those_for_members(lang):
    assert member_lists(lang).keys() <= chat_lists(lang).keys()


@pytest.mark.parametrize(
    "names", [("uk/lists", "uk/lists_people", "uk/lists_doings"), ("en/lists", "en/lists_doings")], ids=["uk", "en"]
)
def test_a_list_stands_in_one_file(names):
    found = [name for file in names for name in word_lists(PATTERNS, file)]
    assert sorted(found) == sorted(set(found))


def test_only_english_has_intros():
    sources = [intro.source for intro in intros("en")]
    assert intros("uk") == []
    assert sources == sorted(set(sources)) != []
