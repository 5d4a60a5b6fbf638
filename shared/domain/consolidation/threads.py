"""What was talked about lately: the nouns that several members come back to in one conversation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from math import log

from shared.domain.common_words import COMMON, DETERMINERS
from shared.domain.consolidation.commitments import is_earnest
from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.likeness import is_proper
from shared.domain.consolidation.plans import quote_about
from shared.domain.consolidation.speakers import goes_by
from shared.domain.episodes.conversations import MIN_MESSAGES, Outline, split_by_silence
from shared.domain.language import is_known, lemma, unify_apostrophes
from shared.domain.messages import Message
from shared.domain.names import is_cyrillic
from shared.domain.patterns import terms as subjects
from shared.domain.recall.terms import term
from shared.domain.recall.time_words import TIME_WORDS
from shared.domain.words import readings

RECENT = timedelta(days=5)
"""How far back topics are looked for, before the newest message (own choice)."""

MOST_TOPICS = 8
_MENTIONS, _AUTHORS = 3, 2
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NOT_A_NOUN = re.compile(
    r".*(?:ти|тися|тись|[иії]й|ючи|ачи|ши|ськи|ly|ing|ed)|.*[^аеиіоуюяєї](?:но|то|ко)|.*(?:еш|єш|иш|їш|ить|ять|ють|уть|ав|ив|ла|ли|ло)"
)
_MIN_LETTERS = 3
_NEUTER = re.compile(r"(?:[оеє]|([лтнднзсчжш])\1я)$")
_OFTEN = 3
"""Of so many uses of an English noun one stands after an article or the like."""
_NOTHING = frozenset(
    {"пів", "ніщо", "хтось", "дещо", "декілька", "половина", "нуль", "тис", "знов", "thing", "bit", "lot"}
)


@dataclass(slots=True)
class _Word:
    """How a dictionary form is used in a conversation."""

    messages: dict[int, Message] = field(default_factory=dict)
    replies: dict[int, Message] = field(default_factory=dict)
    times: int = 0
    determined: int = 0
    capital: int = 0
    inside: int = 0
    forms: set[str] = field(default_factory=set)

    @property
    def authors(self) -> set[int]:
        """Who uses it, or replies to somebody who does."""
        return {message.user_id for message in (*self.messages.values(), *self.replies.values())}

    @property
    def mentions(self) -> int:
        """Messages with it, and replies to them."""
        return len(self.messages.keys() | self.replies.keys())


def threads(messages: Sequence[Message]) -> Iterator[Suggestion]:
    """Topics of recent conversations, the newest first.

    Args:
        messages: In the order of the talk.
    """
    talk = [message for message in messages if is_earnest(message)]
    if not talk:
        return
    runs = _conversations([m for m in talk if talk[-1].sent_at - m.sent_at <= RECENT])
    names = sorted({m.name for m in messages} | {m.username or "" for m in messages})
    used = [_words(run, names) for run in runs]
    spread = Counter(word for words in used for word in words)
    told: set[str] = set()
    for run, words in sorted(zip(runs, used, strict=True), key=lambda pair: -pair[0][-1].message_id):
        chosen = [word for word in _telling(words, spread, len(runs)) if word not in told][:1]
        if chosen and len(told) < MOST_TOPICS:
            told.update(chosen)
            yield _topic(chosen, words, runs, run)


def _conversations(talk: Sequence[Message]) -> list[list[Message]]:
    by_id = {message.message_id: message for message in talk}
    runs = split_by_silence([Outline(m.message_id, m.sent_at, m.thread_id or 0) for m in talk])
    return [[by_id[outline.message_id] for outline in run] for run in runs if len(run) >= MIN_MESSAGES]


def _words(run: Sequence[Message], names: Sequence[str]) -> dict[str, _Word]:
    """Nouns of a conversation by dictionary form, as far as they can be told."""
    words: dict[str, _Word] = {}
    for message in run:
        before = ""
        for match in _WORD.finditer(unify_apostrophes(message.text[:2_000])):
            form = match[0].casefold()
            word = words.setdefault(lemma(form), _Word())
            word.messages[message.message_id] = message
            word.times += 1
            word.determined += before in DETERMINERS
            inside = message.text[: match.start()].rstrip()[-1:] not in ("", *".!?…:")
            word.capital += match[0][0].isupper() and inside
            word.inside += inside
            word.forms.add(form)
            before = form
    for use in words.values():
        use.replies = {m.message_id: m for m in run if m.reply_to in use.messages}
    return {word: use for word, use in words.items() if _is_noun(word, use) and not _is_name(word, use, names)}


def _is_noun(word: str, use: _Word) -> bool:
    if (
        len(word) < _MIN_LETTERS
        or not word.replace("'", "").replace("-", "").isalpha()
        or word in COMMON | _NOTHING
        or word in TIME_WORDS
        or not term(word)
    ):
        return False
    if word.isascii():
        noun = _OFTEN * use.determined >= use.times or 2 * use.capital > use.inside
        return noun and not word.endswith(("ly", "ing"))
    if is_proper(word):
        return True
    if any("#" in atom for form in use.forms for atom in readings(form)):
        return False  # a verb that was taken for a noun
    return not _NOT_A_NOUN.fullmatch(word) and is_known(word) and not _is_adverb(word)


def _is_adverb(word: str) -> bool:
    """Whether a word in -о stands beside an adjective ("дешево", "дешевий")."""
    return word.endswith("о") and lemma(f"{word}го") == f"{word[:-1]}ий"


def _is_name(word: str, use: _Word, names: Sequence[str]) -> bool:
    return any(goes_by(form, name) for name in names for form in {word, *use.forms})


def _telling(words: dict[str, _Word], spread: Counter[str], conversations: int) -> list[str]:
    """Words that enough members come back to, those that tell most of this conversation first."""
    worth = {
        word: use.mentions * (1 + log(conversations / spread[word]))
        for word, use in words.items()
        if use.mentions >= _MENTIONS and len(use.authors) >= _AUTHORS and not subjects.day(word)
    }
    return sorted(worth, key=lambda word: (-worth[word], word))


def _topic(
    chosen: Sequence[str], words: dict[str, _Word], runs: Sequence[Sequence[Message]], run: Sequence[Message]
) -> Suggestion:
    """A topic from its first mention in these days to the last in its conversation."""
    key = {term(word) for word in chosen[:1]}
    first = next(m for each in runs for m in each if _says(m, key))
    last = max(words[chosen[0]].messages.values(), key=lambda m: (m.sent_at, m.message_id))
    quotes = dict.fromkeys((m.message_id, quote_about(m, frozenset(key))) for m in (first, last))
    return Suggestion(Section.TOPICS, _phrase(chosen[0], words, run), tuple(quotes))


def _says(message: Message, key: set[str]) -> bool:
    return any(term(form) in key for form in _WORD.findall(unify_apostrophes(message.text.casefold())))


def _phrase(word: str, words: dict[str, _Word], run: Sequence[Message]) -> str:
    """The word with what is said right before or after it, where that makes a phrase; else alone."""
    phrases: Counter[str] = Counter()
    for message in run:
        said = [match[0] for match in _WORD.finditer(unify_apostrophes(message.text))]
        phrases.update(phrase for one, other in pairwise(said) if (phrase := _joined(one, other, word, words)))
    phrases = Counter({phrase: n for phrase, n in phrases.items() if n > 1 or not phrase.isascii()})
    best = max(phrases, key=lambda phrase: (phrases[phrase], phrase), default="")
    return best or _shown(word, words[word])


def _joined(one: str, other: str, word: str, words: dict[str, _Word]) -> str:
    """Two words in a row as a phrase with a noun: "зимова гума", "ремонт даху", "ear drops"; "" when they are none."""
    before, after = lemma(one.casefold()), lemma(other.casefold())
    if after == word and before.endswith(("ий", "ій")) and before not in COMMON:
        as_said = other.casefold() == word
        return f"{one.casefold() if as_said else _agreeing(before, word)} {_shown(word, words[word])}"
    if before == word and is_cyrillic(word) and (after in words or is_proper(other.casefold())) and _is_genitive(other):
        return f"{_shown(word, words[word])} {other if is_proper(other.casefold()) else other.casefold()}"
    if word.isascii() and word == after and before in words:
        return f"{_shown(before, words[before])} {other.casefold()}"
    return ""


def _agreeing(adjective: str, noun: str) -> str:
    """A Ukrainian adjective in the gender of a noun, as its ending tells it."""
    stem, soft = adjective[:-2], adjective.endswith("ій")
    if _NEUTER.search(noun):
        return stem + ("є" if soft else "е")
    if noun.endswith(("а", "я")):
        return stem + ("я" if soft else "а")
    return adjective


def _is_genitive(form: str) -> bool:
    folded = form.casefold()
    if folded == lemma(folded) or folded.endswith(("ами", "ями")):
        return False
    return folded.endswith(("а", "у", "я", "ю", "и", "і", "ї", "ів", "ей"))


def _shown(word: str, use: _Word) -> str:
    is_name = is_proper(word) or 2 * use.capital > use.inside
    return f"{word[0].upper()}{word[1:]}" if is_name else word
