"""Named lists of words that phrases share as `@name`, from the files of the languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from shared.domain.text.data_files import Words, join_lines, read_data, word_lists, word_tables
from shared.domain.text.language import Language

_MEMBER_FILES: Mapping[Language, Sequence[str]] = {
    "uk": ("lists_people", "lists_doings", "lists"),
    "en": ("lists", "lists_doings"),
}
_VERB_ENDINGS = ("ти", "тися", "тись")
_MEMBER_PERSONS = ("i", "we", "you", "he", "they", "past", "pastpl", "inf")
_CHAT_PERSONS = ("we", "they", "he", "past", "pastpl")
_ENGLISH_NUMBERS: Mapping[str, Words] = {
    "year": tuple(f"={year}" for year in range(1950, 2035)),
    "age": tuple(f"={age}" for age in range(13, 100)),
}


@cache
def member_lists(lang: Language) -> Mapping[str, Words]:
    """Return the lists for rows about members, by name; a Ukrainian list of verbs also for each person, as `name#i`."""
    sources: dict[str, Words] = {}
    for name in _MEMBER_FILES[lang]:
        sources.update(word_lists(__package__, f"{lang}/{name}"))
    lists = {name: tuple(_flat(words, sources)) for name, words in sources.items()}
    return {**lists, **(_ENGLISH_NUMBERS if lang == "en" else _in_persons(lists))}


@cache
def chat_lists(lang: Language) -> Mapping[str, Words]:
    """Return the lists for rows about the chat, by name; one of verbs for each person, as `name_we`."""
    tables = word_tables(__package__, f"{lang}/lists_chat")
    persons = {
        f"{name}_{person}": tuple(f"{verb}#{person}" for verb in verbs)
        for name, verbs in tables.get("verbs", {}).items()
        for person in _CHAT_PERSONS
    }
    return {**member_lists(lang), **tables["lists"], **persons}


@cache
def intros(lang: Language) -> Sequence[str]:
    """Return the phrases that may stand before a statement without a comma; only English has some."""
    return tuple(map(join_lines, read_data(__package__, "en/intros")["intros"])) if lang == "en" else ()


def _in_persons(lists: Mapping[str, Words]) -> dict[str, Words]:
    found: dict[str, Words] = {}
    for name, words in lists.items():
        verbs = [word for word in words if word.endswith(_VERB_ENDINGS) and not word.startswith("=")]
        found |= {
            f"{name}#{person}": tuple(f"{verb}#{person}" for verb in verbs) for person in _MEMBER_PERSONS if verbs
        }
    return found


def _flat(words: Words, sources: Mapping[str, Words]) -> Iterator[str]:
    """Yield the words, with those of a list that is named among them."""
    for word in words:
        yield from _flat(sources[word[1:]], sources) if word.startswith("@") else (word,)
