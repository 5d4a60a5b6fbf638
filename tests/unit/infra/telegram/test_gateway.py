"""What only Telegram's own gateway does: polling, the webhook, a token that nobody sees."""

from __future__ import annotations

import asyncio
import logging
import traceback
from datetime import UTC, datetime

import pytest

from infra.telegram.gateway import ALLOWED_UPDATES, TelegramGateway
from shared.application.ports.chat import WebhookInfo
from shared.domain.errors import ChatUnavailable, MessageRejected, SendUncertain, SettingsError
from tests.support.telegram.bot_api import FIRST_DATE
from tests.support.telegram.gateways import CHAT, HELLO, IMPATIENT, FixedClock, connected, plain
from tests.support.updates import message_update


@pytest.fixture
async def impatient(api):
    async with connected(api, IMPATIENT) as gateway:
        yield gateway


async def test_half_an_emoji_does_not_stop_a_message(gateway, api):
    await gateway.send(CHAT, plain("x \ud83d"))
    assert api.sent[0].text == "x \ufffd"


async def test_a_bot_without_a_webhook_is_told_so(gateway):
    assert await gateway.webhook() == WebhookInfo(url="")


async def test_the_webhook_is_told_with_what_waits_and_what_failed_last(gateway, api):
    api.webhook = {"url": "https://webhook.example/", "allowed_updates": ["message", "callback_query"]}
    api.webhook_error = (FIRST_DATE, "Wrong response from the webhook: 500 Internal Server Error")
    api.push(message_update("hi"), message_update("ho"))
    assert await gateway.webhook() == WebhookInfo(
        url="https://webhook.example/",
        pending=2,
        last_error="Wrong response from the webhook: 500 Internal Server Error",
        last_error_at=datetime.fromtimestamp(FIRST_DATE, UTC),
        allowed_updates=("message", "callback_query"),
    )


@pytest.mark.parametrize("token", ["", "no-colon", "1:a b"])
def test_a_malformed_token_stops_start_up(token):
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        TelegramGateway(token, clock=FixedClock())


async def test_the_token_appears_in_no_log_and_no_error(gateway, api, caplog):
    caplog.set_level(logging.DEBUG)
    api.fail_next("sendMessage", body=b"<html>secret words</html>")
    with pytest.raises(SendUncertain) as caught:
        await gateway.send(CHAT, HELLO)
    api.fail_next("getMe", cut="before")
    with pytest.raises(ChatUnavailable) as again:
        await gateway.me()
    text = caplog.text + "".join(line for error in (caught, again) for line in traceback.format_exception(error.value))
    assert "fake-token" not in text
    assert "secret words" not in text


async def test_the_bot_knows_itself(gateway):
    assert await gateway.me() == (123456, "spomyn_bot")


async def test_polling_yields_raw_updates_and_confirms_by_offset(gateway, api):
    hostile = message_update("x", update_id=6, date=10**15, new_field={"deep": [1]})
    api.push(message_update(update_id=5), hostile)
    assert await gateway.poll() == [message_update(update_id=5), hostile]
    assert await gateway.poll(offset=7, wait_seconds=0) == []
    assert api.calls[0].params == {"timeout": 25, "allowed_updates": list(ALLOWED_UPDATES)}


async def test_polling_waits_for_news_longer_than_other_calls(impatient, api):
    polling = asyncio.create_task(impatient.poll(offset=1, wait_seconds=5))
    await asyncio.sleep(2 * IMPATIENT)
    api.push(message_update(update_id=5))
    assert len(await polling) == 1
    assert [call.method for call in api.calls] == ["getUpdates"]


async def test_polling_beside_a_webhook_is_unavailable_until_it_is_deleted(gateway, api):
    api.webhook = {"url": "https://example.org/"}
    with pytest.raises(ChatUnavailable, match="webhook"):
        await gateway.poll(wait_seconds=0)
    await gateway.delete_webhook()
    assert await gateway.poll(wait_seconds=0) == []


async def test_a_webhook_is_set_with_its_secret_and_every_kind_of_update(gateway, api):
    api.push(message_update(update_id=5))
    await gateway.set_webhook("https://example.org/hook", secret="s-1", max_connections=7)
    assert api.calls[-1].params["secret_token"] == "s-1"
    info = await gateway.webhook()
    assert (info.url, info.pending, info.allowed_updates) == ("https://example.org/hook", 1, ALLOWED_UPDATES)
    await gateway.set_webhook("https://example.org/hook", secret="s-1", drop_pending=True)
    assert (await gateway.webhook()).pending == 0


async def test_an_address_that_telegram_refuses_is_refused_in_its_words(gateway):
    with pytest.raises(MessageRejected, match="ports 80, 88, 443 or 8443"):
        await gateway.set_webhook("https://example.org:444/", secret="s")


async def test_a_closed_gateway_opens_again_when_used(gateway, api):
    await gateway.aclose()
    await gateway.aclose()
    await gateway.send(CHAT, HELLO)
    assert len(api.sent) == 1
