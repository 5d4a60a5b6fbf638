"""The people whom a word names, in any case form or script, and names in stored texts: marked with whom each means.

«{{102|Андрієві}} дав {{101,102|Андрій}}» is what is stored; of a name that two members bear both are kept. It is told
with the labels of today: a renamed person goes by the new name, one who is gone is "somebody". Nothing typed can look
like a mark: of two braces in a row the second stands apart.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice, takewhile
from types import MappingProxyType

from shared.domain.people.labels import Identity, families_of
from shared.domain.text.data_files import common_words, stop_words
from shared.domain.text.language import fold, is_known, lemma, unify_apostrophes
from shared.domain.text.names import is_cyrillic, phonetic_key, possessor_key

MIN_NAME = 2
NAME_WORD = re.compile(r"@?[^\W_][\w'-]*")
_USERNAME = re.compile(r"([a-z]{4,})[\d_]+\w*$")
_VOWELS = re.compile(r"(?<=..)[aeiou]+$")
_MARK = re.compile(r"\{\{(?P<ids>(?:-?\d+(?:,-?\d+)*)?)\|(?P<form>[^{}|]*)\}\}")
_WORD = re.compile(rf'\\u[0-9a-f]{{4}}|\\[\\"]|(?P<word>{NAME_WORD.pattern})')  # excerpts are JSON strings
_APART = re.compile(r" \(.*|#\d+$")  # what tells namesakes apart in a label
_OPENS = re.compile(r"(?:^|[.!?…\n])[\W_]*$")
_NEAR = 12  # characters before a word that show whether it opens a sentence

Called = Mapping[int, tuple[str, ...]]
"""The names of members, by user id."""

_Items = Iterable[tuple[int, tuple[str, ...]]]


class NameBook:
    """Finds who is called what: by names as they are written and as they sound, by what they are short for, by aliases,
    and by how the first word of a username sounds ("shurup_pl": "Шуруп")."""

    def __init__(self, names: _Items, aliases: _Items) -> None:
        self._users: defaultdict[tuple[str, str | int], set[int]] = defaultdict(set)
        for user, name in _single_names(aliases):
            self._users["alias", name_key(name)].add(user)
        for user, name in _single_names(names):
            self._users["name", name].add(user)
            self._users["sound", name_key(name)].add(user)
            if is_cyrillic(name):
                self._users["declined", name_key(name)].add(user)
            for family in families_of(phonetic_key(name)):
                self._users["family", family].add(user)
            if begun := _USERNAME.match(name):
                self._users["username", name_key(begun[1])].add(user)
        self._names = sorted(str(name) for kind, name in self._users if kind == "name")

    def members_named(self, folded: str) -> frozenset[int]:
        """Return whom a folded word can mean: whose name it is, else whose alias, else of whose name it is a possessive
        or a short form."""
        if folded.startswith("@") or len(folded) < MIN_NAME:
            return self._find(("name", folded[1:]))
        key, owner = name_key(folded), (is_cyrillic(folded) and possessor_key(folded)) or " "
        return (
            self._find(("name", folded), ("sound" if is_cyrillic(folded) else "declined", key))
            or self._find(("alias", key))
            or self._find(("sound", _VOWELS.sub("", owner)))
            or self._find(*(("family", each) for each in families_of(phonetic_key(folded)) or families_of(owner)))
        )

    def guess(self, folded: str, *, is_cut: bool) -> frozenset[int]:
        """Return whose username begins with a word that sounds so, else whose name is cut short to it."""
        begun = islice(self._names, bisect_left(self._names, folded), None) if is_cut else ()
        cut = takewhile(lambda name: name.startswith(folded), begun)
        return self._find(("username", name_key(folded))) or self._find(*(("name", name) for name in cut))

    def _find(self, *keys: tuple[str, str | int]) -> frozenset[int]:
        return frozenset(user for key in keys for user in self._users.get(key, ()))


def name_book(names: Called, aliases: Called = MappingProxyType({})) -> NameBook:
    """Return who is called what.

    Args:
        names: Names and usernames; not changed afterwards, for they are indexed once.
        aliases: What else they are called; it means them where it is nobody's name.
    """
    return _index_names(_Same(names), tuple(aliases.items()))


def bearing_book(names: Called, aliases: Called = MappingProxyType({})) -> NameBook:
    """Return who is called what, by those words of their names alone that name them (`bearing_names`): of what is told,
    not of what is asked. Arguments as of `name_book`."""
    return name_book(_bearing_names(_Same(names)), aliases)


class _Same:
    """A mapping as the key of a cache: equal to itself alone. A corpus does not change, so its names do not."""

    def __init__(self, names: Called) -> None:
        self.names = names

    def __hash__(self) -> int:
        return id(self.names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.names is other.names


@lru_cache(maxsize=64)
def _bearing_names(same: _Same) -> Called:
    return {user: tuple(chain(*map(bearing_names, called))) for user, called in same.names.items()}


@lru_cache(maxsize=64)
def _index_names(same: _Same, aliases: tuple[tuple[int, tuple[str, ...]], ...]) -> NameBook:
    return NameBook(same.names.items(), aliases)


@lru_cache(maxsize=50_000)
def name_key(folded: str) -> str:
    """Return how a folded name sounds without its case ending, also one in "-ій": "андрієві" is "андрій"."""
    return _VOWELS.sub("", phonetic_key(folded))


def bearing_names(name: str) -> list[str]:
    """Return the words of a name that name its bearer: of "Анна з Києва" the first, of "Мама Олі" the last."""
    first, *more = NAME_WORD.findall(unify_apostrophes(name)) or [name]
    words = [first, *takewhile(lambda word: fold(word) not in stop_words(), more)]
    return [word for word in words if fold(word) not in common_words()] or [first]


def _single_names(called: _Items) -> Iterator[tuple[int, str]]:
    """Yield each word of the names, folded, with whose it is."""
    for user, names in called:
        words = (fold(word) for name in names for word in [name, *NAME_WORD.findall(unify_apostrophes(name))])
        yield from ((user, word) for word in words if len(word) >= MIN_NAME and " " not in word)


def mark_names(text: str, book: NameBook) -> str:
    """Return a text with every name of a member marked; no braces in it are marks. Words that mean one together are one
    name. Of those who bear it, or bore it for a day, all are kept: who of them spoke is not who is spoken of.
    """
    text, found = re.sub(r"\{(?=\{)", "{ ", text), list[tuple[int, int, frozenset[int]]]()
    for match in _WORD.finditer(unify_apostrophes(text)):
        word, start = (match["word"] or "").rstrip("-'").removesuffix("'s"), match.start()
        who, end = book.members_named(fold(word)), start + len(word)
        if who and _may_name(word, text[max(0, start - _NEAR) : start]):
            begun, ended, same = found[-1] if found else (0, 0, who)
            if found and who & same and text[ended:start] == " ":
                found[-1] = (begun, end, who & same)
            else:
                found.append((start, end, who))
    for start, end, who in reversed(found):
        ids = ",".join(map(str, sorted(who)))
        text = f"{text[:start]}{{{{{ids}|{text[start:end]}}}}}{text[end:]}"
    return text


def without_names(text: str, book: NameBook) -> str:
    """Return the words of a text that are nobody's name, username or nickname."""
    return " ".join(word for word in NAME_WORD.findall(unify_apostrophes(text)) if not book.members_named(fold(word)))


