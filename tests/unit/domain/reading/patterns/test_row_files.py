"""Rows as data: the fields a row must and may have, and the parts that its phrases name."""

from pathlib import Path
from types import MappingProxyType

import pytest

from shared.domain.reading.patterns import row_files
from shared.domain.reading.patterns.row_files import rows_about
from shared.domain.text.data_files import DataFileError

FOLDER = Path(row_files.__file__).parent
ROW = {"category": "goal", "key": "goal", "hit": "I want a boat", "miss": "boats", "phrases": ("IWANT <what>",)}


@pytest.fixture
def given(monkeypatch):
    """Rows about members of one file, with parts of their own; what becomes of them."""

    def rows(fields, parts=None, shared=None):
        files = {
            "en/parts": {"members": shared or {"IWANT": "=i want"}},
            "en/goal": {"parts": parts or {}, "rows": {"boat": fields}},
        }
        monkeypatch.setattr(row_files, "read_data", lambda _, name: MappingProxyType(files[name]))
        monkeypatch.setattr(row_files, "_FILES", {"members": {"en": ("goal",)}})
        return rows_about("members", "en")

    return rows


def test_a_name_in_capitals_stands_for_its_part(given):
    (row,) = given(ROW)
    assert row.phrases == ("=i want <what>",)
    assert (row.name, row.lang, row.confidence, row.momentary) == ("en_boat", "en", 0.85, True)


def test_parts_may_name_parts_and_be_alternatives_and_a_file_has_its_own(given):
    (row,) = given(ROW, parts={"WISH": ("want", "SURELY wish"), "IWANT": "=i (WISH)"}, shared={"SURELY": "@adv"})
    assert row.phrases == ("=i (want / @adv wish) <what>",)


@pytest.mark.parametrize("field", ["category", "key", "hit", "miss", "phrases"])
def test_a_row_that_lacks_a_field_is_named(given, field):
    with pytest.raises(DataFileError, match=rf"en/goal\.toml: rows\.boat: {field} is expected"):
        given({key: value for key, value in ROW.items() if key != field})


@pytest.mark.parametrize("more", [{"colour": "red"}, {"single": "yes"}, {"confidence": "high"}])
def test_a_field_that_there_is_none_of_or_of_the_wrong_type_is_named(given, more):
    (field,) = more
    with pytest.raises(DataFileError, match=rf"rows\.boat: {field} is no field of a row, or has the wrong type"):
        given({**ROW, **more})


@pytest.mark.parametrize("lang", ["uk", "en"])
def test_every_file_of_rows_is_read(lang):
    files = {path.stem for path in (FOLDER / lang).glob("*.toml") if "[rows." in path.read_text("utf-8")}
    assert files == {*row_files._FILES["members"][lang], *row_files._FILES["chat"][lang]}
