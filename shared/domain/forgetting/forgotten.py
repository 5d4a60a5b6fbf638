"""Who was forgotten in a chat, and whether a message retells them.

A message retells somebody when their name and erased words stand together in it (or it answers a message of theirs that
was erased, with such words): the name alone and the words alone are anybody's. A word of a fact weighs two, one that
facts are only put with and a telling word of their messages one; two are enough. Where others bear the name, too, four
are, unless more of the name is given than is shared; what a namesake says, what answers them, and words that they say
of their own accord retell nobody. The member's own later words are new, and so are the words that they say then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.forgetting.erased import Erased, mark

_People = tuple[Erased, ...]


class Hearsay:
    """Who was forgotten in a chat; empty in most.

    It holds what is stored and reads it when first asked: who only stores messages need not.
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

    def said_then(self, message: Message) -> bool:
        """Return whether a message carries or answers what a forgotten member said before they were forgotten."""
        if not self._stored or not (message.origin_ids or message.origin_names):
            return False
        from shared.domain.forgetting.erased import answers

        return any(answers(salt, person, message) for salt, person in self._each())

    def hash_origins(self, message: Message) -> Message:
        """A message with hashes in the place of forgotten members whose words from before it answers."""
        if not self.said_then(message):
            return message
        from shared.domain.forgetting.erased import hash_origin

        for salt, person in self._each():
            message = hash_origin(salt, person, message)
        return message

    def retold_in(self, message: Message) -> bool:
        """Return whether a message retells a forgotten member."""
        text = "\n".join(part for part in (message.text, message.quote, message.media_text) if part)
        if not self._stored or not text:
            return False
        from shared.domain.forgetting.telling import retells

        return any(retells(salt, person, message, text) for salt, person in self._each())

    def retold_by(self, text: str) -> bool:
        """Return whether a text that nobody said, as an answer or a fact, retells a forgotten member."""
        if not self._stored or not text:
            return False
        from shared.domain.forgetting.telling import retold_by

        return any(retold_by(salt, person, text) for salt, person in self._each())

    def _each(self) -> Iterable[tuple[str, Erased]]:
        return ((salt, person) for salt, people in self._groups for person in people)

    def notice(self, messages: Sequence[Message]) -> Hearsay:
        """The same with what is heard of namesakes and said anew; equal when that is known."""
        if not self._stored:
            return self
        from shared.domain.forgetting.telling import notice

        def after(salt: str, person: Erased) -> Erased:
            for message in messages:
                person = notice(salt, person, message) if message.may_teach else person
            return person

        groups = tuple((salt, tuple(after(salt, person) for person in people)) for salt, people in self._groups)
        return self if groups == self._groups else _store_groups(groups)

    def with_erased(self, salt: str, erased: Erased, *, id_key: str) -> Hearsay:
        """The same with one more forgotten member, or one who is forgotten again: they are nobody's namesake any more.

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
