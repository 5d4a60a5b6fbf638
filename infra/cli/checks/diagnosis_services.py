"""The checks of `doctor` that ask Telegram, Google and the machine."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from datetime import timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple

import httpx

from infra.cli.checks.diagnosis import Check, Environment, as_checks
from infra.cli.checks.models import check_models, check_vectors
from infra.telegram.gateway import TelegramGateway
from shared.application.night.health import judge_webhook
from shared.application.ports.chat import WebhookInfo
from shared.application.ports.store import DocumentStore, Filter, Order
from shared.domain.errors import StoreUnavailable
from shared.settings import Settings

INDEXES = Path(__file__).resolve().parents[3] / "firestore.indexes.json"

SKEW, WRONG_CLOCK = timedelta(seconds=30), timedelta(minutes=5)
"""The most that this machine's clock may be off: after the first, windows and leases are judged wrongly; after the
second, signed requests and tokens may be refused (object storage refuses after 15 minutes)."""

LOW_DISK, NO_DISK = 1_000_000_000, 100_000_000
"""Bytes free beside the SQLite file: below the first the write-ahead log and an export may not fit (a chat of 20,000
messages takes some 30 MB), below the second writes will soon fail."""

_SECONDS = 10.0
_HEADER = "X-Telegram-Bot-Api-Secret-Token"


# --- Telegram ------------------------------------------------------------------------------------


async def look_at_telegram(environment: Environment) -> list[Check]:
    """Check whose token it is, and how updates come."""
    gateway = environment.app.gateway
    if not isinstance(gateway, TelegramGateway):
        return [Check("telegram", "unchecked", "There is no TELEGRAM_BOT_TOKEN.")]
    _, username = await gateway.me()
    return [_name(username, environment.settings), *await _webhook(environment, await gateway.webhook())]


def _name(username: str, settings: Settings) -> Check:
    if username.casefold() == settings.bot_username.casefold():
        return Check("telegram", "ok", f"The token is that of @{username}.")
    text = f"The token is that of @{username}, not of @{settings.bot_username}: nobody can mention the bot."
    return Check("telegram", "error", text, f"Put {username} into BOT_USERNAME.")


async def _webhook(environment: Environment, info: WebhookInfo) -> list[Check]:
    if not info.url and environment.settings.spomyn_queue == "local":
        return [Check("webhook", "ok", "None is set, as `make run` needs it: it polls.")]
    findings = judge_webhook(info, environment.app.clock.now())
    checks = as_checks("webhook", findings, f"Updates go to {info.url}; {info.pending} wait.")
    if not info.url:
        return checks
    expected = environment.webhook_url
    if expected is not None and expected.rstrip("/") != info.url.rstrip("/"):
        text = f"Updates go to {info.url}, not to {expected}."
        return [*checks, Check("webhook", "error", text, "Run `make webhook`.")]
    # Our secret goes only where the operator says that our function is: whoever took over the webhook must not get it.
    secrets = environment.settings.telegram_webhook_secret or ()
    secret = next(iter(secrets), None) if expected is not None else None
    return [*checks, await _knock(info.url, secret, asks=bool(secrets))]


async def _knock(url: str, secret: str | None, *, asks: bool) -> Check:
    """Ask the webhook function for a page: it has none, and says by how it refuses whether it is ours."""
    headers = {_HEADER: secret} if secret else {}
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as client:
            status = (await client.get(url, headers=headers)).status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        text = f"The webhook's address does not answer from here ({type(error).__name__})."
        return Check("webhook", "warning", text, "See that the function is deployed and open to Telegram.")
    return _refusal(status, with_secret=secret is not None, asks=asks)


def _refusal(status: int, *, with_secret: bool, asks: bool) -> Check:
    right = 405 if with_secret or not asks else 401
    if status == right and with_secret:
        return Check("webhook", "ok", "Spomyn answers there, and knows the secret.")
    if status == right:
        more = " Whether it is the right secret shows `--webhook-url ADDRESS`." if asks else ""
        return Check("webhook", "ok", f"Spomyn answers there{' and asks for its secret' if asks else ''}.{more}")
    if status == 401 and with_secret:
        text = "The function there has another secret than TELEGRAM_WEBHOOK_SECRET."
        return Check("webhook", "error", text, "Deploy it with this one, then run `make webhook`.")
    text = f"What answers there (HTTP {status}) is not Spomyn's webhook, or one without a secret."
    return Check("webhook", "error", text, "See that the function is deployed, then run `make webhook`.")


async def look_at_clock(environment: Environment) -> list[Check]:
    """This machine's clock beside that of the Bot API."""
    if not isinstance(environment.app.gateway, TelegramGateway):
        return [Check("clock", "unchecked", "There is no TELEGRAM_BOT_TOKEN, so nothing to compare with.")]
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as client:
            told = (await client.head(environment.settings.telegram_api_url)).headers.get("date")
    except httpx.HTTPError as error:
        return [Check("clock", "unchecked", f"The Bot API does not tell the time ({type(error).__name__}).")]
    if told is None:
        return [Check("clock", "unchecked", "The Bot API does not tell the time.")]
    skew = abs(environment.app.clock.now() - parsedate_to_datetime(told))
    if skew <= SKEW:
        return [Check("clock", "ok", "It agrees with the Bot API's.")]
    text = f"It is {skew.total_seconds():.0f} s off the Bot API's."
    return [Check("clock", "error" if skew > WRONG_CLOCK else "warning", text, "Synchronise it (NTP).")]


