"""The forgotten members of a chat, and the check that finds messages that retell them.

A message retells somebody when their name and erased words stand together in it (or it answers a message of theirs that
was erased, with such words): the name alone and the words alone are anybody's. A word of a fact weighs two, one that
facts are only put with and a telling word of their messages one; two are enough. Where others bear the name, too, four
are, unless more of the name is given than is shared; what a namesake says, what answers them, and words that they say
of their own accord retell nobody. The member's own later words are new, and so are the words that they say then.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from shared.domain.conversation.messages import Message

_BYTES = 6
_LETTERS = 8

_MOST = 1_000
"""Marks of a kind of somebody who is forgotten again and again."""

Marks = frozenset[str]


@lru_cache(maxsize=200_000)
def mark(salt: str, key: str) -> str:
    """Hash of a key: eight URL-safe characters, of 48 bits."""
    digest = hashlib.blake2b(key.encode(), digest_size=_BYTES, key=salt.encode()[:64]).digest()
    return base64.urlsafe_b64encode(digest).decode()


class Erased(NamedTuple):
    """A forgotten member.

    Attributes:
        until: What they say later is new, and whoever retells that retells nothing erased.
        who: Marks of their id, and of their whole name if they hide the account when forwarded.
        names: Of what they were called: stems, short forms, usernames.
        facts: Of the words of their facts.
        said: Of telling words of their messages: these weigh half.
        namesakes: Of the ids of others who are called so, too.
        shared: Names among `names` that are those of namesakes.
        taken: Words among `facts` and `said` that a namesake says of their own accord, or the member says anew.
    """

    until: datetime
    who: Marks
    names: Marks = frozenset()
    facts: Marks = frozenset()
    said: Marks = frozenset()
    namesakes: Marks = frozenset()
    shared: Marks = frozenset()
    taken: Marks = frozenset()

    def fields(self) -> dict[str, Any]:
        """Return the fields as stored."""
        return {"until": self.until} | {name: "".join(sorted(getattr(self, name))) for name in _SETS}

    @staticmethod
    def of(fields: Mapping[str, Any]) -> Erased:
        """Return the member whose fields are stored."""
        return Erased(fields["until"], **{name: _unpack_marks(fields.get(name, "")) for name in _SETS})

    def merge(self, other: Erased) -> Erased:
        """Join what is known of a member who was forgotten twice, or under two ids of a chat:
        what holds for either holds."""
        both = {name: getattr(self, name) | getattr(other, name) for name in _SETS}
        # What was said anew since the first time is erased by the second.
        later = max(self, other, key=lambda each: each.until)
        both |= {name: frozenset(sorted(both[name])[:_MOST]) for name in ("facts", "said", "taken")}
        taken = both["taken"] - (later.facts | later.said) if self.until != other.until else both["taken"]
        return Erased(later.until, **{**both, "taken": taken})

    def without_namesake(self, who: str) -> Erased:
        """Return what is left when somebody of the same name was forgotten themselves."""
        left = self.namesakes - {who}
        return self._replace(namesakes=left) if left else self._replace(namesakes=left, shared=left, taken=left)


_SETS = tuple(name for name in Erased._fields if name != "until")


def _unpack_marks(text: str) -> Marks:
    return frozenset(text[at : at + _LETTERS] for at in range(0, len(text), _LETTERS))


_HASHED = "="
"""Stands before a hash among the names that a message keeps."""


def answers(salt: str, person: Erased, message: Message) -> bool:
    """Return whether a message carries or answers what the member said before they were forgotten."""
    return bool(_their_words(salt, person, message))


def hash_origin(salt: str, person: Erased, message: Message) -> Message:
    """A message that answers what the member said then, with a hash in the place of who they are."""
    theirs = _their_words(salt, person, message)
    if not theirs:
        return message
    ids = tuple(each for each in message.origin_ids if mark(salt, id_key(each)) not in theirs)
    names = (each for each in message.origin_names if mark(salt, hidden_key(each)) not in theirs)
    kept = {*names, *(f"{_HASHED}{each}" for each in theirs)}
    return replace(message, origin_ids=ids, origin_names=tuple(sorted(kept)))


def _their_words(salt: str, person: Erased, message: Message) -> frozenset[str]:
    if message.origin_at is not None and message.origin_at > person.until:
        return frozenset()
    known = {mark(salt, id_key(each)) for each in message.origin_ids}
    known |= {mark(salt, hidden_key(each)) for each in message.origin_names}
    known |= {each.removeprefix(_HASHED) for each in message.origin_names if each.startswith(_HASHED)}
    return person.who & known


def id_key(user_id: int) -> str:
    """Return what an id is known by."""
    return f"i:{user_id}"


def hidden_key(name: str) -> str:
    """Return what the mark of a whole name (`messages.name_mark`) is known by."""
    return f"h:{name}"


_People = tuple[Erased, ...]


class Hearsay:
    """The forgotten members of a chat; empty in most chats.

    It holds what is stored and reads it when first asked: code that only stores messages need not read it.
    """

    def __init__(self, stored: Iterable[Mapping[str, Any]] = ()) -> None:
        self._stored = tuple(stored)

    def __bool__(self) -> bool:
        return bool(self._stored)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hearsay) and self._stored == other._stored

    def __hash__(self) -> int:
        return hash(len(self._stored))

    def fields(self) -> list[dict[str, Any]]:
        """Return the forgotten members of each salt, as stored; a group that became a supergroup may have two."""
        return [dict(group) for group in self._stored]

    @cached_property
    def _groups(self) -> tuple[tuple[str, _People], ...]:
        return tuple((group["salt"], tuple(map(Erased.of, group["people"]))) for group in self._stored)

    @property
    def salt(self) -> str | None:
        """Return the salt of new hashes, or None where nobody was forgotten."""
        return self._groups[0][0] if self._stored else None

    @property
    def people(self) -> int:
        """Return how many were forgotten."""
        return sum(len(people) for _, people in self._groups)

    def of(self, id_key: str) -> Hearsay:
        """One of them alone, by what their id is known by."""
        groups = (
            (salt, tuple(person for person in people if mark(salt, id_key) in person.who))
            for salt, people in self._groups
        )
        return _store_groups([(salt, people) for salt, people in groups if people])

    def is_said_then(self, message: Message) -> bool:
        """Return whether a message carries or answers what a forgotten member said before they were forgotten."""
        if not self._stored or not (message.origin_ids or message.origin_names):
            return False
        return any(answers(salt, person, message) for salt, person in self._map())

    def hash_origins(self, message: Message) -> Message:
        """A message with hashes in the place of forgotten members whose words from before it answers."""
        if not self.is_said_then(message):
            return message
        for salt, person in self._map():
            message = hash_origin(salt, person, message)
        return message

    def retold_in(self, message: Message) -> bool:
        """Return whether a message retells a forgotten member."""
        text = "\n".join(part for part in (message.text, message.quote, message.media_text) if part)
        if not self._stored or not text:
            return False
        from shared.domain.forgetting.telling import retells

        return any(retells(salt, person, message, text) for salt, person in self._map())

    def is_called_in(self, text: str, *, by: int | None = None) -> bool:
        """Return whether a text, maybe said `by` somebody, does little more than call another, forgotten member."""
        if not self._stored or not text:
            return False
        from shared.domain.forgetting.calling import calls

        said_by = None if by is None else id_key(by)
        people = ((salt, one) for salt, one in self._map() if said_by is None or mark(salt, said_by) not in one.who)
        return any(calls(salt, one, text) for salt, one in people)

    def without_calls(self, text: str) -> str:
        """A text without the lines, also those that quote somebody, that only call a forgotten member."""
        if not self._stored:
            return text
        return "\n".join(line for line in text.split("\n") if not self.is_called_in(line.rpartition('": "')[2]))

    def retold_by(self, text: str) -> bool:
        """Return whether a text that nobody said, as an answer or a fact, retells a forgotten member."""
        if not self._stored or not text:
            return False
        from shared.domain.forgetting.telling import retold_by

        return any(retold_by(salt, person, text) for salt, person in self._map())

    def _map(self) -> Iterable[tuple[str, Erased]]:
        return ((salt, person) for salt, people in self._groups for person in people)

    def notice(self, messages: Sequence[Message]) -> Hearsay:
        """Take up what is heard of namesakes and said anew; return an equal one when that is known."""
        if not self._stored:
            return self
        from shared.domain.forgetting.telling import notice

        def notice_all(salt: str, person: Erased) -> Erased:
            for message in messages:
                person = notice(salt, person, message) if message.may_teach else person
            return person

        groups = tuple((salt, tuple(notice_all(salt, person) for person in people)) for salt, people in self._groups)
        return self if groups == self._groups else _store_groups(groups)

    def with_erased(self, salt: str, erased: Erased, *, id_key: str) -> Hearsay:
        """Take up one more forgotten member, or one who is forgotten again: they are nobody's namesake any more.

        Args:
            salt: By which `erased` was hashed: the chat's, or a new one where there is none.
            id_key: What their id is known by.
        """
        groups = dict(self._groups) or {salt: ()}
        for each, people in groups.items():
            groups[each] = tuple(person.without_namesake(mark(each, id_key)) for person in people)
        same = [person for person in groups[salt] if not person.who.isdisjoint(erased.who)]
        for person in same:
            erased = person.merge(erased)
        groups[salt] = (*(person for person in groups[salt] if person not in same), erased)
        return _store_groups(groups.items())

    def join(self, other: Hearsay) -> Hearsay:
        """Those of both, as when a group became a supergroup that had its own."""
        salts = {salt for salt, _ in self._groups}
        return Hearsay([*self._stored, *(group for group in other.fields() if group["salt"] not in salts)])


def _store_groups(groups: Iterable[tuple[str, _People]]) -> Hearsay:
    return Hearsay([{"salt": salt, "people": [person.fields() for person in people]} for salt, people in groups])
