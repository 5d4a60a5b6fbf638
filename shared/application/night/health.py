"""Checks Spomyn's health: what arrives, what waits, what was given up.

Looking changes nothing (`examine`, which the operator's `doctor` uses, too). The job keeps what it found in
`health/current` and logs a finding once: when it begins, when its severity changes and when it ends, so that alerts can
match the lines (`event` "health"). What Telegram says of the webhook is a line every time (`webhook_status`).
Nothing that a member said is in a finding.
"""

import contextlib
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from shared.application.app import App
from shared.application.chats.job import JobResult
from shared.application.dead_letter_codec import LETTERS, NEWEST_FIRST, DeadLetter, read_letter, written_after
from shared.application.night.health_codec import (
    HEALTH_PATH,
    HealthFinding,
    HealthRecord,
    Severity,
    health_fields,
    read_health,
)
from shared.application.night.overdue import OverdueAnswer, ask_again, judge_overdue, overdue_answers
from shared.application.ports.chat import WebhookInfo
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.application.ports.tasks import Backlog
from shared.application.telemetry import tell
from shared.domain.errors import PermanentError, SettingsError, TransientError
from shared.domain.text.plain import one_line

RECENT = timedelta(days=1)
"""The age up to which failures are told: what was given up, or failed, since the night before."""

PENDING_UPDATES = 100
"""Undelivered updates that are too many: Telegram delivers 40 at once (Bot API, setWebhook: max_connections), so more
than twice as many wait only when the webhook fails or cannot keep up."""

FRESH_ERROR = timedelta(hours=1)
"""An error of the webhook as recent as this, while updates wait, is still going on: Telegram repeats within minutes."""

NEEDED_UPDATES = frozenset({"message", "edited_message", "callback_query", "my_chat_member"})
"""Kinds of updates without which something does not work: what is read, taken back, pressed, and where the bot is."""

WANTED_UPDATES = frozenset({"message_reaction", "chat_member", "stopped_message_generation"})
"""Updates without which nobody votes by reaction, leaving is only noticed where the group tells it, and the button on a
growing answer does nothing. Telegram leaves the first two out unless they are named (Bot API, setWebhook)."""

_BY_DEFAULT = NEEDED_UPDATES | {"stopped_message_generation"}

LATE, STUCK = timedelta(minutes=15), timedelta(hours=1)
"""A task so late has failed several times, or nothing runs tasks; after the second its attempts are nearly used up (a
queue gives up after 40 minutes)."""

MANY_LATE = 500
"""Late tasks at once that are too many: Cloud Tasks starts as many in a second (its limit of a queue)."""

MANY_DEAD_LETTERS = 20
"""Given up in a day: more than single mishaps."""

_LOOKED_AT = 100  # dead letters of the last day that are read; a body has at most 64 KiB
_NAMED = 10  # chats in one finding
_NAMES = ("ids",)  # figures that name chats: kept in the store, not in the log
_SAID = 200  # characters of a service's own words


def judge_webhook(info: WebhookInfo, now: datetime) -> list[HealthFinding]:
    """Return what is wrong with a webhook."""
    if not info.url:
        remedy = "run `make webhook`"
        return [HealthFinding("webhook_missing", "error", "Telegram delivers no updates: no webhook is set.", remedy)]
    found = []
    age = now - info.last_error_at if info.last_error_at is not None else None
    if age is not None and age < RECENT:
        text = f"Telegram could not deliver an update {_minutes(age)} min ago: {_without_addresses(info.last_error)}."
        remedy = "look at the webhook function's log at that time; check its address and its secret with `doctor`"
        figures: dict[str, int | str] = {"minutes": _minutes(age), "pending": info.pending, "host": host_of(info.url)}
        severity: Severity = "error" if age < FRESH_ERROR and info.pending > 0 else "warning"
        found.append(HealthFinding("webhook_failing", severity, text, remedy, figures))
    missing = sorted((NEEDED_UPDATES | WANTED_UPDATES) - set(info.allowed_updates or _BY_DEFAULT))
    if missing:
        text = f"Telegram does not deliver {', '.join(missing)}."
        remedy = "run `make webhook`, which asks for them"
        severity = "error" if NEEDED_UPDATES & set(missing) else "warning"
        found.append(HealthFinding("updates_left_out", severity, text, remedy, {"missing": ",".join(missing)}))
    if info.pending > PENDING_UPDATES:
        text = f"{info.pending} updates wait at Telegram."
        remedy = "look at the webhook function's errors and latency, and allow it more instances"
        found.append(HealthFinding("updates_pending", "warning", text, remedy, {"pending": info.pending}))
    return found


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


async def check_health(app: App) -> JobResult:
    """The job: look, say what is new, have answers made that no task makes any more, keep what was found. After a
    crash in between it is said again the next time."""
    now = app.clock.now()
    before = read_health(await app.store.get(HEALTH_PATH))
    overdue = await overdue_answers(app.store, now)
    findings = await examine(app, hears=lambda info: _tell_webhook(info, now), overdue=overdue)
    _tell(findings, before)
    await ask_again(app.schedule, overdue, now)
    await app.store.set(HEALTH_PATH, health_fields(findings, before, at=now))
    errors = sum(finding.severity == "error" for finding in findings)
    return JobResult({"errors": errors, "warnings": len(findings) - errors})


