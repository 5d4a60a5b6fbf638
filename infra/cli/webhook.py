"""`webhook`: tells Telegram where to deliver updates, and looks whether it does."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import SplitResult, urlsplit

import click
from rich.console import Console

from infra.cli import frame
from infra.cli.frame import FAILED, Failed, Session
from infra.telegram.gateway import TelegramGateway
from shared.application.commands.dispatch import publish_menu
from shared.application.night.health import host_of, judge_webhook
from shared.application.night.health_codec import HealthFinding
from shared.application.ports.chat import WebhookInfo
from shared.domain.text.plain import one_line

PORTS = (443, 80, 88, 8443)
"""The ports that Telegram delivers to (Bot API, setWebhook)."""

_CONNECTIONS = 40
"""Updates delivered at once: Telegram's own choice (Bot API, setWebhook), half of what one instance takes."""

_SHOWN = 200
_NEEDS = ("TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET")


@frame.command(
    "webhook",
    example="""\
python -m infra.cli webhook https://europe-west1-my-project.cloudfunctions.net/spomyn-webhook
python -m infra.cli webhook --check
python -m infra.cli webhook --delete""",
)
@click.argument("url", required=False)
@click.option(
    "--max-connections",
    type=click.IntRange(1, 100),
    default=_CONNECTIONS,
    show_default=True,
    help="Updates delivered at once.",
)
@click.option("--drop-pending", is_flag=True, help="Forget the updates that wait.")
@click.option("--check", is_flag=True, help="Only look; with URL also whether updates go there.")
@click.option(
    "--delete",
    is_flag=True,
    help="Deliver nowhere, with URL only if they go there; updates then wait at Telegram for a day.",
)
async def command(
    session: Session, *, url: str | None, max_connections: int, drop_pending: bool, check: bool, delete: bool
) -> int:
    """Have Telegram deliver updates to URL, with the secret; publish the menus; look whether it is so.

    URL is the webhook function's address: `make webhook` asks Terraform for it. It needs TELEGRAM_BOT_TOKEN,
    TELEGRAM_WEBHOOK_SECRET (of two the first, the new one) and BOT_USERNAME, which must be the token's bot. Doing it
    again changes nothing. Exit code 1 when updates would not come.
    """
    _check_options(url, drop_pending=drop_pending, check=check, delete=delete)
    gateway = await _gateway(session)
    if check:
        return _show(session, await gateway.webhook(), url)
    if delete:
        return await _delete(session, gateway, url, drop_pending=drop_pending)
    (secret, *_), address = session.settings.telegram_webhook_secret or (), url or ""
    before = await gateway.webhook()
    await gateway.set_webhook(address, secret=secret, max_connections=max_connections, drop_pending=drop_pending)
    menus = await publish_menu(session.app.gateway)
    return _show(session, await gateway.webhook(), url, before=before, menus=menus)


def _check_options(url: str | None, *, drop_pending: bool, check: bool, delete: bool) -> None:
    """Refuse a command line that asks for two things.

    Raises:
        Failed: The address cannot be a webhook.
        UsageError: The options contradict each other, or say nothing.
    """
    if check and (delete or drop_pending):
        raise click.UsageError("--check only looks: leave --delete and --drop-pending out.")
    if url is not None:
        check_address(url)
    elif not (check or delete):
        raise click.UsageError("Give the webhook function's URL (`make webhook` asks Terraform for it).")


