"""The checks of `doctor` and their findings: one check a part, each on its own, nothing changed but probes."""

from __future__ import annotations

import asyncio
import zoneinfo
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from shared.application.app import App
from shared.application.chats.about_codec import read_schema
from shared.application.night.health import find_given_up, judge_backlog
from shared.application.night.health_codec import HealthFinding
from shared.application.ports.objects import ObjectStore
from shared.domain.conversation.messages import SCHEMA
from shared.domain.errors import ObjectLocked, PermanentError, SettingsError, SpomynError
from shared.settings import SETTINGS, Settings

Severity = Literal["ok", "unchecked", "warning", "error"]

PATIENCE = 60.0
"""Seconds that one check may take: every adapter gives up long before."""

_ZONES = 400
"""Names in a whole time zone database: it has some 600."""

_MASKED = "(set)"


class Check(NamedTuple):
    """The result of a look at one part.

    Attributes:
        part: What was looked at.
        text: What it means.
        remedy: What to do, "" when there is nothing to do.
    """

    part: str
    severity: Severity
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Environment:
    """The running product that is examined, and its settings.

    Attributes:
        webhook_url: Where the webhook function is, as the operator says, or None.
    """

    app: App
    settings: Settings
    webhook_url: str | None = None


Look = Callable[[Environment], Awaitable[list[Check]]]


async def run_checks(environment: Environment, looks: Mapping[str, Look]) -> list[Check]:
    """All checks, one after the other: none keeps the others from being made."""
    return [check for part, look in looks.items() for check in await _one(part, look, environment)]


async def _one(part: str, look: Look, environment: Environment) -> list[Check]:
    try:
        async with asyncio.timeout(PATIENCE):
            return await look(environment)
    except TimeoutError:
        return [Check(part, "error", f"It did not answer within {PATIENCE:g} s.", "Check the network, then try again.")]
    except SettingsError as error:
        return [Check(part, "error", str(error), "Correct the setting.")]
    except PermanentError as error:
        return [Check(part, "error", str(error), "The message says what was refused.")]
    except (SpomynError, OSError, ValueError) as error:
        return [Check(part, "error", str(error) or type(error).__name__, "Wait for the service or check the network.")]


def as_checks(part: str, findings: Sequence[HealthFinding], well: str) -> list[Check]:
    """Findings of the health job as checks; `well` says what it means that there is none."""
    if not findings:
        return [Check(part, "ok", well)]
    return [Check(part, each.severity, each.text, each.remedy[:1].upper() + each.remedy[1:] + ".") for each in findings]


# --- settings ------------------------------------------------------------------------------------


class ShownSetting(NamedTuple):
    """A setting as it may be printed.

    Attributes:
        value: Of a secret only whether it is set; "" when nothing is.
        chosen: Whether the operator set it.
        problem: Why it is wrong, or "".
    """

    name: str
    value: str
    chosen: bool
    problem: str = ""


def judge_settings(env: Mapping[str, str]) -> list[ShownSetting]:
    """Every setting, judged alone."""
    return [_show_setting(number, env) for number in range(len(SETTINGS))]


def _show_setting(number: int, env: Mapping[str, str]) -> ShownSetting:
    setting = SETTINGS[number]
    given = env.get(setting.name, "").strip()
    text = given or setting.default
    value = _MASKED if setting.secret and text else text
    try:
        if text:
            setting.parse(text)
    except ValueError as error:
        return ShownSetting(setting.name, value, bool(given), str(error))
    return ShownSetting(setting.name, value, bool(given))


def settings_checks(shown: Sequence[ShownSetting], settings: Settings | SettingsError) -> list[Check]:
    """Return what is wrong with the settings, or unwise about them."""
    wrong = [
        Check("settings", "error", f"{each.name} is wrong: {each.problem}.", "Correct it.")
        for each in shown
        if each.problem
    ]
    if isinstance(settings, SettingsError):
        return wrong or [Check("settings", "error", str(settings), "Set it.")]
    count = sum(each.chosen for each in shown)
    return [Check("settings", "ok", f"{count} are set, the others have their defaults."), *_advice(settings)]


