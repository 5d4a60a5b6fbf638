"""An export's file, read as a stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import ijson

from infra.telegram.export.chat import ACCOUNT, ExportedChat, ExportError, exported_chat
from infra.telegram.export.messages import LeftOut, MessageReader
from shared.domain.conversation.messages import Message

_HEAD = ("name", "type", "id")
_BROKEN = (ijson.JSONError, UnicodeDecodeError)
_BLOCK = 1 << 16
_DEEPEST = 100  # levels; Telegram Desktop writes fewer than ten
_LONGEST = 4  # bytes of an escape that is mended
_ESCAPE = re.compile(rb"(?<!\\)((?:\\\\)*)\\x([0-9A-Fa-f]{2})")
_MARK = b"\xef\xbb\xbf"


class Export:
    """An open export; a context manager that closes it.

    Attributes:
        chat: As the head tells, which may stand behind the messages.
        size: Bytes of the file.

    Raises:
        ExportError: It cannot be opened, is not JSON, or not the export of one chat.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file: BinaryIO = path.open("rb")
            self.size = path.stat().st_size
        except OSError as error:
            raise ExportError(f"{path} cannot be read: {error.strerror or error}") from error
        self._source = _Source(self._file)
        try:
            self.chat = self._chat()
        except ExportError:
            self._file.close()
            raise

    @property
    def position(self) -> int:
        """Bytes read so far."""
        return self._source.position

    def __enter__(self) -> Export:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def messages(self, reader: MessageReader) -> Iterator[Message | LeftOut]:
        """Every message, in the file's order.

        Raises:
            ExportError: The file ends too early or is no JSON from some place on; what came before counts.
        """
        self._source.rewind()
        last, count = "the beginning", 0
        try:
            for record in ijson.items(_parse_events(self._source), "messages.item"):
                read = reader.read(record)
                yield read
                count += 1
                last = f"message {read.message_id} (number {count} of the file)"
        except _BROKEN as error:
            raise ExportError(self._describe_break(error, f" after {last}")) from error
        except _TooDeepError as error:
            raise ExportError(f"{self.path} is no export of Telegram Desktop: {error} after {last}") from error

    def _chat(self) -> ExportedChat:
        """Read the chat from the file's head alone, where Telegram Desktop writes it.

        Of a file that is cut off, too: reading its messages will say where.
        """
        top: dict[str, Any] = {}
        try:
            for key, value in _top(self._source):
                top[key] = value
                if key in ACCOUNT or all(top.get(name) is not None for name in _HEAD):
                    break
        except _BROKEN as error:
            if top.get("type") is None:
                raise ExportError(self._describe_break(error, "")) from error
        except _TooDeepError as error:
            raise ExportError(f"{self.path} is no export of Telegram Desktop: {error}") from error
        try:
            return exported_chat(top)
        except ExportError as error:
            raise ExportError(f"{self.path} is {error}") from error

    def _describe_break(self, error: Exception, place: str) -> str:
        reason = str(error.args[0] if error.args else error)
        what = "ends in the middle" if "EOF" in reason or "ncomplete" in reason else "is not JSON"
        return f"{self.path} {what}{place}, near byte {self.position:,} of {self.size:,}"


class _TooDeepError(Exception):
    """Something is nested deeper than in any export."""


def _parse_events(source: _Source) -> Iterator[tuple[str, str, Any]]:
    """The parser's events with their places.

    Raises:
        _TooDeepError: Each level repeats the places of those above it, so a few kilobytes of brackets would take all
            memory.
    """
    parsed: Iterator[tuple[str, str, Any]] = ijson.parse(_shallow(source))
    return parsed


def _shallow(source: _Source) -> Iterator[tuple[str, Any]]:
    depth = 0
    for event in ijson.basic_parse(source):
        if event[0].startswith("start_"):
            depth += 1
        elif event[0].startswith("end_"):
            depth -= 1
        if depth > _DEEPEST:
            raise _TooDeepError(f"brackets are nested {depth} deep")
        yield event


def _top(source: _Source) -> Iterator[tuple[str, Any]]:
    """The keys of the outermost object, and the values of those that are no objects or lists (of the others None)."""
    for prefix, event, value in _parse_events(source):
        if event == "map_key" and prefix == "":
            yield value, None
        elif prefix in _HEAD and event in ("string", "number"):
            yield prefix, value


class _Source:
    r"""The file's bytes for the JSON parser, without a byte order mark and with `\x0B` as `\u000B`.

    Telegram Desktop writes control characters in a form that JSON does not have.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.rewind()

    def rewind(self) -> None:
        """Begin again."""
        self._file.seek(0)
        self._rest = b""
        if self._file.read(len(_MARK)) != _MARK:
            self._file.seek(0)
        self.position = self._file.tell()

    def read(self, size: int = _BLOCK) -> bytes:
        """The next bytes, none only at the end."""
        if size == 0:
            return b""
        new = self._file.read(max(size, 2 * _LONGEST))
        self.position = self._file.tell()
        block = self._rest + new
        border = _border(block) if new else len(block)
        self._rest = block[border:]
        whole = block[:border]
        return _ESCAPE.sub(rb"\1\\u00\2", whole) if b"\\x" in whole else whole


def _border(block: bytes) -> int:
    """Return where no escape is cut apart: before the backslashes among the last bytes, and where there are only such,
    an even number of them."""
    at = block.rfind(b"\\", -_LONGEST)
    if at < 0:
        return len(block)
    before = len(block[: at + 1].rstrip(b"\\"))
    return before or (at + 1) // 2 * 2 or len(block)
