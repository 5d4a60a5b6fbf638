"""Checks if a message or a text retells one forgotten member: their name, and how much of what was erased.

Imported when there is one: the lemmas behind it take most of a second to load.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple

from shared.domain.conversation.messages import Message, name_mark
from shared.domain.forgetting.forgotten import Erased, Marks, answers, hidden_key, id_key, mark
from shared.domain.people.labels import families_of
from shared.domain.text.data_files import common_words, word_lists
from shared.domain.text.language import fold, lemma, tokens, unify_apostrophes
from shared.domain.text.names import one_script, phonetic_key, possessor_key
from shared.domain.text.terms import term

_MIN_SOUND = 4
"""Letters of a sound by which words are the same, and by which a name is one though it is not capitalised."""

_MOST_READ = 1_000
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_USERNAME = re.compile(r"(?<![\w@])(?P<at>@|(?:https?://)?t\.me/)?(?P<name>[A-Za-z][A-Za-z0-9_]{3,31})(?!\w)")
_TELLING_USERNAME = re.compile(r"[0-9_]")


@cache
def _words_of(kind: str) -> frozenset[str]:
    return frozenset(word_lists(__package__, "words")[kind])


def is_about_speaker(text: str) -> bool:
    """Return whether a text speaks of its author: that is known of them, also when no fact was made of it yet."""
    return not _words_of("oneself").isdisjoint(tokens(one_script(text)))


class TellingWord(NamedTuple):
    """A word that tells something.

    Attributes:
        word: It, folded.
        keys: What it is known by.
        telling: Whether it tells more than that there is a fact.
    """

    word: str
    keys: frozenset[str]
    telling: bool


@lru_cache(maxsize=1_000)  # asked for each forgotten member
def content_words(text: str) -> tuple[TellingWord, ...]:
    """The words of a text that tell something, each once, in order; grammar and words of every talk are left out."""
    found: dict[frozenset[str], TellingWord] = {}
    for word in tokens(one_script(text))[:_MOST_READ]:
        keys = content_keys(word)
        if keys:
            found.setdefault(keys, TellingWord(word, keys, lemma(word) not in _words_of("predicates")))
    return tuple(found.values())


@lru_cache(maxsize=50_000)
def content_keys(word: str) -> frozenset[str]:
    """Return what a folded word is known by, or nothing when it tells nothing."""
    base = lemma(word)
    stem = term(word)
    if not stem or word in common_words() or base in common_words() or (len(stem) < 2):
        return frozenset()
    sounds = {phonetic_key(word), phonetic_key(base)}
    return frozenset({f"c:{stem}", *(f"c:~{sound}" for sound in sounds if len(sound) >= _MIN_SOUND)})


def name_keys(name: str) -> frozenset[str]:
    """Return what a member's name is known by: each word of it that is no word of every talk, else all of it
    together."""
    words = [fold(word) for word in words_in(name)]
    telling = [word for word in words if common_words().isdisjoint((word, lemma(word))) and not word.isdecimal()]
    keys = {key for word in telling for key in _forms(word)}
    return frozenset(keys if telling else {_whole(words)} if len(words) > 1 else ())


def username_key(username: str) -> str:
    """Return what a username is known by."""
    return f"u:{username.casefold()}"


@lru_cache(maxsize=1_000)
def names_in(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what may be names in a text: the folded word (of what is more than a word ""), and its keys."""
    return tuple(_names_in(text))


