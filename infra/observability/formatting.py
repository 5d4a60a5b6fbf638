"""Log records as one JSON object a line, as Cloud Logging reads them.

A person's own terminal shows everything. The log of a deployed function is read by more people than a chat's members
trust, so nothing is written there that may hold what somebody said, is called, or keeps secret: an exception is its
kind and where it happened, a chat is a keyed hash, and of what libraries say only the place is told, for their
sentences quote requests, addresses with the bot's token, and values.
"""

from __future__ import annotations

import hmac
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

from infra.observability.trace import trace_at_hand
from shared.application.telemetry import chat_at_hand
from shared.domain.errors import SettingsError

OURS = ("shared", "infra", "functions", "spomyn")
"""Loggers of the product: their sentences are constants of the code, with counts and kinds in them."""

_DEEPEST = 5  # causes of an error that are named
_LONG_NUMBERS, _ADDRESSES = r"-?\d{6,}", r"(https?://[^/\s'\"]+)[^\s'\"]*"


class JsonFormatter(logging.Formatter):
    """Formats for a terminal: `severity`, `message`, `logger`, an event's fields, and an exception with its words."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        entry = {
            "severity": record.levelname,
            "message": _render_event(record),
            "logger": record.name,
            **_fields(record),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return _line(entry)


def _render_event(record: logging.LogRecord) -> str:
    """An event together with what only a terminal shows."""
    words = getattr(record, "words", "") or getattr(record, "error", None)
    return f"{record.getMessage()}: {words}" if words else record.getMessage()


class CloudFormatter(logging.Formatter):
    """Formats for a deployed function: as `JsonFormatter` without anybody's words, with trace and the chat's hash.

    Args:
        project: Google Cloud project id, of which traces are.
        key: What chats' ids are hashed with; as secret as the bot's token.
    """

    def __init__(self, *, project: str, key: bytes) -> None:
        super().__init__()
        self._project = project
        self._key = key

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        entry = {"severity": record.levelname, "message": _message(record), "logger": record.name}
        if is_ours(record):
            entry |= _fields(record)
            chat = getattr(record, "chat_id", None) or chat_at_hand()
            entry |= {} if chat is None else {"chat": chat_hash(self._key, chat)}
        if (error := _error_of(record)) is not None:
            entry["error"] = kind_of(error)
        if record.exc_info and error is not None:
            entry["stack_trace"] = format_traceback(error)
        return _line(entry | trace_at_hand(self._project))


def is_ours(record: logging.LogRecord) -> bool:
    """Return whether a record is of the product's own code."""
    return record.name.partition(".")[0] in OURS


def chat_hash(key: bytes, chat_id: object) -> str:
    """Twelve hexadecimal digits that are the same for the same chat, and tell nothing without the key."""
    return hmac.digest(key, str(chat_id).encode(), "sha256").hex()[:12]


def kind_of(error: BaseException) -> str:
    """The class of an error and of its causes, with the status that a service answered; of settings the sentence."""
    if isinstance(error, SettingsError):  # it says what an operator has to correct
        return re.sub(_LONG_NUMBERS, "#", re.sub(_ADDRESSES, r"\1/…", str(error)))
    return " from ".join(_name_error(each) for each in _chain(error))


def format_traceback(error: BaseException) -> str:
    """Traceback of an error and of its causes, the first cause first, without their words."""
    return "\n\n".join(_traceback(each) for each in reversed([*_chain(error)]))


def _name_error(error: BaseException) -> str:
    code = getattr(error, "code", None)
    return f"{type(error).__name__} {int(code)}" if isinstance(code, int) else type(error).__name__


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    for _ in range(_DEEPEST):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)


def _traceback(error: BaseException) -> str:
    lines, step = ["Traceback (most recent call last):"], error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        lines.append(f'  File "{code.co_filename}", line {step.tb_lineno}, in {code.co_name}')
        step = step.tb_next
    return "\n".join([*lines, _name_error(error)])


def _message(record: logging.LogRecord) -> str:
    if not is_ours(record):
        return f"{record.name} says something at {record.filename}:{record.lineno}; its words are left out"
    if not record.args:
        return str(record.msg)
    args = record.args
    kinds = (
        tuple(kind_of(arg) if isinstance(arg, BaseException) else arg for arg in args) if type(args) is tuple else args
    )
    return str(record.msg) % kinds


def _error_of(record: logging.LogRecord) -> BaseException | None:
    given = getattr(record, "error", None) or (record.exc_info or (None, None))[1]
    return given if isinstance(given, BaseException) else None


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {}) if is_ours(record) else {}


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, default=str)
