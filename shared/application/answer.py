"""What is said in reply to an update, before it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.application.ports.chat import Outgoing, OutgoingText


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of an answer.

    Attributes:
        asks: What a reply to this message means (`asks` in the message's document; see `commands.replying`), or None.
            Ids and names of actions only, no words of people.
        private_to: The user into whose private chat it goes instead of the chat, or None.
        otherwise: Said in the chat when the private one is closed to the bot.
    """

    content: Outgoing
    asks: Mapping[str, Any] | None = None
    private_to: int | None = None
    otherwise: OutgoingText | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The pieces, in order; none when nothing is to be said.

    Attributes:
        given: The memories that the model was given (`provenance`), or None for what no memory made.
    """

    pieces: tuple[Piece, ...] = ()
    given: Mapping[str, Any] | None = None

    @classmethod
    def of(cls, *contents: Outgoing, given: Mapping[str, Any] | None = None) -> Answer:
        """Pieces that only say something."""
        return cls(tuple(Piece(content) for content in contents), given)


SILENCE = Answer()
"""Nothing is to be said."""