# --- Firestore's indexes -------------------------------------------------------------------------


class Index(NamedTuple):
    """A declared composite index: fields that a query compares for equality, and the one that it orders by."""

    collection: str
    fields: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.collection} ({', '.join(name for name, _ in self.fields)})"


def declared_indexes(text: str) -> Iterator[Index]:
    """Those of `firestore.indexes.json`."""
    for index in json.loads(text)["indexes"]:
        yield Index(index["collectionGroup"], tuple((f["fieldPath"], f["order"]) for f in index["fields"]))


async def look_at_indexes(environment: Environment) -> list[Check]:
    """A query of each index's shape, that finds nothing: Firestore refuses it when the index is not there."""
    if environment.settings.sqlite_path is not None:
        return [Check("indexes", "ok", "SQLite needs none.")]
    if environment.settings.firestore_emulator_host is not None:
        return [Check("indexes", "ok", "Not checked on an emulator: it needs none.")]
    if not INDEXES.is_file():
        return [Check("indexes", "unchecked", "firestore.indexes.json is not here: run this in a checkout.")]
    return await missing_indexes(
        environment.app.store, environment.settings, list(declared_indexes(INDEXES.read_text("utf-8")))
    )


async def missing_indexes(store: DocumentStore, settings: Settings, indexes: list[Index]) -> list[Check]:
    """One error for each index that is not there, with the command that makes it."""
    there = await asyncio.gather(*(_is_there(store, index) for index in indexes))
    missing = [index for index, found in zip(indexes, there, strict=True) if not found]
    if not missing:
        return [Check("indexes", "ok", f"All {len(indexes)} composite indexes are there.")]
    text = "is missing or still being built: queries that need it fail."
    return [Check("indexes", "error", f"{index} {text}", _creation(index, settings)) for index in missing]


async def _is_there(store: DocumentStore, index: Index) -> bool:
    from google.api_core.exceptions import FailedPrecondition

    *equal, (ordered, direction) = index.fields
    where = [Filter(name, "==", "doctor") for name, _ in equal]
    order = [Order(ordered, descending=direction == "DESCENDING")]
    try:
        await store.query(f"chats/0/{index.collection}", where=where, order_by=order, limit=1)
    except StoreUnavailable as error:
        if isinstance(error.__cause__, FailedPrecondition):
            return False
        raise
    return True


def _creation(index: Index, settings: Settings) -> str:
    fields = " ".join(f"--field-config=field-path={name},order={order.lower()}" for name, order in index.fields)
    return (
        f"gcloud firestore indexes composite create --project={settings.google_cloud_project} "
        f"--database='{settings.firestore_database}' --collection-group={index.collection} "
        f"--query-scope=COLLECTION {fields}"
    )


# --- models --------------------------------------------------------------------------------------


async def look_at_models(environment: Environment) -> list[Check]:
    """Check the models of the settings, and that the embedder gives vectors."""
    settings = environment.settings
    if not settings.gemini_api_key:
        return [Check("models", "unchecked", "There is no GEMINI_API_KEY.")]
    today = environment.app.clock.now().date()
    return [*await check_models(settings, today), await check_vectors(environment.app.embedder)]


# --- the machine ---------------------------------------------------------------------------------


async def look_at_disk(environment: Environment) -> list[Check]:
    """Room for the SQLite file."""
    if environment.settings.sqlite_path is None:
        return []
    folder = Path(environment.settings.sqlite_path).parent
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.1f} GB are free beside the SQLite file."
    if free >= LOW_DISK:
        return [Check("disk", "ok", text)]
    return [Check("disk", "error" if free < NO_DISK else "warning", text, "Make room, or move the file.")]
