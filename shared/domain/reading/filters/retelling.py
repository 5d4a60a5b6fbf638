"""Retold memory: words that the bot said first, or that a member hands on as the bot's (law 3).

"According to gryag I hate jazz" teaches nothing even when the bot's own message is long gone; "gryag, I hate jazz"
only speaks to it, and what follows a "but" is the member's own again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from shared.domain.reading.filters.lists import word_set, word_sets
from shared.domain.reading.guards.sentences import is_retold
from shared.domain.text.language import lemma, tokens
from shared.domain.text.names import is_cyrillic, same_name
from shared.domain.text.words import readings

_BOTS = word_set("bot assistant chatbot ai бот боту бота ботом асистент асистента чатбот ботик ші")
_WORDS = word_sets(__package__, "retelling")
_SAY = _WORDS["say"]
_SOURCE = (
    ("according", "to"), ("as", "per"), ("per",), ("says",), ("said",), ("за", "словами"), ("на", "думку"),
    ("зі", "слів"), ("каже",), ("казав",), ("сказав",), ("нагадав",), ("нагадує",), ("згідно", "з"), ("вірити",),
)  # fmt: skip
_FILLERS = _WORDS["fillers"]
_OPENERS = word_set("yeah yes well so haha lol and but as like just ну так о ага та а як")
_SPEAKERS = word_set("it he she you that він воно вона ти ви")
_HEARSAY = word_set("apparently turns evidently виявляється виходить отже")
_BUT = word_set("but though although however actually але проте однак насправді зате")
_SENTENCE = re.compile(r"[^.!?…\n]*[.!?…\n]*")
_GAP = 3
_ENDING = 2


def is_retelling(quote: str, text: str, told: Sequence[str], bot_names: Sequence[str], *, after_bot: bool) -> bool:
    """Return whether a quote hands on what the bot said.

    Args:
        text: The message that the quote is of.
        told: What bots said before, and what the bot recalled.
        after_bot: Whether the message follows or answers one of the bot, so that "it said" is the bot.
    """
    statements = [stated for speech in told if (stated := _without_questions(speech))]
    return is_retold(quote, statements) or _hands_on(_context(quote, text), quote, bot_names, after_bot=after_bot)


def _without_questions(speech: str) -> str:
    """Return what a bot asks is no statement: the answer to it is the member's own."""
    return " ".join(part for part in _SENTENCE.findall(speech) if part.strip() and not part.rstrip().endswith("?"))


def _context(quote: str, text: str) -> str:
    """The text from the beginning of the sentence in which the quote begins up to the quote's end."""
    start = text.find(quote)
    if start < 0:
        return quote
    begin = max(text.rfind(mark, 0, start) for mark in ".!?…\n") + 1
    return text[begin : start + len(quote)]


def _hands_on(context: str, quote: str, bot_names: Sequence[str], *, after_bot: bool) -> bool:
    words = tokens(context)
    end = _frame(words, [tokens(name) for name in bot_names if tokens(name)])
    if end is None and after_bot:
        end = _frame_after_bot(words)
    if end is None:
        return False
    own = next((at for at in range(end, len(words)) if words[at] in _BUT), None)
    return own is None or len(words) - own < len(tokens(quote)) / 3


def _frame(words: Sequence[str], names: Sequence[Sequence[str]]) -> int | None:
    """Return where what the bot is said to have said begins, or None."""
    for at in range(len(words)):
        end = _after_bot_name(words, at, names)
        if end is None:
            continue
        if any(tuple(words[max(0, at - len(source)) : at]) == source for source in _SOURCE):
            return end
        if (said := _after_verb(words, end, plain=False)) is not None:
            return said
    return None


def _after_bot_name(words: Sequence[str], at: int, names: Sequence[Sequence[str]]) -> int | None:
    if words[at].removesuffix("'s") in _BOTS:
        return at + 1
    for name in names:
        spoken = [word.removesuffix("'s") for word in words[at : at + len(name)]]
        if len(spoken) == len(name) and all(map(_is_called, spoken, name)):
            return at + len(name)
    return None


@lru_cache(maxsize=20_000)
def _is_called(word: str, name: str) -> bool:
    """Return whether a word is the name, in either script and any case ("за словами гряга")."""
    return same_name(word, name) or (is_cyrillic(word) and word.startswith(name) and len(word) - len(name) <= _ENDING)


def _after_verb(words: Sequence[str], at: int, *, plain: bool) -> int | None:
    """Return where a verb of saying ends that stands here, fillers apart; a plain form only where one is allowed."""
    helped = plain
    for place in range(at, min(len(words), at + _GAP + 1)):
        word = words[place]
        if lemma(word) in _SAY or word in _SAY:
            return place + 1 if helped or _is_third_person(word) else None
        if word not in _FILLERS:
            return None
        helped = helped or word in ("does", "did")
    return None


def _is_third_person(word: str) -> bool:
    """Told apart from a plea to the bot: "gryag remembers", not "gryag, remember"."""
    if word.isascii():
        return lemma(word) != word or word == "thought"
    return "#imp" not in readings(word) and "#inf" not in readings(word)


def _frame_after_bot(words: Sequence[str]) -> int | None:
    at = 0
    while at < len(words) and words[at] in _OPENERS:
        at += 1
    if at >= len(words):
        return None
    if words[at] in _HEARSAY:
        return at + 1
    return _after_verb(words, at + 1, plain=True) if words[at] in _SPEAKERS else None
