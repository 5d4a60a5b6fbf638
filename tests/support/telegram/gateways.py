"""A gateway to the strict fake Bot API, and every call that it has."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

import pytest

from infra.telegram.gateway import TelegramGateway
from shared.application.ports.chat import MenuEntry, OutgoingFile, OutgoingText

TOKEN = "123456:fake-token"
CHAT = -1001
PRIVATE = 5
IMPATIENT = 0.25
HELLO = OutgoingText(html="<b>Привіт</b> &amp; вітаю", plain="Привіт & вітаю")


class FixedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 21, tzinfo=UTC)


@contextlib.asynccontextmanager
async def connected(api, timeout):
    gateway = TelegramGateway(TOKEN, api_url=api.url, clock=FixedClock(), timeout=timeout)
    yield gateway
    await gateway.aclose()


def plain(text: str) -> OutgoingText:
    return OutgoingText(html=text, plain=text)


def document(content: bytes = b"{}", *, name: str = "export.json", caption: OutgoingText = HELLO) -> OutgoingFile:
    return OutgoingFile(name, "application/json", content, caption)


PNG = b"\x89PNG\r\n\x1a\n" + b"\x00\x00\x00\rIHDR" + (640).to_bytes(4) + (480).to_bytes(4) + b"rest"
PICTURE = OutgoingFile("portrait.png", "image/png", PNG, HELLO)
MENU = (MenuEntry("gryadhelp", "довідка"), MenuEntry("gryadfacts", "що я знаю"))


CALLS = {
    "sendMessage": lambda gateway: gateway.send(CHAT, HELLO),
    "editMessageText": lambda gateway: gateway.edit(CHAT, 1, plain("new")),
    "deleteMessages": lambda gateway: gateway.delete(CHAT, [1]),
    "answerCallbackQuery": lambda gateway: gateway.answer_callback("1", "done"),
    "sendChatAction": lambda gateway: gateway.show_typing(CHAT),
    "sendMessageDraft": lambda gateway: gateway.show_draft(PRIVATE, 1, "…"),
    "sendPhoto": lambda gateway: gateway.send(CHAT, PICTURE),
    "sendDocument": lambda gateway: gateway.send(CHAT, document()),
    "getChatAdministrators": lambda gateway: gateway.administrators(CHAT),
    "getChatMember": lambda gateway: gateway.is_member(CHAT, 8),
    "setMyCommands": lambda gateway: gateway.set_menu("default", None, MENU),
    "getFile": lambda gateway: gateway.download("photo", limit_bytes=1000),
    "getMe": lambda gateway: gateway.me(),
    "getUpdates": lambda gateway: gateway.poll(offset=1, wait_seconds=0),
    "setWebhook": lambda gateway: gateway.set_webhook("https://example.org/", secret="s"),
    "deleteWebhook": lambda gateway: gateway.delete_webhook(),
    "getWebhookInfo": lambda gateway: gateway.webhook(),
}


FAULTS = pytest.mark.parametrize(
    "fault",
    [{"cut": "before"}, {"cut": "after"}, {"delay": 1.5}, *({"body": body} for body in (b"", b"<html>", b"[]", b"{}"))],
    ids=str,
)
