"""What a member is and was called, by everything that is stored of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shared.application.ports.store import Document


class MemberNames(NamedTuple):
    """The names and usernames (without "@") of one member, sorted."""

    names: tuple[str, ...] = ()
    usernames: tuple[str, ...] = ()

    @property
    def all(self) -> frozenset[str]:
        """Names and usernames alike."""
        return frozenset((*self.names, *self.usernames))


def names_in(documents: Iterable[Document | None]) -> MemberNames:
    """Gather what a member is called in their messages and in their member's document."""
    names, usernames = set[str](), set[str]()
    for document in documents:
        if document is not None:
            names.add(document.data.get("name") or "")
            usernames |= {document.data.get("username") or "", *document.data.get("usernames_seen", ())}
    return MemberNames(tuple(sorted(names - {""})), tuple(sorted(usernames - {""})))
