"""Measures how far words were really said: a content is believed when what it names occurs in its quote.

Words count as the same across inflection, the two languages and the two scripts; what neither shares nor translates
counts as not said, so a doubtful content needs a quote that speaks for itself. Nor may it tell of what is unknown, or
guess: a hedge is forgiven when the quote hedges, too, and "not mentioned" only when the quote tells that the speaker
kept something from somebody.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import lru_cache

from shared.domain.conversation.messages import Message
from shared.domain.facts.dedup.lexicon import Kind, meaning
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.matching.tables import read_marks
from shared.domain.reading.patterns.answers import asks, is_yes_or_no
from shared.domain.text.data_files import word_sets, word_tables
from shared.domain.text.language import lemma, tokens
from shared.domain.text.names import is_cyrillic, same_name, same_stem
from shared.domain.text.words import analyse

_STEM = 4
_MIN_NAME = 4
_WORDS = word_sets(__package__, "support")
_MARKS = read_marks(__package__, "unknowns")
_LEAST = 1 / 3
"""Share of a fact's meaningful words that its quotes have to say (on the cases of tests/evals: a model
words the rest anew, "I'm a nurse" as "works as a nurse")."""
_NUMBER, _ISO_DAY = re.compile(r"\d{1,9}"), re.compile(r"\b\d{4}-\d\d-\d\d\b")
_TENS, _UNITS = word_tables(__package__, "support")["numerals"].values()
_TEENS_AND_TENS = re.compile(
    rf"(?P<ten>{'|'.join(_TENS)})\w*|(?P<teen>{'|'.join(_UNITS)})надцят\w*|(?P<tenth>десят)\w*"
)
_WORD_UNITS = {"чотири": 4, "шість": 6}


def is_first_person(words: Iterable[str]) -> bool:
    """Return whether any folded word says "I" or "we"."""
    return not _WORDS["first_person"].isdisjoint(words)


def is_second_person(words: Iterable[str]) -> bool:
    """Return whether any folded word says "you"."""
    return not _WORDS["second_person"].isdisjoint(words)


@lru_cache(maxsize=20_000)
def matters(word: str) -> bool:
    """Return whether a folded word carries content rather than grammar; one-letter words never do."""
    return len(word) > 1 and meaning(word).kind is not Kind.STOP


@lru_cache(maxsize=50_000)
def same_word(one: str, other: str) -> bool:
    """Return whether two folded words say the same: inflection, translation (where known) or spelling apart."""
    if one == other or lemma(one) == lemma(other):
        return True
    known, also = meaning(one), meaning(other)
    if known.kind is not Kind.WORD and known.kind is not Kind.STOP and known == also:
        return True
    if is_cyrillic(one) != is_cyrillic(other):
        return min(len(one), len(other)) >= _MIN_NAME and same_name(one, other)
    shared = max(_STEM, min(len(one), len(other)) - 3)
    return len(one) >= shared and one[:shared] == other[:shared]


def is_said(word: str, said: Sequence[str]) -> bool:
    """Return whether a folded word is among the folded words said."""
    return any(same_word(word, other) for other in said)


def support(content: Iterable[str], said: Sequence[str]) -> float:
    """Share of the content's meaningful words that were said; 0 when it has none."""
    words = [word for word in content if matters(word)]
    return sum(is_said(word, said) for word in words) / len(words) if words else 0.0


def numbers(text: str) -> frozenset[int]:
    """Numbers of a text in figures or words, in either language, up to a hundred where in words."""
    found: set[int] = set()
    ten = 0
    for word in tokens(text):
        value = number(word)
        if value is not None:
            found.add(value)
        if ten and value and value < 10:
            found.add(ten + value)
        ten = value if value and value >= 20 and value % 10 == 0 else 0
    return frozenset(found)


@lru_cache(maxsize=5_000)
def number(word: str) -> int | None:
    """The number that one folded word says ("27th", "twenties", "сорока"), or None."""
    if figures := _NUMBER.match(word):
        return int(figures.group())
    if match := _TEENS_AND_TENS.fullmatch(word):
        if match["ten"]:
            return 10 * (_TENS.index(match["ten"]) + 2)
        return 11 + _UNITS.index(match["teen"]) if match["teen"] else 10
    known = meaning(word)
    if known.kind is Kind.NUMBER and known.name.isdigit():
        return int(known.name)
    return _WORD_UNITS.get(word)


def is_unknown(content: str, said: str) -> bool:
    """Return whether a content tells of something unknown, unsaid or guessed, which its quote does not tell itself."""
    words, quoted = analyse(content), analyse(said)
    if _MARKS["hedge"].mark(words) and not _MARKS["unsure"].mark(quoted):
        return True
    return any(_MARKS[name].mark(words) and not _MARKS[name].mark(quoted) for name in ("unknown", "unsaid", "nothing"))


def words_said(evidence: Evidence, messages: Mapping[int, Message]) -> str:
    """Return what a quote says: its words and, before a yes or no, the question of somebody else that it answers."""
    message = messages.get(evidence.message_id)
    question = _find_question(message, messages) if message is not None and is_yes_or_no(message.text) else None
    return evidence.quote if question is None else f"{question.text} {evidence.quote}"


def is_unsaid(
    candidate: Candidate, text: str, said: str, participants: Mapping[int, Sequence[str]], known: str = ""
) -> bool:
    """Return whether what the quotes said shares too little of a fact's content (`text`); to name somebody is none, nor
    is what a fact tells that is known: who moves a meeting to another day need not name its place again."""
    names = frozenset(word for known_as in participants.values() for name in known_as for word in tokens(name))
    words, told_before = tokens(said), frozenset(tokens(known))

    def choose_news(content: str) -> list[str]:
        return [w for w in tokens(content) if matters(w) and w not in told_before and not _is_name(w, names)]

    # The day that "today" or "on Friday" means is reckoned from when it was said.
    near = {f"{e.sent_at.date() + timedelta(days)}" for e in candidate.evidence for days in range(-7, 8)}
    text = _ISO_DAY.sub(lambda day: "" if day[0] in near else day[0], text)
    value, news = choose_news(candidate.value), choose_news(text)
    if value and all(is_said(word, words) for word in value):
        return False
    told = numbers(text) - numbers(known)
    if told and told <= numbers(said):
        return False  # "is 40 years old" by "forty already"
    return support(news, words) < _LEAST


def _is_name(word: str, names: Collection[str]) -> bool:
    return word in names or any(same_name(word, name) or same_stem(word, name) for name in names)


def _find_question(answer: Message, messages: Mapping[int, Message]) -> Message | None:
    """Return the question that an answer answers: the message replied to, else the last one before it."""
    last = max((message_id for message_id in messages if message_id < answer.message_id), default=0)
    asked = messages.get(last if answer.reply_to is None else answer.reply_to)
    return asked if asked is not None and asked.user_id != answer.user_id and asks(asked) else None
