"""What Telegram says of the webhook, and what is wrong with it."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from shared.application.ports.chat import WebhookInfo
from shared.application.telemetry import tell
from shared.domain.text.plain import one_line

PENDING_UPDATES = 100
"""Undelivered updates that are too many: Telegram delivers 40 at once (Bot API, setWebhook: max_connections), so more
than twice as many wait only when the webhook fails or cannot keep up."""

FRESH_ERROR = timedelta(hours=1)
"""An error of the webhook as recent as this, while updates wait, is still going on: Telegram repeats within minutes."""

NEEDED_UPDATES = frozenset({"message", "edited_message", "callback_query", "my_chat_member"})
"""Kinds of updates without which something does not work: what is read, taken back, pressed, and where the bot is."""

WANTED_UPDATES = frozenset({"message_reaction", "chat_member"})
"""Without these nobody votes by reaction, and leaving is only noticed where the group tells it. Telegram leaves them
out unless they are named (Bot API, setWebhook)."""

_SAID = 200  # characters of a service's own words

Severity = Literal["warning", "error"]


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """Something that is not as it should be.

    Attributes:
        kind: What alerts match: `[a-z_]+`, at most one finding of a kind at a time.
        text: What it means, in one sentence.
        remedy: What to do about it.
        figures: Numbers and ids; the log leaves ids out.
    """

    kind: str
    severity: Severity
    text: str
    remedy: str
    figures: Mapping[str, int | str] = field(default_factory=dict)


def judge_webhook(info: WebhookInfo, now: datetime) -> list[HealthFinding]:
    """Return what is wrong with a webhook."""
    if not info.url:
        remedy = "run `make webhook`"
        return [HealthFinding("webhook_missing", "error", "Telegram delivers no updates: no webhook is set.", remedy)]
    found = []
    age = now - info.last_error_at if info.last_error_at is not None else None
    if age is not None and age < RECENT:
        found.append(_failing_webhook(info, age))
    missing = sorted((NEEDED_UPDATES | WANTED_UPDATES) - set(info.allowed_updates or NEEDED_UPDATES))
    if missing:
        text = f"Telegram does not deliver {', '.join(missing)}."
        remedy = "run `make webhook`, which asks for them"
        severity: Severity = "error" if NEEDED_UPDATES & set(missing) else "warning"
        found.append(HealthFinding("updates_left_out", severity, text, remedy, {"missing": ",".join(missing)}))
    if info.pending > PENDING_UPDATES:
        text = f"{info.pending} updates wait at Telegram."
        remedy = "look at the webhook function's errors and latency, and allow it more instances"
        found.append(HealthFinding("updates_pending", "warning", text, remedy, {"pending": info.pending}))
    return found


def _failing_webhook(info: WebhookInfo, age: timedelta) -> HealthFinding:
    going_on = age < FRESH_ERROR and info.pending > 0
    said = _without_addresses(info.last_error)
    return HealthFinding(
        "webhook_failing",
        "error" if going_on else "warning",
        f"Telegram could not deliver an update {_minutes(age)} min ago: {said}.",
        "look at the webhook function's log at that time; check its address and its secret with `doctor`",
        {"minutes": _minutes(age), "pending": info.pending, "host": host_of(info.url)},
    )


def _without_addresses(said: str) -> str:
    """Telegram's own words without any address: its path may hold a secret."""
    return one_line(re.sub(r"\S*[/\\]\S*", "…", said), _SAID)


def host_of(url: str) -> str:
    """The host of an address: its path may hold a secret."""
    found = re.match(r"https?://([^/:?#@]+)", url)
    return found[1] if found else ""


def _tell_webhook(info: WebhookInfo, now: datetime) -> None:
    """Log what Telegram says of the webhook, each time: an alert needs the line that all is well, too."""
    age = None if info.last_error_at is None else int((now - info.last_error_at).total_seconds())
    fresh = age is not None and age < FRESH_ERROR.total_seconds()
    outcome = "missing" if not info.url else "failing" if fresh else "ok"
    level = {"ok": logging.INFO, "failing": logging.WARNING, "missing": logging.ERROR}[outcome]
    said = None if age is None else _without_addresses(info.last_error)
    tell("webhook_status", outcome, {"pending": info.pending, "last_error": said, "last_error_age_s": age}, level=level)


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)


RECENT = timedelta(days=1)
"""What was given up, or failed, since the night before."""
