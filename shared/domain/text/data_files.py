"""Data that people edit (words, phrases, rows), read from the TOML files that lie beside a package's modules.

A file is parsed once, at its first use, so that a process which never needs it never pays for it; what comes back is
frozen. Whoever reads names its own package (`__package__`): what is deployed with a module is what lies beside it.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

Words = tuple[str, ...]

_PART = re.compile(r"\{([A-Z_]+)\}")


class DataFileError(ValueError):
    """A data file is not what its reader expects; the message names the file and the key."""


@cache
def read_data(package: str, name: str) -> Mapping[str, Any]:
    """Return what `<name>.toml` of a package holds: tables as read-only mappings, arrays as tuples, in its order.

    Args:
        package: Dotted name of the reader's own package.
        name: Perhaps with a folder of the package before it ("uk/goal"), which is no package of its own.

    Raises:
        FileNotFoundError: There is no such file.
        DataFileError: It is not TOML (a key twice, a string that does not end).
    """
    import tomllib
    from importlib.resources import files

    text = files(package).joinpath(f"{name}.toml").read_text("utf-8")
    try:
        return MappingProxyType({key: _freeze(value) for key, value in tomllib.loads(text).items()})
    except tomllib.TOMLDecodeError as error:
        raise DataFileError(f"{package}/{name}.toml: {error}") from None


def word_lists(package: str, name: str) -> Mapping[str, Words]:
    """Return a file of word lists: each key's text split into words."""
    return _lists(read_data(package, name))


def word_tables(package: str, name: str) -> Mapping[str, Mapping[str, Words]]:
    """Return a file whose headed tables are word lists, by heading and key."""
    return {head: _lists(found) for head, found in read_data(package, name).items()}


def word_sets(package: str, name: str) -> Mapping[str, frozenset[str]]:
    """Return the word lists under a file's heading [words], as sets."""
    return {key: frozenset(words) for key, words in _lists(read_data(package, name)["words"]).items()}


def word_set(text: str) -> frozenset[str]:
    """Return the words of a short list that is written as one text."""
    return frozenset(text.split())


def word_rows(package: str, name: str) -> Mapping[str, tuple[Words, ...]]:
    """Return a file of rows of words: each text of a key's array split into words."""
    return {key: tuple(tuple(row.split()) for row in rows) for key, rows in read_data(package, name).items()}


def expressions(package: str, name: str, flags: int = re.IGNORECASE) -> Mapping[str, re.Pattern[str]]:
    """Return the regular expressions under a file's heading [expressions], put together from those under [parts]."""
    file = read_data(package, name)
    parts = file.get("parts", {})
    return {key: re.compile(put_together(text, parts), flags) for key, text in file["expressions"].items()}


def put_together(text: str, parts: Mapping[str, str]) -> str:
    """Return a regular expression with the part of that name in the place of each name in capitals in braces."""
    return _PART.sub(lambda found: put_together(parts[found[1]], parts), join_expression(text))


def join_lines(text: str) -> str:
    """Return a text without the ends of its lines; after a `|` at the end of one nothing comes in between."""
    return re.sub(r"\|\s+", "|", " ".join(text.split()))


def join_expression(text: str) -> str:
    """Return a regular expression without the ends of its lines and their indentation."""
    return "".join(line.lstrip() for line in text.split("\n"))


def _lists(table: Mapping[str, str]) -> dict[str, Words]:
    return {key: tuple(text.split()) for key, text in table.items()}


def _freeze(value: Any) -> Any:
    if isinstance(value, dict):
        return MappingProxyType({key: _freeze(each) for key, each in value.items()})
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


@cache
def stop_words() -> frozenset[str]:
    """Return the function words, which are compared with words as they are written, before stemming."""
    return _both_languages("stop_words")


@cache
def common_words() -> frozenset[str]:
    """Return the words that are in every talk and say nothing about one, in their dictionary forms."""
    return _both_languages("common_words")


@cache
def determiners() -> frozenset[str]:
    """Return the English words after which a noun is likely."""
    return frozenset(word_lists(__package__, "common_words")["determiners"])


@cache
def time_words() -> frozenset[str]:
    """Return the words that tell a time: a message with one may say when something happened."""
    return _both_languages("time_words")


def _both_languages(name: str) -> frozenset[str]:
    lists = word_lists(__package__, name)
    return frozenset(lists["english"] + lists["ukrainian"])


@cache
def dictionary_forms() -> Mapping[str, str]:
    """Return the dictionary form of each form that no stemmer brings to it; of two the first in the file."""
    forms: dict[str, str] = {}
    for families in word_rows(__package__, "irregular").values():
        for base, *others in families:
            for form in others:
                forms.setdefault(form, base)
    return MappingProxyType(forms)