def _advice(settings: Settings) -> Iterator[Check]:
    if not settings.telegram_bot_token:
        remedy = "Ask @BotFather for one and put it into TELEGRAM_BOT_TOKEN."
        yield Check("settings", "warning", "There is no bot: only `make run` in a terminal works.", remedy)
    if not settings.gemini_api_key:
        remedy = "Put a key of the Gemini API into GEMINI_API_KEY."
        yield Check("settings", "warning", "There is no model: answers quote memory, facts come from patterns.", remedy)
    if settings.spomyn_queue == "cloud-tasks" and not settings.telegram_webhook_secret:
        remedy = "Put one (`openssl rand -hex 32`) into TELEGRAM_WEBHOOK_SECRET, deploy it, then run `make webhook`."
        yield Check("settings", "error", "Anybody may pretend to be Telegram: the webhook has no secret.", remedy)
    if settings.telegram_webhook_secret and len(settings.telegram_webhook_secret) > 1:
        remedy = "Run `make webhook`, which gives Telegram the first, then deploy with that one alone."
        yield Check("settings", "warning", "Two webhook secrets are accepted: the old one still opens it.", remedy)
    if settings.spomyn_queue == "cloud-tasks" and not settings.oidc_check:
        remedy = "Set OIDC_CHECK to true, unless Google takes the signatures off (docs/security.md)."
        yield Check("settings", "warning", "The workers look at no token: IAM alone keeps strangers out.", remedy)


# --- store, queue, dead letters, time zones ------------------------------------------------------


async def look_at_store(environment: Environment) -> list[Check]:
    """Write, read and delete a probe; read a chat."""
    app, probe = environment.app, {"schema": SCHEMA, "at": environment.app.clock.now()}
    path = f"doctor/{app.ids.token()}"
    try:
        await app.store.set(path, probe)
        found = await app.store.get(path)
    finally:
        await app.store.delete(path)
    if found is None or found.data != probe or await app.store.get(path) is not None:
        return [Check("store", "error", "What is written is not what is read.", "Look at the store itself.")]
    return [
        Check("store", "ok", f"A probe was written, read and deleted ({_store_name(environment.settings)})."),
        await _schema(app),
    ]


def _store_name(settings: Settings) -> str:
    if settings.sqlite_path is not None:
        return settings.sqlite_path
    return f"Firestore {settings.google_cloud_project}/{settings.firestore_database}"


async def _schema(app: App) -> Check:
    chats = await app.store.query("chats", limit=1)
    schema = read_schema(chats[0]) if chats else SCHEMA
    if schema == SCHEMA:
        return Check("store", "ok", f"{await app.store.count('chats')} chats, documents of schema {SCHEMA}.")
    text = f"Its documents are of schema {schema}, this version reads {SCHEMA}."
    return Check("store", "error", text, "Run the version of Spomyn that wrote them.")


async def look_at_queue(environment: Environment) -> list[Check]:
    """Check how much waits in the queue."""
    now = environment.app.clock.now()
    backlog = await environment.app.queue.backlog(now)
    least = "" if backlog.complete else "at least "
    kind = environment.settings.spomyn_queue
    well = f"{least}{backlog.late} tasks are due, {least}{backlog.planned} are planned ({kind})."
    return as_checks("queue", judge_backlog(backlog, now), well)


async def look_at_dead_letters(environment: Environment) -> list[Check]:
    """Check what was given up within a day."""
    findings = await find_given_up(environment.app.store, environment.app.clock)
    return as_checks("dead letters", findings, "Nothing was given up within a day.")


async def look_at_archive(environment: Environment) -> list[Check]:
    """Put, get and delete a probe."""
    archive, where = environment.app.archive, environment.settings.spomyn_archive
    if archive is None:
        return [Check("archive", "unchecked", "There is none; SPOMYN_ARCHIVE says where exports are kept.")]
    key, probe = f"doctor/{environment.app.ids.token()}", b"a probe of doctor's"
    try:
        await archive.put(key, _yield_once(probe), content_type="text/plain")
        found = b"".join([piece async for piece in archive.get(key)])
    finally:
        kept = await _delete_probe(archive, key)
    if found != probe or (not kept and await archive.head(key) is not None):
        return [Check("archive", "error", "What is put is not what is got.", "Look at the bucket itself.")]
    if kept:
        text = f"The bucket keeps what is deleted ({kept} is a probe): an erasure is complete when its lock ends."
        return [Check("archive", "warning", text, "Choose the lock's time as short as erasure may take.")]
    return [Check("archive", "ok", f"A probe was put, got and deleted ({where}).")]


async def _yield_once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _delete_probe(archive: ObjectStore, key: str) -> str:
    """The key, when the bucket does not let go of it; else "".

    Raises:
        ArchiveUnavailable: It may still be there.
    """
    try:
        await archive.delete(key)
    except ObjectLocked:
        return key
    return ""


async def look_at_zones(environment: Environment) -> list[Check]:
    """The time zone database, by which chats have their nights."""
    names = zoneinfo.available_timezones()
    if len(names) < _ZONES or environment.settings.timezone not in names:
        text = f"The time zone database has {len(names)} names; that of TIMEZONE may be missing."
        return [Check("time zones", "error", text, "Install the system's tzdata, or `pip install tzdata`.")]
    return [Check("time zones", "ok", f"{len(names)} zones are known, {environment.settings.timezone} among them.")]
