"""The record of a replay: the transcript, and line by line what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from infra.local.events import ButtonNotice, Deleted, Done, Event, Line, LineEdited, Listener


@dataclass(slots=True)
class LineRecord:
    """The results of one line of a script, until the next one began.

    Attributes:
        line: Its number in the file (of an export: the message's).
        done: What became of the update; None until it is dealt with.
        sent: What the bot said.
        edited: What the bot changed its messages to.
        deleted: Ids of messages that it deleted.
        shown: What Telegram showed to the user who pressed a button.
    """

    line: int
    date: datetime
    done: Done | None = None
    sent: list[Line] = field(default_factory=list)
    edited: list[LineEdited] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return it as `--json` prints it."""
        done = self.done or Done("", 0)
        answers = [_message_record(line) | {"private_to": line.private_to or None} for line in self.sent]
        told = {
            "line": self.line,
            "date": self.date.isoformat(),
            "message_id": done.message_id,
            "outcome": done.outcome,
            "answers": answers,
            "edits": [_message_record(edited) for edited in self.edited],
            "deleted": self.deleted,
            "shown": self.shown,
        }
        return told if done.night is None else told | {"night": done.night}


def _message_record(message: Line | LineEdited) -> dict[str, Any]:
    buttons = [label for row in message.buttons for label in row]
    return {"message_id": message.message_id, "text": message.text, "buttons": buttons}


class ReplayRecorder:
    """Hears everything, and passes it on."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.transcript: list[Line] = []
        self.lines: list[LineRecord] = []

    def begin(self, line: int, date: datetime) -> LineRecord:
        """Write down what happens from now on as what came of this line."""
        self.lines.append(LineRecord(line, date))
        return self.lines[-1]

    def hear(self, event: Event) -> None:
        """Write an event down, and pass it on."""
        if isinstance(event, Line):
            self.transcript.append(event)
        if self.lines:
            self._hear_of(self.lines[-1], event)
        self._listener(event)

    def _hear_of(self, line: LineRecord, event: Event) -> None:
        match event:
            case Line(is_own=True):
                line.sent.append(event)
            case LineEdited(author=""):
                line.edited.append(event)
            case Deleted():
                line.deleted.append(event.message_id)
            case ButtonNotice():
                line.shown.append(event.text)
