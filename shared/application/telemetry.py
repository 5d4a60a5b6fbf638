"""Telemetry of one update, task or job: gathered while it is dealt with, written as one log line at its end.

Only kinds, counts and times: nothing that anybody said or is called. A chat is noted by its id, and the log holds a
keyed hash of it: `infra.observability` writes the lines. Where nothing gathers (a command line) noting is nothing.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal

from shared.domain.errors import ModelRefused, OverBudget, SpomynError

if TYPE_CHECKING:  # not for the webhook's start
    from shared.application.ports.model import TokenUsage

EVENTS = logging.getLogger("spomyn")
"""Lines that metrics and alerts are built on: each has an `event`, and they are written at every `LOG_LEVEL`."""

Event = Literal[
    "update", "task", "job", "answer", "dead_letter", "model_error", "health", "webhook_status"
]  # fmt: skip


class Handling:
    """A record of what one update, task or job is about and has cost so far.

    Attributes:
        chat_id: The chat that it is about; None for none, or for all.
        calls: Calls of the language model.
        tokens_in: Tokens that it read, those from its cache too.
        tokens_out: Tokens that it wrote.
        microdollars: What that cost, in millionths of a dollar.
    """

    __slots__ = ("calls", "chat_id", "microdollars", "tokens_in", "tokens_out")

    def __init__(self) -> None:
        self.chat_id: int | None = None
        self.calls = self.tokens_in = self.tokens_out = self.microdollars = 0

    def totals(self) -> dict[str, float]:
        """`calls`, `tokens_in`, `tokens_out` and `cost_usd` (dollars); empty when no model was called."""
        if not self.calls:
            return {}
        counts = {"calls": self.calls, "tokens_in": self.tokens_in, "tokens_out": self.tokens_out}
        return {**counts, "cost_usd": self.microdollars / 1_000_000}


_current: ContextVar[Handling | None] = ContextVar("handling", default=None)


@contextlib.contextmanager
def handling() -> Iterator[Handling]:
    """Gather what is noted inside, also in tasks that are started there."""
    gathered = Handling()
    token = _current.set(gathered)
    try:
        yield gathered
    finally:
        _current.reset(token)


def chat_at_hand() -> int | None:
    """The chat that what is dealt with now is about."""
    gathered = _current.get()
    return None if gathered is None else gathered.chat_id


def note_chat(chat_id: int | None) -> None:
    """Note which chat it is about."""
    if (gathered := _current.get()) is not None:
        gathered.chat_id = chat_id


def note_usage(usage: TokenUsage, microdollars: int) -> None:
    """Add one call of the language model, and what it cost."""
    if (gathered := _current.get()) is not None:
        gathered.calls += 1
        gathered.tokens_in += usage.input
        gathered.tokens_out += usage.output
        gathered.microdollars += microdollars


def tell(
    event: Event,
    outcome: str,
    fields: Mapping[str, object] | None = None,
    *,
    level: int = logging.INFO,
    error: BaseException | None = None,
    words: str = "",
    chat_id: int | str | None = None,
) -> None:
    """Write one line that metrics can be built on.

    Args:
        outcome: What became of it: a word from a short list.
        fields: JSON-like values that hold nothing of anybody's; None is left out.
        error: In a deployed function's log its kind is written and not its words.
        words: The same for people, which may quote what somebody said: only a terminal shows them.
        chat_id: The chat, when it is another than the one that was noted.
    """
    given = {name: value for name, value in (fields or {}).items() if value is not None}
    named = {"event": event, "outcome": outcome, **given}
    extra = {"fields": named, "error": error, "words": words, "chat_id": chat_id}
    # Where it broke is worth knowing of a bug only; errors of ours say by their kind what is wrong.
    bug = error if level >= logging.ERROR and not isinstance(error, SpomynError) else None
    EVENTS.log(level, "%s %s", event, outcome, exc_info=bug, extra=extra)


def tell_model_error(error: BaseException, *, purpose: str) -> None:
    """A call of a model that failed for good, and what it was for; one that no budget had room for did not fail."""
    if isinstance(error, OverBudget):
        return
    outcome = "refused" if isinstance(error, ModelRefused) else "unavailable"
    tell("model_error", outcome, {"purpose": purpose}, level=logging.WARNING, error=error)