async def examine(
    app: App, *, hears: Callable[[WebhookInfo], None] | None = None, overdue: Sequence[OverdueAnswer] | None = None
) -> list[HealthFinding]:
    """Everything that is not well now. A service that cannot be asked is a finding.

    Args:
        hears: Is told what Telegram says of the webhook, when it says it; nothing where updates do not come by one.
        overdue: Which answers are overdue; None to look.

    Raises:
        StoreUnavailable: Then nothing can be known.
    """

    async def look_at_webhook() -> list[HealthFinding]:
        info = await app.gateway.webhook()
        if info is not None and hears is not None:
            hears(info)
        return [] if info is None else judge_webhook(info, app.clock.now())

    async def look_at_queue() -> list[HealthFinding]:
        now = app.clock.now()
        return judge_backlog(await app.queue.backlog(now), now)  # of a very long one only a part is seen

    now = app.clock.now()
    if overdue is None:
        overdue = await overdue_answers(app.store, now)
    return [
        *await _find_or_unreachable("telegram", look_at_webhook),
        *await _find_or_unreachable("queue", look_at_queue),
        *judge_overdue(overdue, now),
        *await find_given_up(app.store, app.clock),
    ]


def judge_backlog(backlog: Backlog, now: datetime) -> list[HealthFinding]:
    """Return what is wrong with what waits in a queue."""
    found = []
    figures = {"late": backlog.late, "planned": backlog.planned}
    wait = now - backlog.late_since if backlog.late_since is not None else timedelta(0)
    if wait > LATE:
        text = f"A task has waited for {_minutes(wait)} min ({backlog.late} are late)."
        remedy = (
            "see that the queue is not paused and that the extract and maintenance functions answer; look at their log"
        )
        severity: Severity = "error" if wait > STUCK else "warning"
        found.append(HealthFinding("queue_late", severity, text, remedy, {**figures, "minutes": _minutes(wait)}))
    if backlog.late > MANY_LATE:
        text = f"{backlog.late}{'' if backlog.complete else ' or more'} tasks are late."
        remedy = "allow the workers more instances, or the queue more dispatches at once"
        found.append(HealthFinding("queue_deep", "warning", text, remedy, figures))
    return found


# --- what was given up ---------------------------------------------------------------------------


async def find_given_up(store: DocumentStore, clock: Clock) -> list[HealthFinding]:
    """Find dead letters, and chats whose night failed."""
    recent = [written_after(clock.now() - RECENT)]
    found = await store.query(LETTERS, where=recent, order_by=[NEWEST_FIRST], limit=_LOOKED_AT)
    if not found:
        return []
    letters = [read_letter(document) for document in found]
    count = await store.count(LETTERS, where=recent)
    figures = {"day": count, "all": await store.count(LETTERS)}
    text = f"{count} updates or tasks were given up within a day, the last at {letters[0].at:%Y-%m-%d %H:%M} UTC."
    remedy = "`python -m infra.cli dead-letters list` says why; mend the cause, then replay them"
    severity: Severity = "error" if count >= MANY_DEAD_LETTERS else "warning"
    return [HealthFinding("dead_letters", severity, text, remedy, figures), *_find_failed_nights(letters)]


def _find_failed_nights(letters: Iterable[DeadLetter]) -> list[HealthFinding]:
    nights = [chat for letter in letters if letter.kind == "task" for chat in _chat_of_night(letter)]
    chats = sorted({chat_id for chat_id in nights if chat_id is not None})
    found = []
    if chats:
        named = ", ".join(map(str, chats[:_NAMED])) + (", …" if len(chats) > _NAMED else "")
        text = f"The night's work failed for {len(chats)} chats: {named}."
        remedy = "`python -m infra.cli dead-letters list` says which job and why; the next night tries again"
        found.append(HealthFinding("night_failed", "warning", text, remedy, {"chats": len(chats), "ids": named}))
    if None in nights:
        text = "A night stopped before it had come to all chats."
        remedy = "mend what the dead letter says, then replay it: it goes on where it stopped"
        found.append(HealthFinding("night_stopped", "error", text, remedy))
    return found


def _chat_of_night(letter: DeadLetter) -> Iterator[int | None]:
    """Yield the chat of a task of the night, None of one that was to come to all chats; nothing of any other task."""
    with contextlib.suppress(ValueError, RecursionError):
        match json.loads(letter.text or "{}"):
            # It names its day, or the instant from which chats are judged; tasks of extraction do not.
            case {"chat_id": int(chat_id), "day": _} | {"chat_id": int(chat_id), "from": _}:
                yield chat_id
            case {"chat_id": _}:
                pass
            case {"day": _} | {"from": _}:
                yield None


# --- what is said and kept -----------------------------------------------------------------------


async def _find_or_unreachable(name: str, look: Callable[[], Awaitable[list[HealthFinding]]]) -> list[HealthFinding]:
    """Return what was found; that a service cannot be asked is found as well."""
    try:
        return await look()
    except SettingsError as error:
        return [
            HealthFinding(f"{name}_refuses", "error", one_line(str(error), _SAID), "correct that, then run `doctor`")
        ]
    except (TransientError, PermanentError) as error:
        remedy = "wait for it, or check the network and the service's status page"
        return [HealthFinding(f"{name}_unreachable", "warning", one_line(str(error), _SAID), remedy)]


def _tell(findings: Sequence[HealthFinding], before: HealthRecord) -> None:
    """One line a finding that is new or has another severity, and one for each that is over."""
    severities = {known.finding.kind: known.finding.severity for known in before.findings}
    for finding in findings:
        if finding.kind in ("telegram_refuses", "telegram_unreachable"):
            tell("webhook_status", "unknown", level=logging.WARNING, words=finding.text)
        if severities.get(finding.kind) != finding.severity:
            level = logging.ERROR if finding.severity == "error" else logging.WARNING
            figures = {name: value for name, value in finding.figures.items() if name not in _NAMES}
            tell("health", finding.kind, {"state": finding.severity, **figures}, level=level, words=finding.text)
    for kind in sorted(severities.keys() - {finding.kind for finding in findings}):
        tell("health", kind, {"state": "over"})
