"""Whom a word names, in any case form or script, and names in stored texts: marked with whom each means.

«{{102|Андрієві}} дав {{101,102|Андрій}}» is what is stored; of a name that two members bear both are kept. It is told
with the labels of today: who has another name is called by it, who is not there any more is "somebody". Nothing typed
can look like a mark: of two braces in a row the second stands apart.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from shared.domain.people.labels import Identity, families_of
from shared.domain.text.data_files import common_words, stop_words
from shared.domain.text.language import fold, is_known, lemma, unify_apostrophes
from shared.domain.text.names import is_cyrillic, phonetic_key, possessor_key

MIN_NAME, MIN_CUT = 2, 3
"""Letters of a name, and of one that is cut short."""

NAME_WORD = re.compile(r"@?[^\W_][\w'-]*")
_USERNAME = re.compile(r"([a-z]{4,})[\d_]+\w*$")
_VOWELS = re.compile(r"(?<=..)[aeiou]+$")
_MARK = re.compile(r"\{\{(?P<ids>(?:-?\d+(?:,-?\d+)*)?)\|(?P<form>[^{}|]*)\}\}")
_WORD = re.compile(rf'\\u[0-9a-f]{{4}}|\\[\\"]|(?P<word>{NAME_WORD.pattern})')  # excerpts are JSON strings
_APART = re.compile(r" \(.*|#\d+$")  # what tells namesakes apart in a label
_OPENS = re.compile(r"(?:^|[.!?…\n])[\W_]*$")
_NEAR = 12  # characters before a word that show whether it opens a sentence
_Found = tuple[int, int, frozenset[int]]

Called = Mapping[int, tuple[str, ...]]
"""What members are called, by user id."""


class NameBook(NamedTuple):
    """Who is called what: by the folded name, by its bare sound, by its first letters, by what it is short for, by how
    the first word of a username sounds ("shurup_pl": "Шуруп"), and by the bare sound of an alias."""

    exact: dict[str, list[int]]
    by_sound: dict[str, list[tuple[str, int]]]
    begins: dict[str, list[tuple[str, int]]]
    families: dict[int, list[int]]
    usernames: dict[str, list[int]]
    aliases: Mapping[str, set[int]] = MappingProxyType({})

    def whom(self, folded: str) -> frozenset[int]:
        """Return whom a folded word can mean: whose name it is, else whose alias, else whose short or full name."""
        if folded.startswith("@"):
            return frozenset(self.exact.get(folded[1:], ()))
        if len(folded) < MIN_NAME:
            return frozenset()
        alike, is_declined = self.by_sound.get(name_key(folded), ()), is_cyrillic(folded)
        users = {*self.exact.get(folded, ()), *(user for name, user in alike if is_declined or is_cyrillic(name))}
        return frozenset(users or self.aliases.get(name_key(folded)) or self._by_short_name(folded))

    def find_meant(self, form: str) -> frozenset[int]:
        """Return whom all words of a form can mean."""
        words = [self.whom(fold(word)) for word in NAME_WORD.findall(unify_apostrophes(form))]
        return words[0].intersection(*words) if words else frozenset()

    def _by_short_name(self, folded: str) -> set[int]:
        """Return whom a short form of a name means, or a possessive made of a name."""
        owner = possessor_key(folded) if is_cyrillic(folded) else None
        users = {user for _, user in self.by_sound.get(_bare(owner), ())} if owner else set[int]()
        families = families_of(phonetic_key(folded)) or families_of(owner or "")
        return users or {user for family in families for user in self.families.get(family, ())}


def name_book(names: Called, aliases: Called = MappingProxyType({})) -> NameBook:
    """Return who is called what.

    Args:
        names: Names and usernames; not changed afterwards, for they are indexed once.
        aliases: What else they are called; it means them where it is nobody's name.
    """
    by_alias: dict[str, set[int]] = {}
    for user, called in aliases.items():
        for name in _single_names(called):
            by_alias.setdefault(name_key(name), set()).add(user)
    return _index_names(_Same(names))._replace(aliases=by_alias)


@lru_cache(maxsize=50_000)
def name_key(folded: str) -> str:
    """Return how a folded name sounds without its case ending, also one in "-ій": "андрієві" is "андрій"."""
    return _bare(phonetic_key(folded))


def _bare(sound: str) -> str:
    return _VOWELS.sub("", sound)


def bearing_names(called: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of names that name their bearer: of "Анна з Києва" the first, of "Мама Олі" the last."""
    return tuple(word for name in called for word in _pick_bearing(NAME_WORD.findall(unify_apostrophes(name))))


def _pick_bearing(words: list[str]) -> list[str]:
    whole = next((at for at, word in enumerate(words) if at and fold(word) in stop_words()), len(words))
    return [word for word in words[:whole] if fold(word) not in common_words()] or words[:1]


