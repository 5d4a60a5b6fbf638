"""Canonical English terms for what talk calls by many names: languages, days, topics, activities.

A canonical value makes "ніякої політики" and "no politics" the same belief. The terms are data, in `terms.toml`.
"""

import re
from collections.abc import Mapping
from functools import cache

from shared.domain.text.data_files import join_lines, read_data


@cache
def _patterns(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = read_data(__package__, "terms")[table].items()
    return tuple((name, re.compile(rf"(?<!\w)(?:{join_lines(stems)})", re.IGNORECASE)) for name, stems in rows)


def _names_in(table: str, text: str) -> list[str]:
    """Return what the text names of a table, in order of mention."""
    found = [(match.start(), name) for name, pattern in _patterns(table) if (match := pattern.search(text))]
    return [name for _, name in sorted(found)]


def _label(table: str, name: str, default: str) -> str:
    labels: Mapping[str, str] = read_data(__package__, "terms")[table]
    return labels.get(name, default)


def find_language(text: str) -> str | None:
    """The language that the text names ("ukrainian"), first mentioned first, or None."""
    return next(iter(_names_in("languages", text)), None)


def day(text: str) -> str | None:
    """The weekday (or "weekend") that the text names, or None."""
    return next(iter(_names_in("days", text)), None)


def activity(text: str) -> str | None:
    """Return what a group does together, as a slug ("recap"), or None."""
    return next(iter(_names_in("activities", text)), None)


def topics(text: str) -> list[str]:
    """Every canonical topic that the text names, in order of mention."""
    return _names_in("topics", text)


def topic_label(topic: str, language: str) -> str:
    """The topic as a reader of `language` would call it."""
    words = topic.replace("_", " ")
    return _label("topic_labels", topic, words) if language == "uk" else words


def subjects(text: str) -> list[str]:
    """Subjects of talk (not of rules) that the text touches, as slugs, alphabetical."""
    return sorted(name for name, pattern in _patterns("subjects") if pattern.search(text))


def subject_label(subject: str) -> str:
    """The subject in Ukrainian, in the accusative ("про крипту")."""
    return _label("subject_labels", subject, subject)


def language_of_chat(spoken: str, lang: str) -> str:
    """A sentence that names the chat's language ("ukrainian" as `spoken`), in `lang` ("uk" or "en")."""
    if lang == "uk":
        return f"Мова чату: {_label('language_labels', spoken, spoken)}."
    return f"Language of the chat: {spoken.capitalize()}."
