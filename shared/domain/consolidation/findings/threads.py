"""Finds recent topics: the nouns that several members come back to in one conversation."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from math import log

from shared.domain.consolidation.findings.commitments import is_earnest
from shared.domain.consolidation.findings.plans import quote_about
from shared.domain.consolidation.items import Section, Suggestion
from shared.domain.consolidation.likeness import is_proper
from shared.domain.consolidation.speakers import goes_by
from shared.domain.conversation.messages import Message
from shared.domain.reading.episodes.conversations import MIN_MESSAGES, Outline, split_by_silence
from shared.domain.reading.matching import terms as subjects
from shared.domain.text.data_files import common_words, determiners, stop_words, time_words, word_lists
from shared.domain.text.language import is_known, lemma, unify_apostrophes
from shared.domain.text.names import is_cyrillic
from shared.domain.text.terms import term
from shared.domain.text.words import readings

RECENT = timedelta(days=5)
"""The time for which topics are looked for, before the newest message."""

MOST_TOPICS = 8
_MENTIONS, _AUTHORS = 3, 2
_MUCH, _MANY = 4, 3
"""Messages and authors from which a thing is discussed although somebody has it to do already."""

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NOT_A_NOUN = re.compile(
    r".*(?:ти|тися|тись|[иії]й|ючи|ачи|ши|ськи|ly|ing|ed)|.*[^аеиіоуюяєї](?:но|то|ко)|.*(?:еш|єш|иш|їш|ить|ять|ють|"
    r"уть|ав|ив|ла|ли|ло)"
)
_BREAK = re.compile(r"[^\w\s'-]+|\s-\s")
_MIN_LETTERS = 3
_NEUTER = re.compile(r"(?:[оеє]|([лтнднзсчжш])\1я)$")
_MOST_BEFORE = 2
_OFTEN = 3
"""The number of uses of an English noun of which one stands after an article or the like."""
_WORDS = word_lists(__package__, "words")


@dataclass(slots=True)
class _ThreadWord:
    """The uses of a dictionary form in a conversation."""

    messages: dict[int, Message] = field(default_factory=dict)
    replies: dict[int, Message] = field(default_factory=dict)
    times: int = 0
    determined: int = 0
    capital: int = 0
    inside: int = 0
    forms: set[str] = field(default_factory=set)

    @property
    def authors(self) -> set[int]:
        """Return who uses it, or replies to somebody who does."""
        return {message.user_id for message in (*self.messages.values(), *self.replies.values())}

    @property
    def mentions(self) -> int:
        """Messages with it, and replies to them."""
        return len(self.messages.keys() | self.replies.keys())

    def is_apart(self, word: str, ongoing: frozenset[str], pending: frozenset[str]) -> bool:
        """Return whether a word is not what the group is doing, nor owes unless much is said about it."""
        terms = {term(word)} | {term(form) for form in self.forms}
        much = len(self.messages) >= _MUCH and len({m.user_id for m in self.messages.values()}) >= _MANY
        return not terms & ongoing and (much or not terms & pending)


def threads(
    messages: Sequence[Message], *, ongoing: frozenset[str] = frozenset(), pending: frozenset[str] = frozenset()
) -> Iterator[Suggestion]:
    """Topics of recent conversations, the newest first.

    Args:
        messages: In the order of the talk.
        ongoing: Terms of what stands under "Ongoing": no topics.
        pending: Terms of what somebody owes: topics only when much is said about them.
    """
    talk = [message for message in messages if is_earnest(message)]
    if not talk:
        return
    recent = [m for m in talk if talk[-1].sent_at - m.sent_at <= RECENT]
    by_id = {message.message_id: message for message in recent}
    outlines = split_by_silence([Outline(m.message_id, m.sent_at, m.thread_id or 0) for m in recent])
    runs = [[by_id[outline.message_id] for outline in run] for run in outlines if len(run) >= MIN_MESSAGES]
    names = sorted({m.name for m in messages} | {m.username or "" for m in messages})
    used = [_words(run, names) for run in runs]
    spread = Counter(word for words in used for word in words)
    told: set[str] = set()
    for run, words in sorted(zip(runs, used, strict=True), key=lambda pair: -pair[0][-1].message_id):
        telling = (word for word in _choose_telling(words, spread, len(runs)) if word not in told)
        chosen = next((word for word in telling if words[word].is_apart(word, ongoing, pending)), None)
        if chosen is not None and len(told) < MOST_TOPICS:
            told.add(chosen)
            yield _topic(chosen, used, words, run)


def _words(run: Sequence[Message], names: Sequence[str]) -> dict[str, _ThreadWord]:
    """Nouns of a conversation by dictionary form, as far as they can be told."""
    words: dict[str, _ThreadWord] = {}
    for message in run:
        before = ""
        said = unify_apostrophes(message.text[:2_000])
        for match in _WORD.finditer(said):
            form = match[0].casefold()
            word = words.setdefault(_base(form), _ThreadWord())
            word.messages[message.message_id] = message
            word.times += 1
            plural = form.endswith("s") and not form.endswith("ss") and form != lemma(form)
            is_thing = before in determiners() or (plural and before not in _WORDS["doers"])  # not "he works"
            word.determined += is_thing and _ends_phrase(said, match.end())
            inside = message.text[: match.start()].rstrip()[-1:] not in ("", *".!?…:")
            word.capital += match[0][0].isupper() and inside
            word.inside += inside
            word.forms.add(form)
            before = form
    for use in words.values():
        use.replies = {m.message_id: m for m in run if m.reply_to in use.messages}
    return {
        word: use
        for word, use in words.items()
        if _is_noun(word, use) and not any(goes_by(form, name) for name in names for form in {word, *use.forms})
    }


def _base(form: str) -> str:
    """The dictionary form; of a Ukrainian word that no dictionary has, its stem with the ending of its nominative."""
    base = lemma(form)
    if form.isascii() or is_known(base):
        return base
    return f"{stem}{'а' if form[-1] in 'аиуіою' else ''}" if len(stem := term(form)) > _MIN_LETTERS else base


def _ends_phrase(said: str, end: int) -> bool:
    """Return whether no further noun follows: "the roof is", not "the green one"."""
    following = _WORD.match(said, end + 1) if said[end : end + 1] == " " else None
    word = "" if following is None else following[0].casefold()
    follows = word.isascii() and lemma(word) in _WORDS["verbs_after_noun"]
    return not word or follows or (word in stop_words() and word not in ("one", "ones"))


def _is_noun(word: str, use: _ThreadWord) -> bool:
    said_nothing = word in common_words() or word in _WORDS["nothing"] or word in time_words() or not term(word)
    if said_nothing or len(word) < _MIN_LETTERS or not word.replace("'", "").replace("-", "").isalpha():
        return False
    if word.isascii():
        often = use.determined > 1 and _OFTEN * use.determined >= use.times and len(word) > _MIN_LETTERS
        return (often or 2 * use.capital > use.inside) and not word.endswith(("ly", "ing"))
    if is_proper(word):
        return True
    if any("#" in atom for form in use.forms for atom in readings(form)):
        return False  # a verb that was taken for a noun
    known = is_known(word) or len(use.forms) > 1
    adverb = word.endswith("о") and lemma(f"{word}го") == f"{word[:-1]}ий"  # "дешево" beside "дешевий"
    return not _NOT_A_NOUN.fullmatch(word) and known and not adverb


def _choose_telling(words: dict[str, _ThreadWord], spread: Counter[str], conversations: int) -> list[str]:
    """Words that enough members come back to, those that tell most of this conversation first."""
    worth = {
        word: use.mentions * (1 + log(conversations / spread[word]))
        for word, use in words.items()
        if len(use.messages) >= _MENTIONS - (len(use.replies) > 0)
        and use.mentions >= _MENTIONS
        and len(use.authors) >= _AUTHORS
        and not subjects.day(word)
    }
    return sorted(worth, key=lambda word: (-worth[word], word))


def _topic(
    word: str, used: Sequence[dict[str, _ThreadWord]], words: dict[str, _ThreadWord], run: Sequence[Message]
) -> Suggestion:
    """A topic from its first mention in these days to the last in its conversation."""
    said = [m for each in used if word in each for m in each[word].messages.values()]
    first = min(said, key=lambda m: (m.sent_at, m.message_id))
    last = max(words[word].messages.values(), key=lambda m: (m.sent_at, m.message_id))
    terms = frozenset(term(form) for each in used if word in each for form in each[word].forms)
    text = _phrase(word, words, run)
    worded = [m for m in said if text.casefold() in m.text.casefold()][:1]
    quotes = dict.fromkeys((m.message_id, quote_about(m, terms)) for m in (first, *worded, last))
    return Suggestion(Section.TOPICS, text, tuple(quotes))


def _phrase(word: str, words: dict[str, _ThreadWord], run: Sequence[Message]) -> str:
    """The word with what is said right before or after it, where that makes a phrase; else alone."""
    phrases: Counter[str] = Counter()
    for message in run:
        for part in _BREAK.split(unify_apostrophes(message.text)):
            said = _WORD.findall(part)
            phrases.update(phrase for one, other in pairwise(said) if (phrase := _join_phrase(one, other, word, words)))
            phrases.update(_compounds(said, word) if word.isascii() else ())
    phrases = Counter({phrase: n for phrase, n in phrases.items() if n > 1 or not phrase.isascii()})
    best = max(phrases, key=lambda phrase: (phrases[phrase], phrase), default="")
    return best or _display_form(word, words[word])


def _join_phrase(one: str, other: str, word: str, words: dict[str, _ThreadWord]) -> str:
    """Two words in a row as a phrase with a noun: "зимова гума", "ремонт даху", "ear drops"; "" when they are none."""
    before, after = lemma(one.casefold()), lemma(other.casefold())
    if after == word and before.endswith(("ий", "ій")) and before not in common_words():
        as_said = other.casefold() == word
        return f"{one.casefold() if as_said else _agree(before, word)} {_display_form(word, words[word])}"
    if before == word and is_cyrillic(word) and (after in words or is_proper(other.casefold())) and _is_genitive(other):
        return f"{_display_form(word, words[word])} {other if is_proper(other.casefold()) else other.casefold()}"
    return ""


def _compounds(said: Sequence[str], word: str) -> Iterator[str]:
    """An English noun with the one or two words right before it that may belong to it."""
    for place, form in enumerate(said):
        if _base(form.casefold()) != word:
            continue
        start = place
        while start and place - start < _MOST_BEFORE and _may_qualify(said[start - 1], said[start]):
            start -= 1
        if start < place:
            yield " ".join(w if w[:1].isupper() else w.casefold() for w in said[start : place + 1])


def _may_qualify(form: str, following: str) -> bool:
    folded = form.casefold()
    if form[:1].isupper() and following[:1].isupper():
        return True
    listed = stop_words(), common_words(), determiners(), time_words()
    plain = folded.isascii() and not any(folded in words for words in listed)
    return plain and not folded.endswith(("ly", "ed", "'s"))


def _agree(adjective: str, noun: str) -> str:
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


def _display_form(word: str, use: _ThreadWord) -> str:
    if word not in use.forms and not is_known(lemma(next(iter(use.forms)))):
        word = min(use.forms, key=lambda form: (len(form), form))
    is_name = is_proper(word) or 2 * use.capital > use.inside
    return f"{word[0].upper()}{word[1:]}" if is_name else word
