"""Who listens to a talk, and what they already know of it."""

from __future__ import annotations

from dataclasses import dataclass

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is listening, and what was already said.

    Attributes:
        bot_names: Names under which the bot is addressed.
        told: What bots said before this message: repeating it teaches nothing.
        admins: Members whose word makes a rule.
        consensus: Members, the proposer among them, whose agreement makes one, too (law 5).
    """

    bot_names: tuple[str, ...]
    told: tuple[str, ...]
    admins: frozenset[int]
    consensus: int = CONSENSUS_MEMBERS

    def is_admin(self, message: Message) -> bool:
        """Return whether the author may lay down rules."""
        return message.is_by_admin(self.admins)
