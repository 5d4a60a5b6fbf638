"""What a member is and was called, by everything that is stored of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shared.application.people.member_codec import StoredMember
from shared.domain.conversation.messages import Message


class MemberNames(NamedTuple):
    """The names and usernames (without "@") of one member, sorted."""

    names: tuple[str, ...] = ()
    usernames: tuple[str, ...] = ()

    @property
    def all(self) -> frozenset[str]:
        """Names and usernames alike."""
        return frozenset((*self.names, *self.usernames))


def names_in(said: Iterable[Message], member: StoredMember | None) -> MemberNames:
    """Gather what a member is called in their messages and in their own document."""
    named: list[Message | StoredMember] = [*said, *([] if member is None else [member])]
    usernames = {each.username for each in named} | set(() if member is None else member.usernames_seen)
    return MemberNames(
        tuple(sorted({each.name for each in named if each.name})), tuple(sorted(name for name in usernames if name))
    )
