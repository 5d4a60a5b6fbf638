"""Rows about members and the chat, as they lie in the folders of the languages: one TOML file a category.

A file holds `[rows.<name>]` with the fields of `PatternRow`, and perhaps `[parts]`: a name in capitals in a phrase
stands for what is under that name, in the file itself or in the language's `parts.toml`; an array means alternatives.
A phrase may go on in the next line anywhere between words, and behind the `|` between two of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal

from shared.domain.reading.matching.rows import PatternRow
from shared.domain.text.data_files import DataFileError, join_lines, read_data
from shared.domain.text.language import Language

About = Literal["members", "chat"]

_FILES: Mapping[About, Mapping[Language, Sequence[str]]] = {
    "members": {
        "uk": ("personal", "work", "skill", "goal", "experience", "preference", "relationship"),
        "en": ("personal", "work", "relationship", "skill", "goal", "experience", "preference"),
    },
    "chat": {
        "uk": ("chat_culture", "chat_topic", "chat_preference", "chat_norm", "chat_shared"),
        "en": ("chat_culture", "chat_topic", "chat_preference", "chat_norm", "chat_shared"),
    },
}
"""In the order in which their rows are tried."""

_DEFAULTS: Mapping[About, Mapping[str, float | bool]] = {
    "members": {"confidence": 0.85, "momentary": True},
    "chat": {"confidence": 0.8, "momentary": False},
}
_NO_PARTS: Mapping[str, str] = MappingProxyType({})
_REQUIRED = {"name": str, "lang": str, "category": str, "key": str, "hit": str, "miss": str, "phrases": tuple}
_OPTIONAL = {"description": str, "confidence": float, "single": bool, "momentary": bool, "needs_support": bool}


def rows_about(about: About, lang: Language) -> list[PatternRow]:
    """Return all rows of a language about members or the chat, in the order in which they are tried.

    Raises:
        DataFileError: As `read_rows` does.
    """
    parts = read_data(__package__, f"{lang}/parts")[about]
    defaults = {"lang": lang, **_DEFAULTS[about]}
    files = (read_rows(__package__, f"{lang}/{name}", defaults, parts) for name in _FILES[about][lang])
    return [replace(row, name=f"{lang}_{row.name}") for rows in files for row in rows]


def read_rows(
    package: str, name: str, defaults: Mapping[str, Any], parts: Mapping[str, str | Sequence[str]] = _NO_PARTS
) -> list[PatternRow]:
    """Return the rows of a file, in its order.

    Args:
        package: Dotted name of the reader's package.
        name: The file beside it, without its suffix.
        defaults: Fields of rows that do not have them.
        parts: What names in capitals stand for, besides those of the file itself.

    Raises:
        DataFileError: A row lacks a field, has one that there is none of, or one of the wrong type.
    """
    file = read_data(package, name)
    known = _Parts({**parts, **file.get("parts", {})})
    return [
        _row({**defaults, **fields, "name": row}, known, f"{package}/{name}.toml: rows.{row}")
        for row, fields in file["rows"].items()
    ]


def _row(fields: Mapping[str, Any], parts: _Parts, where: str) -> PatternRow:
    for key, expected in _REQUIRED.items():
        if not isinstance(fields.get(key), expected):
            raise DataFileError(f"{where}: {key} is expected")
    for key, value in fields.items():
        if not isinstance(value, _REQUIRED.get(key) or _OPTIONAL.get(key) or ()):
            raise DataFileError(f"{where}: {key} is no field of a row, or has the wrong type")
    texts = {key: join_lines(value) for key, value in fields.items() if isinstance(value, str)}
    return PatternRow(**{**fields, **texts, "phrases": tuple(map(parts.fill, fields["phrases"]))})


class _Parts:
    """Named parts of phrases, each perhaps of others."""

    def __init__(self, sources: Mapping[str, str | Sequence[str]]) -> None:
        self._sources = sources
        self._names = re.compile(rf"\b(?:{'|'.join(sources) or '(?!)'})\b")

    def fill(self, phrase: str) -> str:
        """Return a phrase with what its names stand for."""
        return self._names.sub(lambda name: self._part(name.group()), join_lines(phrase))

    def _part(self, name: str) -> str:
        source = self._sources[name]
        return self.fill(source if isinstance(source, str) else " / ".join(source))
