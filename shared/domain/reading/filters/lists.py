"""Word lists: short ones written as one text, long ones read from a module's data file."""

from __future__ import annotations

from collections.abc import Mapping

from shared.domain.text.data_files import word_tables


def word_set(text: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(text.split())


def word_sets(package: str, name: str) -> Mapping[str, frozenset[str]]:
    """Return the lists that a data file of a package has under [words], as sets."""
    return {key: frozenset(words) for key, words in word_tables(package, name)["words"].items()}
