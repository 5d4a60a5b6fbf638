"""Data as TOML beside the modules: what every file keeps to, and what a wrong one says."""

import importlib
import itertools
import re
import tomllib
from collections import Counter
from datetime import date
from pathlib import Path
from types import MappingProxyType

import pytest

from shared.domain.text.data_files import (
    DataFileError,
    dictionary_forms,
    join_lines,
    put_together,
    read_data,
    word_lists,
    word_rows,
    word_set,
    word_sets,
    word_tables,
)
from shared.domain.text.language import fold

DOMAIN = Path(__file__).resolve().parents[4] / "shared" / "domain"
NUMBERS = itertools.count()
FILES = sorted(DOMAIN.rglob("*.toml"))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Write TOML into a package of its own; its name."""

    def written(text):
        folder = tmp_path / f"data_{next(NUMBERS)}"  # what is read is kept for the process
        folder.mkdir()
        (folder / "__init__.py").touch()
        (folder / "words.toml").write_text(text, "utf-8")
        importlib.invalidate_caches()
        return folder.name

    monkeypatch.syspath_prepend(tmp_path)
    return written


def package_of(path):
    """The folder of the package that a file is deployed with, or None."""
    folders = (folder for folder in path.parents if folder.is_relative_to(DOMAIN))
    return next((folder for folder in folders if (folder / "__init__.py").exists()), None)


def frozen(value):
    if isinstance(value, MappingProxyType):
        return all(map(frozen, value.values()))
    return (isinstance(value, tuple) and all(map(frozen, value))) or isinstance(value, str | int | float | bool | date)


def test_there_are_data_files():
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(DOMAIN).as_posix())
def test_a_data_file_lies_in_a_package_says_what_it_holds_and_can_be_reviewed(path):
    text = path.read_text("utf-8")
    assert package_of(path), "only what a package holds is deployed"
    assert text.startswith("# ")
    assert text.endswith("\n")
    assert [line for line in text.splitlines() if len(line) > 120] == []
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert tomllib.loads(text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(DOMAIN).as_posix())
def test_a_data_file_is_read_frozen_and_somewhere_in_its_package(path):
    package = package_of(path)
    dotted = ".".join(("shared", "domain", *package.relative_to(DOMAIN).parts))
    assert frozen(read_data(dotted, path.relative_to(package).with_suffix("").as_posix()))
    naming = re.compile(rf"[\"/]{path.stem}\"")
    readers = (*package.glob("*.py"), *package.glob("*.toml"))  # a table may say which files it is made of
    assert [reader for reader in readers if naming.search(reader.read_text("utf-8"))], "nobody reads it"


def test_an_expression_is_put_together_from_parts_that_may_name_parts():
    parts = {"DAY": "mon|{LAST}", "LAST": "sun"}
    assert put_together("\n  on (?:{DAY}),\n  \\d{1,2}", parts) == "on (?:mon|sun),\\d{1,2}"


def test_word_lists_are_split_at_spaces_and_line_ends(package):
    assert word_lists(package('tea = """\n  чай чаю\n\n  tea"""\n'), "words") == {"tea": ("чай", "чаю", "tea")}


def test_word_tables_keep_their_headings_and_their_order(package):
    read = word_tables(package('[second]\nb = "x"\na = "y"\n[first]\n'), "words")
    assert list(read) == ["second", "first"]
    assert list(read["second"].items()) == [("b", ("x",)), ("a", ("y",))]


def test_a_file_that_is_no_toml_is_named(package):
    with pytest.raises(DataFileError, match=r"words\.toml: Cannot overwrite a value"):
        word_lists(package('tea = "a"\ntea = "b"\n'), "words")


def test_rows_of_words_keep_their_order(package):
    assert word_rows(package('pets = ["b c", "a"]\n'), "words") == {"pets": (("b", "c"), ("a",))}


def test_a_phrase_goes_on_in_the_next_line_between_words_and_behind_a_bar():
    assert join_lines("\n  we like|\n  love\n  <what>") == "we like|love <what>"


def test_a_file_that_is_not_there_is_named(package):
    with pytest.raises(FileNotFoundError, match=r"lists\.toml"):
        word_lists(package(""), "lists")


def test_a_list_is_written_as_one_text():
    assert word_set("\n  one\n  two one") == {"one", "two"}


def test_long_lists_are_read_from_the_data_of_a_module():
    sets = word_sets("shared.domain.reading.filters", "support")
    assert all(isinstance(words, frozenset) and words for words in sets.values())


PACKAGE = "shared.domain.text"
WORD_SETS = ("stop_words", "common_words", "time_words")


@pytest.mark.parametrize("name", WORD_SETS)
def test_words_are_folded_and_stand_once_in_their_list(name):
    for words in word_lists(PACKAGE, name).values():
        assert [word for word in words if word != fold(word)] == []
        assert [word for word, times in Counter(words).items() if times > 1] == []


SETS = [
    *(f"shared/domain/text/{name}.toml" for name in WORD_SETS),
    "shared/domain/reading/matching/whole_values.toml",
    "shared/domain/reading/summaries/vocabulary.toml",
    *(
        str(path.with_name(f"{name}.toml"))
        for path in sorted(Path("shared").rglob("*.py"))
        for name in re.findall(r'word_sets\(__package__, "(\w+)"\)', path.read_text())
    ),
]


@pytest.mark.parametrize("path", SETS)
def test_words_that_are_read_as_a_set_are_sorted_by_code_point(path):
    file = tomllib.loads(Path(path).read_text())
    lists = file.get("words", file).values()
    assert [words for words in lists if words.split() != sorted(words.split())] == []


ORDERLESS = [
    *(f"shared/domain/consolidation/{name}.toml" for name in ("words", "findings/words")),
    *(
        f"shared/domain/facts/dedup/{name}.toml"
        for name in ("content", "domains", "languages", "parts", "phrases", "places", "terms")
    ),
    "shared/domain/forgetting/words.toml",
    "shared/domain/reading/summaries/wording.toml",
    *sorted(str(path) for path in Path("shared/domain/reading").rglob("*list*.toml")),
]
"""Lists of which each word counts alike: alternatives of a phrase, and words of one meaning."""

ORDERED = ("months_", "weekdays_")
"""The calendar has an order."""


def word_texts(table):
    """Every list of a file, whatever headings it stands under."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from word_texts(value)
        elif not key.startswith(ORDERED):
            yield value.split()


