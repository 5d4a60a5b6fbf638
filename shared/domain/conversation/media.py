"""Files of messages: which of them a model can look at, listen to or read, and how a text names them.

What it takes is Gemini's list (Gemini API, file input methods); what it cannot take is shown by its thumbnail, and
named when there is none. A type that the sender declared is believed only as far as the bytes bear it out: one file
that the model cannot decode makes it refuse the whole request.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from shared.domain.conversation.messages import MediaFile, Message
from shared.domain.text.data_files import read_data
from shared.domain.text.plain import one_line, quote_inline

MOST_AUDIO_SECONDS = 900
"""The longest audio: at 32 tokens a second (Gemini API, audio understanding) about 29,000 tokens."""

MOST_VIDEO_SECONDS = 120
"""The longest video: at about 300 tokens a second (Gemini API, video understanding) 36,000 tokens."""

MOST_TEXT_BYTES = 64 * 1024
"""The size of a text document: 15,000 to 30,000 tokens."""

PDF, TEXT = "application/pdf", "text/plain"

_NAME = 60
_TYPES = read_data(__package__, "media")
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1")


class Unfit(StrEnum):
    """The reason that a file is not shown to the model; the value says it in a text."""

    TOO_LARGE = "too large"
    TOO_LONG = "too long"
    UNREADABLE = "of a kind that cannot be read"
    GONE = "no longer there"
    UNAVAILABLE = "could not be fetched"
    TOO_MANY = "one file too many"


class Viewable(NamedTuple):
    """A file to show.

    Attributes:
        size: In bytes, as Telegram tells it; 0 when it does not.
        preview: Whether it is only a still picture of what was sent.
    """

    file_id: str
    mime_type: str
    size: int
    preview: bool = False


def viewable(message: Message, *, limit_bytes: int) -> Viewable | Unfit | None:
    """Return what of a message's file a model can be shown; None when it has no file.

    Args:
        limit_bytes: Largest file to show.
    """
    if message.media is None:
        return None
    unfit = _unfitness(message.kind, message.media, limit_bytes)
    if unfit is None:
        return _view(message.media, _type(message.kind, message.media))
    thumbnail = message.media.thumbnail
    if thumbnail is None or (thumbnail.file_size or 0) > limit_bytes:
        return unfit
    return _view(thumbnail, "image/jpeg", preview=True)


def _view(file: MediaFile, mime_type: str, *, preview: bool = False) -> Viewable:
    return Viewable(file.file_id, mime_type, file.file_size or 0, preview)


def _type(kind: str, media: MediaFile) -> str:
    declared = (media.mime_type or "").partition(";")[0].strip().lower() or _TYPES["of_kind"].get(kind, "")
    if declared.startswith("text/"):
        return TEXT
    same: Mapping[str, str] = _TYPES["same"]
    return same.get(declared) or same.get(declared.removeprefix("application/"), declared)


def _unfitness(kind: str, media: MediaFile, limit_bytes: int) -> Unfit | None:
    mime_type = _type(kind, media)
    family = mime_type.partition("/")[0]
    is_moving_sticker = kind == "sticker" and family != "image"  # Lottie and bare WebM
    if is_moving_sticker or mime_type not in _TYPES["taken"]:
        return Unfit.UNREADABLE
    longest = {"audio": MOST_AUDIO_SECONDS, "video": MOST_VIDEO_SECONDS}.get(family)
    if longest is not None and (media.duration or 0) > longest:
        return Unfit.TOO_LONG
    most = min(limit_bytes, MOST_TEXT_BYTES) if mime_type == TEXT else limit_bytes
    return Unfit.TOO_LARGE if (media.file_size or 0) > most else None


def true_type(body: bytes, declared: str) -> str | None:
    """The type under which the model may be given these bytes, or None when they are not what was declared."""
    if declared.startswith("image/"):
        return _image_type(body)
    if declared == PDF:
        return PDF if b"%PDF-" in body[:1024] else None
    if declared == TEXT:
        return TEXT if _is_text(body) else None
    return declared if body else None


def _image_type(body: bytes) -> str | None:
    if body.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if body.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    return "image/heic" if body[4:8] == b"ftyp" and body[8:12] in _HEIC_BRANDS else None


def _is_text(body: bytes) -> bool:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return bool(text.strip()) and "\0" not in text


def mark(message: Message) -> str:
    """Return how a text names what a message carries besides its words: `[photo: "a cat"]`, `[sticker "😀"]`; "" for
    none.

    Name, emoji and description are JSON strings without a raw `[`: nothing in them can end the mark.
    """
    if message.kind in ("text", "command"):
        return ""
    name = "" if message.media is None else one_line(message.media.label, _NAME)
    named = f"{message.kind} {quote_inline(name)}" if name else message.kind
    return f"[{named}: {quote_inline(message.media_text)}]" if message.media_text else f"[{named}]"


def transcript(messages: list[Message], *, media: bool = False) -> str:
    """Messages as lines for an extraction prompt: `#id user:<id> "name": text`, one line each.

    Args:
        media: Also name files and tell what is in them, as in `[photo: "a cat"]`. Not where facts are asked for: a fact
            follows from what somebody typed (law 1).
    """
    return "\n".join(
        f"#{m.message_id} {'bot' if m.is_bot else f'user:{m.user_id}'} {quote_inline(m.name)}: {quote_inline(m.text)}"
        + (f" {marked}" if media and (marked := mark(m)) else "")
        for m in messages
    )
