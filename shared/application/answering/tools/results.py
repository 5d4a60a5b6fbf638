"""Prepares a tool's result for the model: data, escaped and bounded."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.plain import cut_between_words, inert

_SHORTEST = 40
"""Characters below which a text is not cut further."""

_DEEPEST = 8
"""Levels of a result that are shown; ours have three."""

_CHARACTERS_PER_TOKEN = 16
"""No text has more by far: what is beyond is cut before anything is counted, however large a result is."""

_ENTRY = 4
"""Characters that an item of a list takes at least, with what parts it from the next."""

TOO_LONG: Mapping[str, Any] = {"error": "too long to be shown"}
"""Stands for a result for which there is no room at all."""


def bound_response(response: Mapping[str, Any], budget_tokens: int) -> dict[str, Any]:
    """The response as JSON can hold it, with every text escaped (`inert`), cut to a budget.

    Lists lose their last items first, then texts their ends; `cut` says that something is missing. What JSON does not
    know becomes a text, and a number that is none nothing.

    Args:
        budget_tokens: Tokens of its JSON, at most, as `estimate_tokens` counts; but for `TOO_LONG`.
    """
    reader = _BudgetReader(max(0, budget_tokens) * _CHARACTERS_PER_TOKEN)
    shown: dict[str, Any] = reader.read(response, _DEEPEST)
    while result_tokens(marked := _mark_cut(shown, reader.cut)) > budget_tokens:
        reader.cut = True
        if not (_shorten_list(shown) or _shorten_text(shown)):
            return dict(TOO_LONG)
    return marked


def result_tokens(response: Mapping[str, Any]) -> int:
    """Tokens that a response takes."""
    return estimate_tokens(json.dumps(response, ensure_ascii=False))


_T = TypeVar("_T")


@dataclass(slots=True)
class _BudgetReader:
    """Copies a result as far as `characters` reach.

    Attributes:
        cut: Whether something was left out.
    """

    characters: int
    cut: bool = False

    def read(self, value: Any, depth: int) -> Any:
        """The value as JSON can hold it; nothing is shared with the original."""
        self.characters -= _ENTRY
        if isinstance(value, Mapping | list | tuple):
            return self._read_all(value, depth)
        if isinstance(value, bool | int | None):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        return self._read_text(str(value))

    def _read_all(self, value: Any, depth: int) -> Any:
        if depth == 0:
            self.cut = True
            return None
        if isinstance(value, Mapping):
            named = self._take_while_room(value.items())
            return {self._read_text(str(name)): self.read(each, depth - 1) for name, each in named}
        return [self.read(each, depth - 1) for each in self._take_while_room(value)]

    def _take_while_room(self, items: Iterable[_T]) -> Iterator[_T]:
        for each in items:
            if self.characters <= 0:
                self.cut = True
                return
            yield each

    def _read_text(self, text: str) -> str:
        kept = cut_between_words(text, max(0, self.characters) + 1) if len(text) > self.characters else text
        self.cut = self.cut or len(kept) < len(text)
        self.characters -= len(kept)
        return kept.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be sent


def _mark_cut(response: dict[str, Any], cut: bool) -> dict[str, Any]:
    escaped: dict[str, Any] = _escape_texts(response)
    return {**escaped, "cut": True} if cut else escaped


def _escape_texts(value: Any) -> Any:
    if isinstance(value, str):
        return inert(value)
    if isinstance(value, dict):
        return {inert(name): _escape_texts(each) for name, each in value.items()}
    return [_escape_texts(each) for each in value] if isinstance(value, list) else value


def _shorten_list(response: dict[str, Any]) -> bool:
    """Drop the last of the longest list, one item or an eighth of many; False when there is none left."""
    lists = {name: value for name, value in response.items() if isinstance(value, list) and value}
    if not lists:
        return False
    name = max(lists, key=lambda each: result_tokens({"": lists[each]}))
    del lists[name][-max(1, len(lists[name]) // 8) :]
    return True


def _shorten_text(response: dict[str, Any]) -> bool:
    """Halve the longest text; False when all are short."""
    texts = {name: value for name, value in response.items() if isinstance(value, str) and len(value) > _SHORTEST}
    if not texts:
        return False
    name = max(texts, key=lambda each: len(texts[each]))
    response[name] = cut_between_words(texts[name], len(texts[name]) // 2 + 1)
    return True
