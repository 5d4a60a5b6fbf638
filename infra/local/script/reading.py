"""Reading what is replayed: JSON lines, or an export of Telegram Desktop.

Whatever is wrong is said in one sentence that names the file and the line (of an export: the message).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from infra.local.chat.raw_updates import LOCAL_CHAT, LocalChat, Person
from infra.local.script.fields import ScriptError, ScriptFields
from infra.local.script.lines import LineReader
from infra.local.script.steps import Comment, Member, Origin, Say, ScriptStep
from infra.telegram.export import ExportError, LeftOut, MessageReader, exported_chat
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import Message


@dataclass(frozen=True, slots=True)
class Script:
    """A chat and what is done there, in the order in which it is done.

    Attributes:
        start: When the first thing is done.
        is_excerpt: Messages are left out that others may reply to.
    """

    chat: LocalChat
    steps: tuple[ScriptStep, ...]
    start: datetime
    is_excerpt: bool = False

    @property
    def messages(self) -> Iterator[Say]:
        """All messages."""
        return (step.action for step in self.steps if isinstance(step.action, Say))

    def ids(self, *, private: bool = False) -> frozenset[int]:
        """Return the ids that messages of the group, or those to the bot alone, have of their own."""
        return frozenset(s.message_id for s in self.messages if s.message_id is not None and s.private is private)

    @property
    def topics(self) -> frozenset[int]:
        """The forum topics that are spoken of: they stand from the beginning."""
        return frozenset(said.topic for said in self.messages if said.topic is not None)

    @property
    def admins(self) -> frozenset[int]:
        """Return who is an administrator from the beginning: marked as one before any line says what they became."""
        found, changed = set[int](), set[int]()
        for action in (step.action for step in self.steps):
            if isinstance(action, Member):
                changed.add(action.person.user_id)
            elif isinstance(action, Say) and action.is_admin and action.person.user_id not in changed:
                found.add(action.person.user_id)
        return frozenset(found)


def read_script(path: Path, *, clock: Clock) -> Script:
    """Read a script of either format.

    Args:
        clock: Tells when a script begins whose first line does not say when it is.

    Raises:
        ScriptError: The file is missing, unreadable or not of either format.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ScriptError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise ScriptError(f"{path} is not UTF-8 text.") from error
    export = _export(text)
    chat, steps = (LOCAL_CHAT, _from_lines(path, text)) if export is None else _from_export(path, export)
    if all(isinstance(step.action, Comment) for step in steps):
        raise ScriptError(f"{path} holds no message.")
    first = next(step for step in steps if not isinstance(step.action, Comment))
    return Script(chat, tuple(steps), first.date or clock.now(), is_excerpt=export is not None)


def _export(text: str) -> dict[str, Any] | None:
    """Return the document of an export; a script of JSON lines is none, whether or not it is well formed."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and isinstance(document.get("messages"), list) else None


# --- JSON lines --------------------------------------------------------------------------------


def _from_lines(path: Path, text: str) -> list[ScriptStep]:
    written = [(number, line, f"{path}:{number}") for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    objects = [(number, ScriptFields(_json(line, where), where)) for number, line, where in written]
    reader = LineReader({user_id for _, fields in objects if (user_id := fields.integer("user_id")) is not None})
    steps, given = list[ScriptStep](), dict[tuple[bool, int], str]()
    for number, fields in objects:
        where = fields.where
        action = reader.read(fields)
        if isinstance(action, Say) and action.message_id is not None:
            before = given.setdefault((action.private, action.message_id), where)
            if before is not where:
                raise fields.error(f'"message_id" {action.message_id} stands already in {before}')
        comment = fields.text("comment")
        if comment is not None and not isinstance(action, Comment):
            steps.append(ScriptStep(where, number, None, Comment(comment)))
        steps.append(ScriptStep(where, number, fields.date("date"), action))
    return steps


def _json(line: str, where: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise ScriptError(f"{where}: not JSON ({reason}); one object a line is expected.") from error


# --- Telegram Desktop --------------------------------------------------------------------------


def _from_export(path: Path, export: dict[str, Any]) -> tuple[LocalChat, list[ScriptStep]]:
    """Read an export; service messages and messages without text are left out, and nobody is an administrator."""
    chat = _exported_chat(path, export)
    reader = MessageReader(chat.chat_id)
    found = (_exported_step(path, number, reader.read(each)) for number, each in enumerate(export["messages"], 1))
    return chat, [step for step in found if step is not None]


def _exported_chat(path: Path, export: dict[str, Any]) -> LocalChat:
    try:
        chat_id, kind, title = exported_chat(export)
    except ExportError as error:
        raise ScriptError(f"{path} is {error}.") from error
    if kind == "channel" or chat_id is None:
        raise ScriptError(f"{path} is not the export of a group, or does not tell its id.")
    return LocalChat(chat_id, kind, title or "Spomyn")


def _exported_step(path: Path, number: int, read: Message | LeftOut) -> ScriptStep | None:
    if isinstance(read, LeftOut):
        if read.failed:
            label = f"number {number}" if read.message_id is None else read.message_id
            raise ScriptError(f"{path}: message {label}: {read.reason}.")
        return None
    if not read.text:
        return None
    person = Person(read.user_id, read.name)
    forwarded = Origin(Person(1, "?"), hidden=True) if read.forwarded else None
    said = Say(person, read.text, read.message_id, reply_to=read.reply_to, forwarded=forwarded)
    return ScriptStep(f"{path}: message {read.message_id}", number, read.sent_at, said)