class _Same:
    """A mapping as the key of a cache: equal to itself alone. A corpus does not change, so its names do not."""

    def __init__(self, names: Called) -> None:
        self.names = names

    def __hash__(self) -> int:
        return id(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.names is other.names


@lru_cache(maxsize=64)
def _index_names(same: _Same) -> NameBook:
    book = NameBook({}, {}, {}, {}, {})
    for user, called in same.names.items():
        for name in _single_names(called):
            book.exact.setdefault(name, []).append(user)
            book.by_sound.setdefault(name_key(name), []).append((name, user))
            book.begins.setdefault(name[:MIN_CUT], []).append((name, user))
            for family in families_of(phonetic_key(name)):
                book.families.setdefault(family, []).append(user)
            if begun := _USERNAME.match(name):
                book.usernames.setdefault(name_key(begun[1]), []).append(user)
    return book


@lru_cache(maxsize=20_000)
def _single_names(called: tuple[str, ...]) -> tuple[str, ...]:
    """Each word of the names, folded."""
    words = dict.fromkeys(fold(word) for name in called for word in [name, *NAME_WORD.findall(unify_apostrophes(name))])
    return tuple(word for word in words if len(word) >= MIN_NAME and " " not in word)


def mark_names(text: str, book: NameBook, *, here: Collection[int] = ()) -> str:
    """Return a text with every name of a member marked; no braces in it are marks.

    Args:
        here: Whose words it tells; of namesakes they are meant.
    """
    text = re.sub(r"\{(?=\{)", "{ ", text)
    for start, end, who in reversed(list(_find_names(text, book))):
        ids = ",".join(map(str, sorted(who.intersection(here) or who)))
        text = f"{text[:start]}{{{{{ids}|{text[start:end]}}}}}{text[end:]}"
    return text


def plain_names(text: str) -> str:
    """Return a text with the names as they were written, without marks."""
    return _MARK.sub(lambda mark: mark["form"] if mark["ids"] else _somebody(text), text) if "{{" in text else text


def people_marked(*texts: str) -> frozenset[int]:
    """Return whom the names in texts may mean."""
    return frozenset(each for text in texts if "{{" in text for mark in _MARK.finditer(text) for each in _ids(mark))


def unname(text: str, user_id: int) -> str:
    """Return a text in which no name may mean somebody any more: what they were called is gone from it."""
    return _MARK.sub(lambda mark: "{{|}}" if user_id in _ids(mark) else mark.group(), text)


class Naming(NamedTuple):
    """What people are called today.

    Attributes:
        people, labels: Who may be named, namesakes among them; who is not there is somebody.
        book: By which of their names of today they are found.
    """

    people: Mapping[int, Identity]
    labels: Mapping[int, str]
    book: NameBook

    @classmethod
    def of(cls, people: Mapping[int, Identity], labels: Mapping[int, str]) -> Naming:
        """Return what these people are called, by their labels."""
        usernames = {user_id: (each.username,) for user_id, each in people.items() if each.username}
        names = {each: (_APART.sub("", label), *usernames.get(each, ())) for each, label in labels.items()}
        aliases = {user_id: tuple(each.aliases) for user_id, each in people.items()}
        return cls(people, labels, name_book(names, aliases))

    def tell(self, text: str) -> str:
        """Return a stored text as it is told today."""
        return _MARK.sub(lambda mark: self._tell(mark) or _somebody(text), text) if "{{" in text else text

    def _tell(self, mark: re.Match[str]) -> str:
        """Return the form as it stands where it still means them and nobody else, else their label; "" for nobody."""
        ids, form = _ids(mark), mark["form"]
        if not ids or not self.labels.keys() >= {*ids}:
            return ""
        called = self.book.find_meant(form)
        if called.intersection(ids) and (len(called) == 1 or len(ids) > 1):
            return form
        labels = [self.labels[each] for each in ids]
        name = _APART.sub("", labels[0])
        if called.intersection(ids) and form.count(" ") == name.count(" "):
            return f"{form}{labels[0].removeprefix(name)}"
        return " / ".join(labels)


def _find_names(text: str, book: NameBook) -> Iterator[_Found]:
    """Yield where each name begins and ends, and whom it may mean; words that mean one together are one name."""
    last: _Found | None = None
    for match in _WORD.finditer(unify_apostrophes(text)):
        word, start = (match["word"] or "").rstrip("-'").removesuffix("'s"), match.start()
        who = book.whom(fold(word)) if word and _may_name(word, text[max(0, start - _NEAR) : start]) else frozenset()
        if last and who & last[2] and text[last[1] : start] == " ":
            last = (last[0], start + len(word), who & last[2])
            continue
        if last:
            yield last
        last = (start, start + len(word), who) if who else None
    if last:
        yield last


def _may_name(word: str, before: str) -> bool:
    """Return whether a word may be a name: a capital letter, or letters that are no other word, make it one."""
    folded = fold(word)
    if word.startswith("@"):
        return True
    if word[0].isupper():
        return folded not in stop_words() and not (folded in common_words() and _OPENS.search(before))
    return folded not in common_words() and _is_no_other_word(folded)


def _is_no_other_word(folded: str) -> bool:
    import simplemma

    base = str(simplemma.lemmatize(folded, lang="uk" if is_cyrillic(folded) else "en"))
    return base[:1].isupper() or (lemma(folded) == folded and not is_known(folded) and is_cyrillic(folded))


def _ids(mark: re.Match[str]) -> list[int]:
    return [int(each) for each in mark["ids"].split(",") if each]


def _somebody(text: str) -> str:
    return "хтось" if is_cyrillic(text) else "somebody"
