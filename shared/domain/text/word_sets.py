"""Sets of words that many subjects ask for, Ukrainian and English, folded: data beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from shared.domain.text.data_files import word_lists, word_rows


@cache
def stop_words() -> frozenset[str]:
    """Return the function words, which are compared with words as they are written, before stemming."""
    lists = word_lists(__package__, "stop_words")
    return frozenset(lists["english"]) | frozenset(lists["ukrainian"])


@cache
def common_words() -> frozenset[str]:
    """Return the words that are in every talk and say nothing about one, in their dictionary forms."""
    lists = word_lists(__package__, "common_words")
    return frozenset(lists["english"]) | frozenset(lists["ukrainian"])


@cache
def determiners() -> frozenset[str]:
    """Return the English words after which a noun is likely."""
    return frozenset(word_lists(__package__, "common_words")["determiners"])


@cache
def time_words() -> frozenset[str]:
    """Return the words that tell a time: a message with one may say when something happened."""
    lists = word_lists(__package__, "time_words")
    return frozenset(lists["english"]) | frozenset(lists["ukrainian"])


@cache
def dictionary_forms() -> Mapping[str, str]:
    """Return the dictionary form of each form that no stemmer brings to it; of two the first in the file."""
    forms: dict[str, str] = {}
    for families in word_rows(__package__, "irregular").values():
        for base, *others in families:
            for form in others:
                forms.setdefault(form, base)
    return MappingProxyType(forms)
