"""The talk as turns for the model, in one format or the other, and what each message of it costs."""

from collections.abc import Collection, Mapping, Sequence
from datetime import tzinfo
from typing import Literal

from shared.domain.answering.context.compact import END, message_line, moment_lines, talk_lines
from shared.domain.answering.context.material import ShownTurn
from shared.domain.answering.context.meta_parts import parts
from shared.domain.conversation.messages import Message
from shared.domain.spending.tokens import estimate_tokens, tokens_of_lines

TURN_TOKENS = 5
"""The cost of the role and the ends of a turn besides its parts (chat template of the model's family)."""

_DATED = tokens_of_lines(["[2026-12-31 23:59]"])


class CompactRenderer:
    """All of the talk in one turn of the user, as lines.

    Args:
        by_id: Messages that may have been replied to.
        cited: Ids of the messages that may be cited.
    """

    def __init__(
        self, handles: Mapping[int, str], by_id: Mapping[int, Message], zone: tzinfo, cited: Collection[int]
    ) -> None:
        self._handles, self._by_id, self._zone, self._cited = handles, by_id, zone, cited

    def cost(self, message: Message, newer: Message | None) -> int:
        """Tokens of showing a message before `newer`, the next one shown; None for the last.

        One line, and the one that tells the time after a silence; the last also pays for the day and the end.
        """
        line = message_line(message, self._handles, self._by_id, cited=message.message_id in self._cited)
        last = TURN_TOKENS + _DATED + tokens_of_lines([END]) if newer is None else 0
        return last + tokens_of_lines([line, *moment_lines(message, newer, self._zone)])

    def turns(self, messages: Sequence[Message], tail: str) -> tuple[ShownTurn, ...]:
        """The messages, oldest first, the question last, and what stands after it: one turn of two parts."""
        lines = talk_lines(messages, self._handles, self._zone, known=self._by_id, cited=self._cited)
        return (ShownTurn("user", ("\n".join(lines), f"{tail}\n{END}")),)


class MetaRenderer:
    """A turn a message, its meta part first."""

    def __init__(self, by_id: Mapping[int, Message], bot_id: int) -> None:
        self._by_id, self._bot_id = by_id, bot_id

    def cost(self, message: Message, newer: Message | None) -> int:
        """Tokens of both parts and the turn around them; `newer` as of `CompactRenderer`."""
        both = sum(estimate_tokens(part) for part in parts(message, self._by_id))
        return both + TURN_TOKENS + (tokens_of_lines([END]) if newer is None else 0)

    def turns(self, messages: Sequence[Message], tail: str) -> tuple[ShownTurn, ...]:
        """Return as many turns as messages; what stands after the question is a part of its turn."""
        shown = [ShownTurn(self._role(message), parts(message, self._by_id)) for message in messages]
        role, said_last = shown.pop()
        return (*shown, ShownTurn(role, (*said_last, f"{tail}\n{END}")))

    def _role(self, message: Message) -> Literal["user", "model"]:
        return "model" if message.is_bot and message.user_id == self._bot_id else "user"


Renderer = CompactRenderer | MetaRenderer
"""One format."""
