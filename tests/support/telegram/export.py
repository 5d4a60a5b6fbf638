"""Exports as Telegram Desktop writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

START = 1_793_000_000
"""When the exported talk begins, in Unix seconds: late October 2026."""

CHAT, NUMBER = -1001234567890, 1234567890
"""The group's id with the Bot API and in its export."""


def exported(number: int, text: Any = "Привіт", user_id: int = 101, name: Any = "Оля", **more: Any) -> dict[str, Any]:
    """One message; None leaves a field out."""
    record = {
        "id": number,
        "type": "message",
        "date": "2026-10-26T12:00:00",
        "date_unixtime": str(START + 60 * number),
        "from": name,
        "from_id": f"user{user_id}",
        "text": text,
        **more,
    }
    return {key: value for key, value in record.items() if value is not None or key == "from"}


def service(number: int, action: str, **more: Any) -> dict[str, Any]:
    """One service message."""
    return exported(number, "", type="service", action=action, **more)


def talk(count: int, first: int = 1) -> list[dict[str, Any]]:
    """So many messages of three members in both languages, among them the three seed scenarios' rule."""
    texts = ["Нагадую: ніякої політики в чаті!", "Я працюю лікаркою у Львові", "I have a cat named Luna", "Зрозуміло"]
    names = ["Тарас", "Оля", "Ann"]
    return [
        exported(n, texts[n % 4] if n % 9 < 4 else f"Просто слово {n}", 101 + n % 3, names[n % 3])
        for n in range(first, first + count)
    ]


def export_of(messages: list[Any], **head: Any) -> dict[str, Any]:
    """The whole export of a group."""
    return {"name": "Друзі", "type": "private_supergroup", "id": NUMBER, **head, "messages": messages}


def written(folder: Path, messages: list[Any], name: str = "result.json", **head: Any) -> Path:
    """The export's file."""
    path = folder / name
    path.write_text(json.dumps(export_of(messages, **head), ensure_ascii=False, indent=1), encoding="utf-8")
    return path