def _names_in(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    plain = one_script(text)
    words = [(word, fold(word)) for word in list(words_in(plain))[:_MOST_READ]]
    for word, folded in words:
        certain = word[:1].isupper() or len(phonetic_key(folded)) >= _MIN_SOUND
        yield folded, _forms(folded) if certain else frozenset({f"w:{folded}"})
    for size in (2, 3, 4):
        for at in range(len(words) - size + 1):
            yield "", frozenset({_whole(folded for _, folded in words[at : at + size])})
    for match in _USERNAME.finditer(text):
        if match["at"] or _TELLING_USERNAME.search(match["name"]):
            yield match["name"].casefold(), frozenset({username_key(match["name"])})


def words_in(text: str) -> Iterator[str]:
    """Return the words of a text as they stand there."""
    return (match.group() for match in _WORD.finditer(unify_apostrophes(text)))


def _whole(words: Iterable[str]) -> str:
    return f"all:{' '.join(words)}"


@lru_cache(maxsize=50_000)
def _forms(word: str) -> frozenset[str]:
    """A folded word as a name: itself, its dictionary form, how they sound, whose short form it is, and whose is
    "Ярининій"."""
    bases = {word.removesuffix("'s"), lemma(word)}
    sounds = {phonetic_key(base) for base in bases} | {owner for base in bases if (owner := possessor_key(base))}
    families = {number for sound in sounds for number in families_of(sound)}
    return frozenset(
        {*(f"w:{base}" for base in bases), *(f"n:{sound}" for sound in sounds), *(f"f:{each}" for each in families)}
    )


ENOUGH, ENOUGH_OF_NAMESAKES = 2, 4
"""The least weight of erased words beside a name, and beside one that others bear, too."""

_FACT, _SAID = 2, 1
_MOST_WORDS = 160
"""Words of somebody's facts that are kept, and as many of their messages."""

_MOST_MARKS = 12_000
"""The marks of all forgotten members of a chat together: of more members fewer words each are kept, so that three
hundred of them take less than half of what a document may hold."""

_MARKS_PER_WORD = 3


class Living(NamedTuple):
    """Another member: what they are called, and what is known of them in their own words."""

    user_id: int
    names: Sequence[str]
    usernames: Sequence[str] = ()
    texts: Sequence[str] = ()


class Gone(NamedTuple):
    """A member who is being forgotten.

    Attributes:
        names: What they were called; also by those to whom they showed nothing but it.
        facts: Texts of what is known of them.
        said: What they said, the latest first; what they said of themselves counts as known.
    """

    user_id: int
    until: datetime
    names: Sequence[str]
    usernames: Sequence[str] = ()
    facts: Sequence[str] = ()
    said: Sequence[str] = ()


def erase_member(salt: str, gone: Gone, others: Iterable[Living], *, people: int) -> Erased:
    """A forgotten member in hashes.

    Args:
        others: Members who stay.
        people: How many were forgotten in the chat.
    """
    others = list(others)
    names, most = marks_of_names(salt, gone.names, gone.usernames), word_limit(people)
    called = names.union(*(marks_of_names(salt, each.names, each.usernames) for each in others))
    who = [id_key(gone.user_id), *(hidden_key(name_mark(name)) for name in gone.names)]
    person = Erased(
        gone.until,
        frozenset(mark(salt, key) for key in who),
        names,
        marks_of_words(salt, [*gone.facts, *filter(is_about_speaker, gone.said)], but=called, most=most),
        marks_of_words(salt, gone.said, but=called, most=most),
    )
    for each in others:
        person = with_namesake(salt, person, each)
    return person


def marks_of_names(salt: str, names: Iterable[str], usernames: Iterable[str] = ()) -> Marks:
    """Return the marks of what somebody is called."""
    keys = {key for name in names for key in name_keys(name)} | {username_key(each) for each in usernames}
    return frozenset(mark(salt, key) for key in keys)


def marks_of_words(salt: str, texts: Iterable[str], *, but: Marks = frozenset(), most: int = _MOST_WORDS) -> Marks:
    """Return the marks of the first telling words of texts, without names (`but`)."""
    found: dict[str, None] = {}
    kept = 0
    for text in texts:
        names = {word for word, keys in names_in(text) if word and not mark_all(salt, keys).isdisjoint(but)}
        for word in content_words(text):
            marks = mark_all(salt, word.keys)
            if kept < most and not marks <= found.keys() and word.word not in names:
                found |= dict.fromkeys(marks)
                kept += 1
    return frozenset(found)


def word_limit(people: int) -> int:
    """Words of facts that are kept of each of so many forgotten members, and as many of messages."""
    return max(8, min(_MOST_WORDS, _MOST_MARKS // (2 * _MARKS_PER_WORD * max(1, people))))


def with_namesake(salt: str, person: Erased, living: Living) -> Erased:
    """Return what is known of a forgotten member and, when another one is called so, too, of that one."""
    shared = marks_of_names(salt, living.names, living.usernames) & person.names
    who = mark(salt, id_key(living.user_id))
    if who in person.who or not (shared or who in person.namesakes):
        return person
    taken = _words(salt, living.texts) & (person.facts | person.said)
    return person._replace(
        namesakes=person.namesakes | {who}, shared=person.shared | shared, taken=person.taken | taken
    )


def notice(salt: str, person: Erased, message: Message) -> Erased:
    """Return what is known of a forgotten member after a message that tells of a namesake, or that they say anew."""
    if mark(salt, id_key(message.user_id)) in person.who:
        if message.sent_at <= person.until:
            return person
        return person._replace(taken=person.taken | _words(salt, [message.text]) & (person.facts | person.said))
    usernames = [message.username] if message.username else []
    return with_namesake(salt, person, Living(message.user_id, [message.name], usernames, [message.text]))


def retells(salt: str, person: Erased, message: Message, text: str) -> bool:
    """Return whether a message retells the member.

    Args:
        text: All that it holds in words.
    """
    by = mark(salt, id_key(message.user_id))
    about = {mark(salt, id_key(each)) for each in message.origin_ids}
    if by in person.who or by in person.namesakes or not about.isdisjoint(person.namesakes):
        return False
    own = marks_of_names(salt, [message.name], [message.username] if message.username else [])
    if message.user_id > 0 and not message.is_bot and not own.isdisjoint(person.names):
        return False
    if answers(salt, person, message):
        return weighs(salt, person, text) >= ENOUGH
    return retold_by(salt, person, text)


def retold_by(salt: str, person: Erased, text: str) -> bool:
    """Return whether a text that nobody said tells of a forgotten member."""
    named = [(word, hit) for word, keys in names_in(text) if (hit := mark_all(salt, keys) & person.names)]
    if not named:
        return False
    nobody_else = any(not hit <= person.shared for _, hit in named)
    # The words that are the name tell nothing beside it.
    weight = weighs(salt, person, text, but=frozenset(word for word, _ in named))
    return weight >= (ENOUGH if nobody_else else ENOUGH_OF_NAMESAKES)


def weighs(salt: str, person: Erased, text: str, *, but: frozenset[str] = frozenset()) -> int:
    """Return how much of what was erased of the member is in a text."""
    weight = 0
    for word in content_words(text):
        marks = mark_all(salt, word.keys)
        if word.word in but or not marks.isdisjoint(person.taken):
            continue
        if not marks.isdisjoint(person.facts):
            weight += _FACT if word.telling else _SAID
        elif word.telling and not marks.isdisjoint(person.said):
            weight += _SAID
    return weight


def _words(salt: str, texts: Iterable[str]) -> Marks:
    return frozenset(each for text in texts for word in content_words(text) for each in mark_all(salt, word.keys))


def mark_all(salt: str, keys: Iterable[str]) -> Marks:
    """Return the marks of keys."""
    return frozenset(mark(salt, key) for key in keys)
