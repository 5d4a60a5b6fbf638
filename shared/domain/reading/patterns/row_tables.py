"""Every row about members and the chat, and the lists that their phrases name, from the folders of the languages.

A file of rows, one a category, holds `[rows.<name>]` with the fields of `PatternRow`, and perhaps `[parts]`: a name in
capitals in a phrase stands for what is under that name, in the file itself or in the language's `parts.toml`; an array
means alternatives. A phrase may go on in the next line anywhere between words, and behind the `|` between two of them.
Lists are words that phrases share as `@name`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any, Literal

from shared.domain.reading.matching.phrases import Phrase
from shared.domain.reading.matching.rows import PatternRow
from shared.domain.reading.matching.tables import Table
from shared.domain.text.data_files import Words, join_lines, read_data, word_lists, word_tables
from shared.domain.text.language import Language

About = Literal["members", "chat"]

_TABLES = read_data(__package__, "tables")
_FILES: Mapping[About, Mapping[Language, Sequence[str]]] = _TABLES["files"]
_DEFAULTS: Mapping[About, Mapping[str, float | bool]] = _TABLES["defaults"]
_LISTS: Mapping[Language, Sequence[str]] = _TABLES["lists"]
_INFINITIVE = re.compile(r"(?!=).*ти(?:ся|сь)?")
_MEMBER_PERSONS = ("i", "we", "you", "he", "they", "past", "pastpl", "inf")
_CHAT_PERSONS = ("we", "they", "he", "past", "pastpl")
_ENGLISH_NUMBERS: Mapping[str, Words] = {
    "year": tuple(f"={year}" for year in range(1950, 2035)),
    "age": tuple(f"={age}" for age in range(13, 100)),
}


@cache
def member_table(lang: Language) -> Table:
    """The rows about members in one language."""
    return Table(rows_about("members", lang), member_lists(lang))


@cache
def chat_table(lang: Language) -> Table:
    """The rows about the chat in one language."""
    return Table(rows_about("chat", lang), chat_lists(lang))


def rows_about(about: About, lang: Language) -> list[PatternRow]:
    """Return all rows of a language about members or the chat, in the order in which they are tried."""
    parts = read_data(__package__, f"{lang}/parts")[about]
    defaults = {"lang": lang, **_DEFAULTS[about]}
    files = (read_rows(__package__, f"{lang}/{name}", defaults, parts) for name in _FILES[about][lang])
    return [replace(row, name=f"{lang}_{row.name}") for rows in files for row in rows]


def read_rows(
    package: str, name: str, defaults: Mapping[str, Any], parts: Mapping[str, str | Sequence[str]] | None = None
) -> list[PatternRow]:
    """Return the rows of a file beside a package, in its order.

    Args:
        defaults: Fields of rows that do not have them.
        parts: What names in capitals stand for, besides those of the file itself.
    """
    file = read_data(package, name)
    sources = {**(parts or {}), **file.get("parts", {})}
    known = {name: part if isinstance(part, str) else " / ".join(part) for name, part in sources.items()}
    names = re.compile(rf"\b(?:{'|'.join(known) or '(?!)'})\b")

    def fill(phrase: str) -> str:
        return names.sub(lambda name: fill(known[name.group()]), join_lines(phrase))

    def row_of(fields: Mapping[str, Any]) -> PatternRow:
        texts = {key: join_lines(value) for key, value in fields.items() if isinstance(value, str)}
        return PatternRow(**{**fields, **texts, "phrases": tuple(map(fill, fields["phrases"]))})

    return [row_of({**defaults, **fields, "name": row}) for row, fields in file["rows"].items()]


@cache
def member_lists(lang: Language) -> Mapping[str, Words]:
    """Return the lists for rows about members, by name; a Ukrainian list of verbs also for each person, as `name#i`."""
    sources = dict(chain(*(word_lists(__package__, f"{lang}/{name}").items() for name in _LISTS[lang])))
    lists = {name: tuple(flatten_list(words, sources)) for name, words in sources.items()}
    verbs = {name: [word for word in words if _INFINITIVE.fullmatch(word)] for name, words in lists.items()}
    return {**lists, **(_ENGLISH_NUMBERS if lang == "en" else _in_persons(verbs, _MEMBER_PERSONS, "#"))}


@cache
def chat_lists(lang: Language) -> Mapping[str, Words]:
    """Return the lists for rows about the chat, by name; one of verbs for each person, as `name_we`."""
    tables = word_tables(__package__, f"{lang}/lists_chat")
    return {**member_lists(lang), **tables["lists"], **_in_persons(tables.get("verbs", {}), _CHAT_PERSONS, "_")}


@cache
def intros(lang: Language) -> Sequence[Phrase]:
    """Return the phrases that may stand before a statement without a comma; only English has some."""
    sources = read_data(__package__, "en/intros")["intros"] if lang == "en" else ()
    return [Phrase(join_lines(source), member_lists(lang)) for source in sources]


def _in_persons(verbs: Mapping[str, Sequence[str]], persons: Sequence[str], sign: str) -> dict[str, Words]:
    """Return each list of verbs once for each person, under its name, the sign and the person."""
    said = [(name, each, person) for name, each in verbs.items() if each for person in persons]
    return {f"{name}{sign}{person}": tuple(f"{verb}#{person}" for verb in each) for name, each, person in said}


def flatten_list(words: Iterable[str], sources: Mapping[str, Words]) -> Iterator[str]:
    """Yield the words, with those of a list that is named among them."""
    for word in words:
        yield from flatten_list(sources[word[1:]], sources) if word.startswith("@") else (word,)
