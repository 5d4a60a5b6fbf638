"""Words as the index and a question know them: folded, stemmed, without the words that carry no meaning.

Latin words go through the Snowball stemmer for English; Cyrillic words are brought to their dictionary form and lose
their ending, so that "п'ятниці" meets "п'ятниця" and "Києві" meets "Київ"; of two aspects both become one. Names and
words that no dictionary has stand a second time as they sound, for another script to find them. A text's marks stand
among its terms: that it asks something, or tells a time, a number or a place. A change here asks for the index to be
built anew (`TERMS_VERSION`).
"""

import re
from functools import lru_cache

import snowballstemmer  # type: ignore[import-untyped]

from shared.domain.text.data_files import dictionary_forms, expressions, read_data, stop_words, time_words
from shared.domain.text.language import fold, is_known, lemma, tokens, unify_apostrophes
from shared.domain.text.names import one_script, phonetic_key

_SAYS = expressions(__package__, "terms")

TERMS_VERSION = 3
"""Grows whenever `terms_of` gives other terms for the same text."""

MAX_TERMS = 2_000
"""Words read of one text: far over Telegram's longest message, a bound for transcripts."""

ASKS, TELLS_TIME, TELLS_NUMBER, TELLS_PLACE = "#asks", "#time", "#number", "#place"
"""Marks; no word has a "#" in it."""

_MAX_CHARS = 20_000
_MAX_WORD = 40
_MIN_STEM = 3
_ENGLISH = snowballstemmer.stemmer("english")
_CYRILLIC = re.compile("[Ѐ-ӿ]")
_PAST = re.compile(r"^(.+[аяиіу])(?:в|ла|ло|ли)(?:ся|сь)?$")
_REFLEXIVE = re.compile(r"(?:ся|сь)$")
_ASPECTS = read_data(__package__, "terms")["aspects"]
_NAME_START = re.compile(r"[^\W_][\w']*")
_SENTENCE_END = ".!?…:\n"
_SOUND = "~"
_MIN_SOUND = 4
"""Letters from which words that sound alike are the same."""

_ASKS = re.compile(r"\?\W*$", re.MULTILINE)


def terms_of(text: str) -> list[str]:
    """The terms of a text: its words in their order, repetitions kept, then its names by sound, then its marks.

    Numbers stay as they are; a word counts by its first 40 letters; at most `MAX_TERMS` words of the first 20,000
    characters are read. A text without a meaningful word has no words.
    """
    return [*_read_terms(text[:_MAX_CHARS])]


@lru_cache(maxsize=1_000)  # what is not in the index yet is read for each answer
def _read_terms(text: str) -> tuple[str, ...]:
    return (*words_of(text), *_names_in(text), *_marks_of(text))


def words_of(text: str) -> list[str]:
    """The words alone: what a question is searched by."""
    return [known for known, _ in pairs_of(text)]


def pairs_of(text: str) -> list[tuple[str, str]]:
    """Return the words of a text as they are searched by, each with the folded word that it stands for."""
    found = ((term(word[:_MAX_WORD]), word) for word in tokens(one_script(text[:_MAX_CHARS])))
    return [(known, word) for known, word in found if known][:MAX_TERMS]


def sound_term(word: str) -> str | None:
    """Return what a folded name is found by in whichever script; None when it is too short to be told from others."""
    bare = phonetic_key(word[:_MAX_WORD])
    return f"{_SOUND}{bare}" if len(bare) >= _MIN_SOUND else None


@lru_cache(maxsize=100_000)
def term(word: str) -> str:
    """The term of one folded word, or "" when it is a stop word."""
    if word in stop_words():
        return ""
    return stem(_dictionary_form(word) if _CYRILLIC.search(word) else dictionary_forms().get(word, word))


def stem(word: str) -> str:
    """The stem of a folded word that is in its dictionary form already (any regular form of an English one)."""
    if not _CYRILLIC.search(word):
        return str(_ENGLISH.stemWord(word.removesuffix("'s").replace("'", "")))
    base = _REFLEXIVE.sub("", word)
    base = next((f"{base.removesuffix(end)}{same}" for end, same in _ASPECTS.items() if base.endswith(end)), base)
    stripped = _SAYS["ending"].sub("", base)
    return stripped if len(stripped) >= _MIN_STEM else base


def _dictionary_form(word: str) -> str:
    """The lemma; of a past form that passes for a noun of a tool ("купило") the verb."""
    base = lemma(word)
    past = _PAST.match(word)
    if past and base != word and base.endswith(("ло", "ла")) and is_known(f"{past[1]}ти"):
        return f"{past[1]}ти"
    return dictionary_forms().get(base, base)


def _names_in(text: str) -> list[str]:
    """Return the sounds of names: words with a capital inside a sentence, and Latin ones amid Cyrillic."""
    plain = one_script(unify_apostrophes(text))
    mixed = bool(_CYRILLIC.search(plain))
    found = (sound_term(fold(match[0])) for match in _NAME_START.finditer(plain) if _is_name(match, mixed=mixed))
    return [known for known in found if known][:MAX_TERMS]


def _is_name(match: re.Match[str], *, mixed: bool) -> bool:
    word = match[0]
    if len(word) < _MIN_SOUND - 1 or word[0].isdecimal():
        return False
    before = match.string[: match.start()].rstrip(" \t\"'«“(-–—")[-1:]
    if word[0].isupper() and not word.isupper() and before and before not in _SENTENCE_END:
        return True
    return not _is_common(fold(word)) if _CYRILLIC.search(word) else mixed


@lru_cache(maxsize=100_000)
def _is_common(word: str) -> bool:
    return word in stop_words() or is_known(word)


def _marks_of(text: str) -> list[str]:
    plain = unify_apostrophes(text)
    marks = (
        (ASKS, _ASKS.search(plain)),
        (TELLS_TIME, _SAYS["clock_or_date"].search(plain) or not time_words().isdisjoint(tokens(plain))),
        (TELLS_NUMBER, _SAYS["number"].search(plain)),
        (TELLS_PLACE, _SAYS["place"].search(plain)),
    )
    return [mark for mark, found in marks if found]
