"""Does a task's work piece by piece: a piece that always fails is set aside, and the next one is done.

A stretch of talk, an edited message, a summary or an episode is tried `MOST_ATTEMPTS` times, by whichever tasks come,
once in each; then it is a dead letter that names it by ids, and takes no part in anything until an operator replays
that one.
Only exceptions that nobody foresaw are counted; of a `PermanentError` one is enough. As for updates (`dealing`), a
`TransientError` ends the task and says nothing of the piece.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import PurePath
from traceback import extract_tb
from typing import Any, Literal, NamedTuple, TypeVar

from shared.application.app import App
from shared.application.dead_letters import give_up
from shared.application.delivery.closing import MOST_ATTEMPTS, count_failure
from shared.domain.errors import BadPayload, PermanentError, SettingsError, TransientError, UnstorableDocument

T = TypeVar("T")

Kind = Literal["stretch", "edit", "retelling", "chunk", "conversation", "episode", "meta"]


class ExtractionPiece(NamedTuple):
    """A piece of a chat's extraction.

    Attributes:
        kind: A "stretch" of talk of which nothing was made yet, an "edit" of a message, its "retelling" (what was made
            of it before is made again), a "chunk" or an "episode" that is made again, a "conversation" that is over and
            no episode yet, or a "meta" summary.
        message_ids: Of a meta summary the first and the last that it is about.
        version: Tells a piece from the same one after it changed: with that it has all its attempts again.
        level: Of a meta summary, from 1; 0 for the others.
    """

    chat_id: int
    kind: Kind
    message_ids: tuple[int, ...]
    version: int = 0
    level: int = 0

    @property
    def name(self) -> str:
        """Return what its failures are counted under; a stretch, which goes on growing, by its first message."""
        return f"{self.kind}{self.level or ''}-{self.chat_id}-{self.message_ids[0]}-{self.version}"

    def payload(self) -> dict[str, Any]:
        """The task that its dead letter holds."""
        where = {"target": "/extract", "chat_id": self.chat_id}
        which = {"message_ids": list(self.message_ids), "version": self.version}
        return {**where, "set_aside": self.kind, **which, **({"level": self.level} if self.level else {})}

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> ExtractionPiece:
        """The piece of a dead letter's task.

        Raises:
            BadPayload: It is none.
        """
        match payload:
            case {
                "chat_id": int(chat_id),
                "set_aside": "stretch" | "edit" | "retelling" | "chunk" | "conversation" | "episode" | "meta" as kind,
                "message_ids": [int(), *_] as ids,
                "version": int(version),
                **others,
            } if all(type(each) is int for each in (*ids, others.get("level", 0))):
                return cls(chat_id, kind, tuple(ids), version, others.get("level", 0))
        raise BadPayload("this is no piece of a chat that was set aside")


class Pieces:
    """The pieces and steps of one task.

    Attributes:
        set_aside: Why pieces were set aside now, one reason each.
        failed: What is to be tried again; the first is raised by `close`.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self.set_aside: list[str] = []
        self.failed: list[Exception] = []
        self._coming_again: set[ExtractionPiece] = set()

    def comes_again(self, piece: ExtractionPiece) -> bool:
        """Return whether a piece has failed in this task, and is to be tried again by another one."""
        return piece in self._coming_again

    async def do(
        self,
        piece: ExtractionPiece,
        work: Callable[[], Awaitable[T]],
        aside: Callable[[], Awaitable[object]] | None = None,
    ) -> T | None:
        """Do one piece, or set it aside when this was its last attempt; None when it fails, now or before in this task.

        Args:
            aside: Takes it out of what is to be done, and changes nothing when it is not to be done any more. None: who
                asks does so.

        Raises:
            TransientError, SettingsError: As `work` does; it is no failure of the piece.
        """
        if self.comes_again(piece):
            return None  # what fails for the moment is not to use up its attempts within it
        try:
            return await work()
        except (TransientError, SettingsError):
            raise
        except Exception as error:  # noqa: BLE001 - what becomes of a bug in a piece is decided here
            app, lasts = self._app, isinstance(error, PermanentError)
            if not lasts and await count_failure(app.store, app.clock, piece.name) < MOST_ATTEMPTS:
                self.failed.append(error)
                self._coming_again.add(piece)
                return None
            reason = f"a {piece.kind} was set aside: {_describe_error(error)}"
            body = json.dumps(piece.payload()).encode()
            await give_up(app.store, app.clock, kind="task", body=body, reason=reason, error=error, job="extract")
            if aside is not None:
                await aside()  # after its record: nothing is lost silently
            self.set_aside.append(reason)
            return None

    async def step(self, work: Callable[[], Awaitable[T]], otherwise: T) -> T:
        """Do a step on which the others do not depend: when it fails, they are done all the same.

        Raises:
            TransientError, SettingsError: As `work` does.
        """
        try:
            return await work()
        except (TransientError, SettingsError):
            raise
        except Exception as error:  # noqa: BLE001 - `close` raises it
            self.failed.append(error)
            return otherwise

    def close(self) -> None:
        """Let the task fail, when something is to be tried again, after all that could be done."""
        if self.failed:
            raise self.failed[0]


def _describe_error(error: Exception) -> str:
    """Return what failed and where. What an error itself says may be words of the chat, which nobody would find to
    forget."""
    frames = extract_tb(error.__traceback__)
    where = f" in {frames[-1].name} ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    named = f" of {', '.join(error.paths)}" if isinstance(error, UnstorableDocument) else ""
    return f"{type(error).__name__}{named}{where}"
