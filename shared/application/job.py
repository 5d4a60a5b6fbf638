"""What a nightly job of one chat is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, time
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from shared.application.app import App
    from shared.application.chats.chat_codec import ChatState


class JobResult(NamedTuple):
    """What one run of a job did for one chat.

    Attributes:
        counts: What was done, by name, for the log and for people.
        next_at: When there is something to do although nothing more is said in the chat (a fact expires, a message is
            too old), or None.
        more: There is more to do right now than one task does: it is run again at once.
    """

    counts: Mapping[str, int] = {}
    next_at: datetime | None = None
    more: bool = False


class Job(NamedTuple):
    """A job that is done for each chat at night.

    Attributes:
        name: In paths, names of tasks and marks.
        at: Local time of the chat at which it runs.
        source: `module:function` under `shared.application`, imported when it runs.
    """

    name: str
    at: time
    source: str

    def load(self) -> Callable[[App, ChatState], Awaitable[JobResult]]:
        """The function that does it; idempotent, resumable and bounded to minutes."""
        function: Callable[[App, ChatState], Awaitable[JobResult]] = load_job_function(self.source)
        return function


def load_job_function(source: str) -> Any:
    """Return what `module:name` under `shared.application` means: a night needs few of the modules that do its jobs."""
    module, _, name = source.partition(":")
    return getattr(import_module(f"shared.application.{module}"), name)