def plain_names(text: str) -> str:
    """Return a text with the names as they were written, without marks."""
    return _MARK.sub(lambda mark: mark["form"] if mark["ids"] else _somebody(text), text)


def people_marked(*texts: str) -> frozenset[int]:
    """Return whom the names in texts may mean."""
    return frozenset(each for text in texts for mark in _MARK.finditer(text) for each in _ids(mark))


def unname(text: str, user_id: int) -> str:
    """Return a text in which no name may mean somebody any more: what they were called is gone from it."""
    return _MARK.sub(lambda mark: "{{|}}" if user_id in _ids(mark) else mark.group(), text)


def call_today(people: Mapping[int, Identity], labels: Mapping[int, str]) -> Callable[[str], str]:
    """Return what tells a stored text as these people, namesakes among them, are called today.

    A form stays where it still means them and nobody else; what tells namesakes apart is added to one that still means
    them among others; else they are called by their label. Who is not among these people is somebody.
    """
    usernames = {user_id: each.username or "" for user_id, each in people.items()}
    names = {each: (_APART.sub("", label), usernames.get(each, "")) for each, label in labels.items()}
    book = NameBook(names.items(), ((user_id, tuple(each.aliases)) for user_id, each in people.items()))

    def tell(mark: re.Match[str]) -> str:
        ids, form = _ids(mark), mark["form"]
        if not ids or not labels.keys() >= {*ids}:
            return _somebody(mark.string)
        words = NAME_WORD.findall(unify_apostrophes(form)) or [form]
        called, name = frozenset.intersection(*(book.members_named(fold(word)) for word in words)), names[ids[0]][0]
        if called.intersection(ids) and (len(called) == 1 or len(ids) > 1):
            return form
        if called.intersection(ids) and form.count(" ") == name.count(" "):
            return f"{form}{labels[ids[0]].removeprefix(name)}"
        return " / ".join(labels[each] for each in ids)

    return lambda text: _MARK.sub(tell, text)


def _may_name(word: str, before: str) -> bool:
    """Return whether a word may be a name: a capital letter, or letters that are no other word, make it one."""
    folded, is_capital = fold(word), word[0].isupper()
    if word.startswith("@") or is_capital or folded in common_words():
        is_word = folded in stop_words() or (folded in common_words() and _OPENS.search(before))
        return word.startswith("@") or (is_capital and not is_word)
    import simplemma

    base = str(simplemma.lemmatize(folded, lang="uk" if is_cyrillic(folded) else "en"))
    return base[:1].isupper() or (lemma(folded) == folded and not is_known(folded) and is_cyrillic(folded))


def _ids(mark: re.Match[str]) -> list[int]:
    return [int(each) for each in mark["ids"].split(",") if each]


def _somebody(text: str) -> str:
    return "хтось" if is_cyrillic(text) else "somebody"
