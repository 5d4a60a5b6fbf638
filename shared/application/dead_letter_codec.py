"""The codec of dead letters, updates and tasks that could not be dealt with: `dead_letters/{kind}-{hash}`."""

import codecs
import re
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document, OpenFilter, Order
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import PermanentError

LETTERS = "dead_letters"
"""The collection."""

NEWEST_FIRST = Order("at", descending=True)

KEPT = timedelta(days=30)
"""Long enough for an operator to look at it."""

_MOST = 64 * 1024
_MOST_REASON = 500
_MOST_PEOPLE = 1_000
_ID = re.compile(rb'"(?:id|user_id)"\s*:\s*"?(-?\d{1,18})(?!\d)')

Kind = Literal["update", "task"]


class NotReplayable(PermanentError):
    """A dead letter cannot be dealt with from its record; the record stays as it is."""


class DeadLetter(NamedTuple):
    """One record.

    Attributes:
        id: "<kind>-<hash>".
        kind: "update" or "task".
        reason: Why it could not be dealt with, the last time.
        at: When it was written down.
        size: Bytes that came.
        text: What was kept of them; in hexadecimal when they are no UTF-8.
        encoding: "utf-8" or "hex".
    """

    id: str
    kind: str
    at: datetime
    reason: str = ""
    size: int = 0
    text: str = ""
    encoding: str = "utf-8"

    @property
    def is_whole(self) -> bool:
        """Return whether everything that came was kept."""
        return (len(self.text) // 2 if self.encoding == "hex" else len(self.text.encode())) == self.size

    def body(self) -> bytes:
        """Return what came.

        Raises:
            NotReplayable: Only its beginning was kept.
        """
        if not self.is_whole:
            raise NotReplayable(f"only the beginning of the {self.size} bytes was kept: it cannot be replayed")
        return bytes.fromhex(self.text) if self.encoding == "hex" else self.text.encode()


_LETTER = DerivedCodec(DeadLetter, names={"size": "bytes", "text": "body"})


def letter_path(letter_id: str) -> str:
    """Return where a dead letter is."""
    return f"{LETTERS}/{letter_id}"


def read_letter(document: Document) -> DeadLetter:
    """Read one record."""
    return _LETTER.read({"kind": document.id.partition("-")[0], **document.data}, id=document.id)


def words_of_letter(document: Document) -> tuple[str, str]:
    """Return what can be read in a letter's body, and its reason, whatever else was noted of it.

    A body is JSON as it came, in which letters may be escaped; here they are not.
    """
    data = document.data
    body = str(data.get("body", ""))
    if data.get("encoding") == "hex":
        body = bytes.fromhex(body).decode("utf-8", "replace")
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), body), str(data.get("reason", ""))


written_after = OpenFilter[datetime]("at", ">")
"""The condition that a dead letter was written down after a moment."""


def letter_fields(kind: Kind, body: bytes, reason: str, *, at: datetime) -> dict[str, Any]:
    """Return the document of a body that cannot be handled.

    The first 65,536 characters are kept, or of what is no UTF-8 as many bytes in hexadecimal; `people` are ids that may
    be of members, as far as they are kept: by them it is found who is in it without reading it.
    """
    return {
        "schema": SCHEMA,
        "kind": kind,
        **reason_field(reason),
        "at": at,
        "bytes": len(body),
        "expire_at": at + KEPT,
        "people": sorted(each for each in set(map(int, _ID.findall(body[: 4 * _MOST]))) if each > 0)[:_MOST_PEOPLE],
        **_readable(body),
    }


def reason_field(reason: str) -> dict[str, Any]:
    """Return why it could not be dealt with, at most 500 characters of it."""
    return {"reason": reason[:_MOST_REASON]}


def _readable(body: bytes) -> dict[str, str]:
    try:  # a body that was cut may end inside a character
        return {"body": codecs.getincrementaldecoder("utf-8")().decode(body)[:_MOST], "encoding": "utf-8"}
    except UnicodeDecodeError:
        return {"body": body[:_MOST].hex(), "encoding": "hex"}
