"""Files of messages as the Bot API describes them. There is nothing in them: nobody at a terminal sent one."""

from __future__ import annotations

from typing import Any

MEDIA: dict[str, dict[str, Any]] = {
    "photo": {"width": 1280, "height": 960},
    "voice": {"duration": 5, "mime_type": "audio/ogg"},
    "video": {"width": 1280, "height": 720, "duration": 10, "mime_type": "video/mp4"},
    "video_note": {"length": 240, "duration": 10},
    "animation": {"width": 320, "height": 240, "duration": 3, "mime_type": "video/mp4"},
    "audio": {"duration": 180, "mime_type": "audio/mpeg", "file_name": "audio.mp3"},
    "document": {"mime_type": "application/pdf", "file_name": "document.pdf"},
    "sticker": {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False, "emoji": "🙂"},
}
"""Files by kind: the fields that such a file has besides its ids and size."""

CAPTIONED = frozenset(MEDIA) - {"video_note", "sticker"}
"""Kinds that people can write something under."""

_BYTES = 10_000


def media_fields(kind: str, message_id: int) -> dict[str, Any]:
    """Return the fields of a `Message` that carries a file of this kind."""
    name = f"{kind}-{message_id}"
    file = {"file_id": name, "file_unique_id": f"unique-{name}", "file_size": _BYTES, **MEDIA[kind]}
    if kind == "photo":
        small = {"file_id": f"{name}-small", "file_unique_id": f"unique-{name}-small", "width": 90, "height": 67}
        return {"photo": [small, file]}
    if kind == "animation":  # the Bot API fills both
        return {"animation": file, "document": {key: file[key] for key in ("file_id", "file_unique_id", "mime_type")}}
    return {kind: file}