def check_address(url: str) -> None:
    """Refuse an address to which Telegram cannot deliver, before Telegram is asked to.

    Raises:
        Failed: It is not https, its port is none of `PORTS`, or its host is of this machine or a private network.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS[0]
    except ValueError as error:
        raise Failed(f"{url} is no address: give the webhook function's, like https://…/spomyn-webhook.") from error
    if parts.scheme != "https" or not parts.hostname:
        raise Failed(f"{url} is not an https address: Telegram delivers to no other.")
    if port not in PORTS:
        raise Failed(f"Telegram does not deliver to port {port}: use {', '.join(map(str, PORTS[:-1]))} or {PORTS[-1]}.")
    if not _is_public(parts):
        raise Failed(f"Telegram cannot reach {parts.hostname}: give an address of the internet.")


def _is_public(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    if re.fullmatch(r"[\d.]+|.*:.*", host):
        try:
            return ipaddress.ip_address(host).is_global
        except ValueError:
            return False
    return "." in host and not host.endswith((".localhost", ".local", ".internal"))


async def _gateway(session: Session) -> TelegramGateway:
    """The Bot API, when the token is that of the bot we are told of.

    Raises:
        SettingsError: A setting is missing.
        Failed: The token is of another bot.
    """
    session.settings.require(_NEEDS, because="the webhook is the bot's and has a secret")
    gateway, expected = session.app.gateway, session.settings.bot_username
    if not isinstance(gateway, TelegramGateway):
        raise TypeError("a token is set, so the gateway is Telegram's")
    _, username = await gateway.me()
    if username.casefold() != expected.casefold():
        raise Failed(
            f"TELEGRAM_BOT_TOKEN is that of @{username}, not of @{expected}: "
            f"put {username} into BOT_USERNAME, or the other bot's token."
        )
    return gateway


async def _delete(session: Session, gateway: TelegramGateway, url: str | None, *, drop_pending: bool) -> int:
    for elsewhere in _check_url(await gateway.webhook(), url):
        raise Failed(f"{elsewhere.text} Nothing was deleted: without URL, --delete ends wherever they go.")
    await gateway.delete_webhook(drop_pending=drop_pending)
    info = await gateway.webhook()

    def tell(console: Console) -> None:
        console.print(f"Telegram delivers nowhere; {info.pending} updates wait.")

    session.show({"url": info.url, "pending": info.pending}, tell)
    return FAILED if info.url else 0


def _show(
    session: Session,
    info: WebhookInfo,
    url: str | None,
    *,
    before: WebhookInfo | None = None,
    menus: int | None = None,
) -> int:
    """Say what is so. After setting, an error of an earlier delivery is told but does not count."""
    findings = [*_check_url(info, url), *judge_webhook(info, session.app.clock.now())]
    moved_from = before.url if before is not None and before.url != info.url else ""
    session.show(
        {**_to_json(info, findings), "before": before and before.url, "menus": menus},
        lambda console: _tell(console, info, findings, moved_from, menus),
    )
    late = {"webhook_failing"} if before is not None else set()
    return FAILED if any(each.severity == "error" and each.kind not in late for each in findings) else 0


def _check_url(info: WebhookInfo, url: str | None) -> list[HealthFinding]:
    if url is None or info.url in ("", url):
        return []
    text = f"Updates go to {info.url}, not to {url}."
    return [
        HealthFinding(
            "webhook_elsewhere",
            "error",
            text,
            "run `make webhook`, or this command with the right URL and without --check",
        )
    ]


def _to_json(info: WebhookInfo, findings: Sequence[HealthFinding]) -> dict[str, Any]:
    return {
        "url": info.url,
        "allowed_updates": list(info.allowed_updates),
        "pending": info.pending,
        "last_error": info.last_error,
        "last_error_at": info.last_error_at,
        "findings": [{"severity": each.severity, "text": each.text, "remedy": each.remedy} for each in findings],
    }


def _tell(
    console: Console, info: WebhookInfo, findings: Sequence[HealthFinding], moved_from: str, menus: int | None
) -> None:
    for line in _lines(info, findings, moved_from, menus):
        console.print(line, soft_wrap=True)


def _lines(info: WebhookInfo, findings: Sequence[HealthFinding], moved_from: str, menus: int | None) -> Iterator[str]:
    if info.url:
        yield f"Updates go to {one_line(info.url, _SHOWN)}."
        yield f"Delivered are: {', '.join(info.allowed_updates) or 'the kinds that Telegram chooses'}."
        yield f"{info.pending} updates wait."
    if info.last_error_at is not None:
        said = one_line(info.last_error, _SHOWN)
        yield f"The last error of a delivery was at {info.last_error_at:%Y-%m-%d %H:%M:%S} UTC: {said}."
    if moved_from:
        yield f"Until now they went to {host_of(moved_from)}."
    if menus is not None:
        yield f"{menus} menus are set."
    for each in findings:
        yield f"{each.severity}: {each.text} {each.remedy[:1].upper()}{each.remedy[1:]}."
