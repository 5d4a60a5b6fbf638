"""Guards against instructions to the bot, questions, hypotheses, irony, other groups and moods of a moment.

A wrong fact is worse than a missing one, so a guard that fires too often is the right kind of wrong.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from shared.domain.reading.matching.tables import read_marks
from shared.domain.text.data_files import expressions, join_expression, read_data, word_lists
from shared.domain.text.language import tokens, unify_apostrophes
from shared.domain.text.names import undisguise
from shared.domain.text.words import analyse

_FORMS = expressions(__package__, "sentence_forms")
_IRONIC: Sequence[str] = read_data(__package__, "sentence_forms")["triggers"]["irony"]
_NOTES = frozenset("♪♫♬🎵🎶")
_NOTE_GAP = 10
"""Characters between two notes that are lyrics rather than two notes in a row."""
_MARKS = read_marks(__package__, "sentences", word_lists(__package__, "sentence_lists"))
_WAYS = tuple(
    (tuple(way["triggers"].split("|")), re.compile(join_expression(way["expression"]), re.IGNORECASE))
    for ways in read_data(__package__, "injection").values()
    for way in ways
)
"""Ways to instruct a bot, each with parts of words without which it is not worth looking for."""
_HIDDEN = re.compile(
    "(?<=[A-Za-zА-Яа-яІіЇїЄєҐґ])[\u200b-\u200f\u00ad\u2060-\u2064\ufeff\u202a-\u202e]+(?=[A-Za-zА-Яа-яІіЇїЄєҐґ])"
)
"""Invisible characters inside a word."""
_SHARE_RETOLD = 0.6
_MIN_RETOLD_WORDS = 3
_STEM = 5


@lru_cache(maxsize=4)
def has_injection(text: str) -> bool:
    """Return whether a text tries to instruct the bot, to pass for its machinery, or to dictate what it remembers."""
    plain = unicodedata.normalize("NFKC", unify_apostrophes(text))  # a backtick is an apostrophe by now
    if plain.isascii():
        return _instructs(plain)
    return bool(_HIDDEN.search(plain)) or _instructs(plain) or any(map(_instructs, undisguise(plain)))


def _instructs(text: str) -> bool:
    folded = text.casefold().replace("ı", "i")
    for triggers, expression in _WAYS:  # loops: comprehensions cost twice as much here, and every message pays
        for trigger in triggers:
            if trigger in folded:
                if expression.search(text):
                    return True
                break
    return False


def dictates_memory(text: str) -> bool:
    """Return whether a text tells somebody to remember something: only the speaker's own facts may follow from it."""
    return bool(_FORMS["directed_memory"].search(text))


def mentions_bot(text: str, bot_names: Iterable[str]) -> bool:
    """Return whether a text is about a bot (by any name) or about how one is instructed."""
    words = analyse(text)
    return _MARKS["bot_word"].mark(words) or any(parts and parts <= words.atoms for parts in map(_parts, bot_names))


@lru_cache(maxsize=64)
def _parts(name: str) -> frozenset[str]:
    return frozenset(tokens(name))


def has_link(text: str) -> bool:
    """Return whether a text carries an address or a handle: nothing to remember people by."""
    return ("." in text or "/" in text or "@" in text) and bool(_FORMS["link"].search(text))


def is_question(text: str) -> bool:
    """Return whether a sentence without a question mark still asks."""
    words = analyse(text)
    return _MARKS["interrogative"].begin(words) is not None and _MARKS["only_like_a_question"].begin(words) is None


def is_hypothetical(text: str) -> bool:
    """Return whether a sentence says what might be rather than what is."""
    words = analyse(text)
    return _MARKS["hypothesis"].mark(words) and not (
        _MARKS["whatever"].mark(words) and text.casefold().count(" б") == 1
    )


def is_conditional(text: str) -> bool:
    """Return whether a sentence is bound to a condition that need not hold.

    What only its later clauses suppose ("been there twice, would go back") leaves the first one as it is.
    """
    return _MARKS["condition"].mark(analyse(text)) or _MARKS["supposition"].mark(analyse(text.partition(",")[0]))


def is_ironic(text: str) -> bool:
    """Return whether a message carries a marker of irony or takes itself back."""
    folded = text.casefold()
    return any(trigger in folded for trigger in _IRONIC) and bool(_FORMS["irony"].search(text.strip()))


def is_sung(text: str) -> bool:
    """Return whether a message stands between notes, or begins with one: lyrics, not what the speaker says."""
    if text.isascii() or _NOTES.isdisjoint(text):
        return False
    notes = [at for at, char in enumerate(text.strip()) if char in _NOTES]
    return notes[0] == 0 or notes[-1] - notes[0] > _NOTE_GAP


def is_quoted(text: str) -> bool:
    """Return whether a sentence says that somebody speaks in it, sings it, or that it is fiction."""
    return _MARKS.stand_in(analyse(text), "said", "song", "fiction")


def is_reported(text: str) -> bool:
    """Return whether a sentence hands on what somebody else said or wrote: hearsay about a group teaches nothing."""
    return is_quoted(text) or _MARKS["heard"].mark(analyse(text))


def is_momentary(text: str) -> bool:
    """Return whether a sentence is about this moment or day only."""
    return _MARKS["moment"].mark(analyse(text))


def is_about_another_group(text: str) -> bool:
    """Return whether "we" in a sentence is a family, a firm or another chat."""
    words = analyse(text)
    return _MARKS.stand_in(words, "other_group", "private_we") or _MARKS["pair"].begin(words) is not None


def is_about_a_talk_elsewhere(text: str) -> bool:
    """Return whether a sentence is about another chat: what is said of it is said of nobody here."""
    return _MARKS["talk_elsewhere"].mark(analyse(text))


def is_request(text: str) -> bool:
    """Return whether a text asks the bot, whom it addresses, to do something with words that need not be one's own."""
    return _MARKS["request"].begin(analyse(text)) is not None


def is_figure_of_rule(text: str) -> bool:
    """Return whether the word "rule" in a sentence is about no rule of the chat."""
    return _MARKS["figure_of_rule"].mark(analyse(text))


def is_retold(text: str, told: Sequence[str]) -> bool:
    """Return whether most of the words of `text` were already in one of `told` (what the bot said): nobody's own words.

    Compares word beginnings, so that a retelling in another person or case is recognised. Another number is never a
    retelling, however much of the rest was said: "at 20:00" answers "at 19:00".
    """
    stems = {word[:_STEM] for word in tokens(text) if len(word) > 2} if told else set()
    if len(stems) < _MIN_RETOLD_WORDS:
        return False
    numbers = _numbers(text)
    return any(_overlap(stems, speech) >= _SHARE_RETOLD and numbers <= _numbers(speech) for speech in told)


def _numbers(text: str) -> set[str]:
    return {word for word in tokens(text) if any(map(str.isdigit, word))}


def _overlap(stems: set[str], speech: str) -> float:
    return len(stems & {word[:_STEM] for word in tokens(speech)}) / len(stems)
