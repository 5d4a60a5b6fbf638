"""Lines of scripts that many tests begin with, and what was learnt from them."""

from __future__ import annotations

from typing import Any

OLIA = {"user_id": 101, "name": "Оля"}
TARAS = {"user_id": 102, "name": "Тарас"}
RULE = OLIA | {"is_admin": True, "text": "Нагадую: ніякої політики в чаті!", "message_id": 1}
LIST = TARAS | {"text": "/gryadchatfacts", "message_id": 2}


def rules(outcome: dict[str, Any]) -> dict[str, str]:
    return {fact["value"]: fact["status"] for fact in outcome["facts"] if fact["category"] == "rule"}