@pytest.mark.parametrize("path", ORDERLESS)
def test_words_that_count_alike_are_sorted_by_code_point(path):
    lists = list(word_texts(tomllib.loads(Path(path).read_text())))
    assert lists
    assert [words for words in lists if words != sorted(words)] == []


ORDERLESS_TABLES = {
    "shared/domain/consolidation/findings/actions.toml": ("verbs", "asked", "lists"),
    "shared/domain/reading/filters/actions.toml": ("acts",),
    "shared/domain/reading/filters/guesses.toml": ("traits", "kin"),
}
"""Files with such lists beside phrases and expressions, which are tried in their order."""


@pytest.mark.parametrize("path", ORDERLESS_TABLES)
def test_words_that_count_alike_are_sorted_beside_phrases_too(path):
    file = tomllib.loads(Path(path).read_text())
    lists = [words for table in ORDERLESS_TABLES[path] for words in word_texts(file[table])]
    assert lists
    assert [words for words in lists if words != sorted(words)] == []


def test_the_expressions_of_a_slot_are_sorted_and_the_slots_stand_as_they_are_tried():
    slots = tomllib.loads(Path("shared/domain/facts/dedup/slots.toml").read_text())
    assert [slot for slot, expressions in slots.items() if expressions != sorted(expressions)] == []


def test_dictionary_forms_are_sorted_and_of_themselves():
    for families in word_rows(PACKAGE, "irregular").values():
        assert list(families) == sorted(families)
    bases = {family[0] for families in word_rows(PACKAGE, "irregular").values() for family in families}
    assert bases >= set(dictionary_forms().values())
