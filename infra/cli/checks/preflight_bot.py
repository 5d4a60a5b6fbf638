"""The checks of `preflight` that ask Telegram and Gemini, and look at the bundles: nothing is changed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infra.cli.checks.diagnosis import Check
from infra.cli.checks.models import check_models, check_vectors
from infra.gemini.embedder import GeminiEmbedder
from infra.telegram.gateway import TelegramGateway
from shared.application.night.health import host_of
from shared.application.ports.system import Clock
from shared.domain.errors import SpomynError, TransientError
from shared.settings import SETTINGS, Settings

BUNDLES = ("webhook", "answer", "extract", "maintenance")

_NEEDED = {
    "TELEGRAM_BOT_TOKEN": "@BotFather gives it",
    "TELEGRAM_WEBHOOK_SECRET": "make one with `openssl rand -hex 32`",
    "GEMINI_API_KEY": "aistudio.google.com gives one; or set gemini = false in terraform/terraform.tfvars",
}
"""Secrets, and where they come from."""


def deployed_settings(env: Mapping[str, str], values: Mapping[str, Any]) -> tuple[list[Check], Settings]:
    """Return what is wrong with the settings that the functions will have, and those that are right.

    Args:
        env: The environment and `.env`, which hold the secrets.
        values: Terraform's variables: `settings` are the others; `gemini`, whether a model is wanted.
    """
    given = {name: env[name] for name in _NEEDED if env.get(name)} | dict(values.get("settings") or {})
    misfits = dict(_misfits(given))
    missing = [
        name for name in _NEEDED if not given.get(name) and (name != "GEMINI_API_KEY" or values.get("gemini", True))
    ]
    checks = [Check("settings", "error", f"{name} is wrong: {why}.", "Correct it.") for name, why in misfits.items()]
    checks += [
        Check("settings", "error", f"{name} is not set.", f"Put it into .env: {_NEEDED[name]}.") for name in missing
    ]
    strange = sorted(given.keys() - {setting.name for setting in SETTINGS})
    checks += [
        Check("settings", "error", f"settings holds {name}, which is none.", "See docs/settings.md for its right name.")
        for name in strange
    ]
    right = {name: text for name, text in given.items() if name not in misfits}
    named = _check_bot_names(env, given) if values else ()
    return [*checks, *named], Settings.from_env(right)


def _misfits(given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for setting in SETTINGS:
        try:
            if text := given.get(setting.name, "").strip():
                setting.parse(text)
        except ValueError as error:
            yield setting.name, str(error)


def _check_bot_names(env: Mapping[str, str], given: Mapping[str, str]) -> Iterator[Check]:
    """BOT_USERNAME stands in two places: the functions' is Terraform's, that of commands is in `.env`."""
    default = next(setting.default for setting in SETTINGS if setting.name == "BOT_USERNAME")
    here, there = env.get("BOT_USERNAME") or default, given.get("BOT_USERNAME") or default
    if here.casefold() != there.casefold():
        text = f"BOT_USERNAME is {here} in .env and {there} in Terraform's settings."
        yield Check("settings", "error", text, "Write the bot's name into both.")


async def look_at_bot(settings: Settings, clock: Clock, *, hosts: tuple[str, str], force: bool) -> list[Check]:
    """Check whose token it is, and whether somebody else gets its updates now.

    Args:
        hosts: Beginning and end of the webhook function's host.
        force: Take the updates from whoever gets them.
    """
    if not settings.telegram_bot_token:
        return [Check("bot", "unchecked", "There is no TELEGRAM_BOT_TOKEN.")]
    gateway = TelegramGateway(settings.telegram_bot_token, api_url=settings.telegram_api_url, clock=clock)
    try:
        _, username = await gateway.me()
        url = (await gateway.webhook()).url
    except TransientError as error:
        return [Check("bot", "error", f"Telegram does not answer: {error}.", "Check the network, then try again.")]
    except SpomynError as error:
        return [Check("bot", "error", f"Telegram does not take this token: {error}.", "Correct the token.")]
    finally:
        await gateway.aclose()
    return [_name(username, settings.bot_username), *_webhook(username, url, hosts, force=force)]


def _name(username: str, expected: str) -> Check:
    if username.casefold() == expected.casefold():
        return Check("bot", "ok", f"The token is that of @{username}.")
    text = f"TELEGRAM_BOT_TOKEN is that of @{username}, not of @{expected}."
    remedy = f'Put BOT_USERNAME = "{username}" into settings in terraform/terraform.tfvars and into .env, or take the '
    return Check("bot", "error", text, f"{remedy}other bot's token.")


def _webhook(username: str, url: str, hosts: tuple[str, str], *, force: bool) -> Iterator[Check]:
    host, (begins, ends) = host_of(url), hosts
    if url and not (host.startswith(begins) and host.endswith(ends)):
        text = f"Updates of @{username} go to {host} now, which would get no more."
        remedy = "Take another bot's token, or take the updates over with --force (make plan FORCE=1)."
        yield Check("bot", "warning" if force else "error", text, "" if force else remedy)


async def look_at_key(settings: Settings, clock: Clock, *, wanted: bool) -> list[Check]:
    """Check that the key of the Gemini API works and its models take what they will be sent: each writes a word."""
    if not wanted:
        return [Check("models", "ok", "None is wanted: answers will quote memory.")]
    if not settings.gemini_api_key:
        return [Check("models", "unchecked", "There is no GEMINI_API_KEY.")]
    checks = await check_models(settings, clock.now().date())
    if any(check.severity == "error" for check in checks):
        return checks
    embedder = GeminiEmbedder(
        api_key=settings.gemini_api_key,
        base_url=settings.google_gemini_base_url,
        model=settings.gemini_embedding_model,
    )
    try:
        return [*checks, await check_vectors(embedder)]
    finally:
        await embedder.aclose()


def look_at_bundles(root: Path, folder: Path) -> list[Check]:
    """Check that what would be deployed is made of the sources as they are.

    Args:
        root: The checkout.
        folder: Where the bundles are.
    """
    wrong = [(name, _stale(root, folder / f"{name}.zip", name)) for name in BUNDLES]
    checks = [Check("bundles", "error", f"{name}.zip {why}.", "Run `make bundle`.") for name, why in wrong if why]
    return checks or [Check("bundles", "ok", "They are made of the sources as they are.")]


def _stale(root: Path, bundle: Path, name: str) -> str:
    """Return what is wrong with a bundle, or "". Contents are compared, not times: a checkout makes all files new."""
    if not bundle.is_file():
        return "is not made yet"
    try:
        with zipfile.ZipFile(bundle) as opened:
            held = {info.filename: opened.read(info) for info in opened.infolist() if not info.is_dir()}
    except (zipfile.BadZipFile, OSError):
        return "is broken"
    changed = [path for path, content in held.items() if _differs(root, path, name, content)]
    return f"is older than the sources ({min(changed)})" if changed else ""


def _differs(root: Path, path: str, name: str, content: bytes) -> bool:
    source = root / ("functions" + f"/{name}/main.py" if path == "main.py" else path)
    if path.startswith(("shared/", "infra/")) or path == "main.py":
        return not source.is_file() or source.read_bytes() != content
    return False  # made by the bundler, of these
