"""What each failure of Telegram or of the network means."""

from __future__ import annotations

import asyncio
import socket

import pytest

from infra.telegram.gateway import TelegramGateway
from shared.domain.errors import ChatForbidden, ChatMigrated, ChatUnavailable, SendUncertain, SettingsError
from tests.support.telegram.bot_api import FakeBotApi
from tests.support.telegram.gateways import CALLS, CHAT, FAULTS, HELLO, TOKEN, FixedClock, plain

EVERY_CALL = pytest.mark.parametrize("method", CALLS)
SENDS = ("sendMessage", "sendPhoto", "sendDocument")
EVERY_SEND = pytest.mark.parametrize("method", SENDS)
REPEATABLE = pytest.mark.parametrize("method", [method for method in CALLS if method not in SENDS])


@pytest.fixture
async def run(api, gateway):
    """Runs the call that uses a Bot API method, with a message to edit in place."""
    await gateway.send(CHAT, plain("old"))
    api.calls.clear()
    api.sent.clear()
    return lambda method: CALLS[method](gateway)


IN_CHAT = pytest.mark.parametrize(
    "method", [*SENDS, "editMessageText", "sendChatAction", "getChatAdministrators", "getChatMember"]
)


@IN_CHAT
async def test_a_bot_that_was_kicked_is_told_so(run, api, method):
    api.chats[CHAT].kicked = True
    with pytest.raises(ChatForbidden):
        await run(method)


@IN_CHAT
async def test_a_chat_that_the_bot_is_not_in_is_forbidden(run, api, method):
    del api.chats[CHAT]
    with pytest.raises(ChatForbidden):
        await run(method)


@IN_CHAT
async def test_a_group_that_became_a_supergroup_names_its_new_id(run, api, method):
    api.chats[CHAT].migrated_to = -1009
    with pytest.raises(ChatMigrated) as caught:
        await run(method)
    assert caught.value.new_chat_id == -1009


@REPEATABLE
async def test_a_short_flood_wait_is_sat_out(run, api, method):
    api.fail_next(method, status=429, retry_after=0.2)
    started = asyncio.get_running_loop().time()
    await run(method)
    assert asyncio.get_running_loop().time() - started >= 0.2
    assert len(api.calls) == 2


@EVERY_CALL
async def test_a_long_flood_wait_is_passed_on_at_once(run, api, method):
    api.fail_next(method, status=429, retry_after=6)
    with pytest.raises(ChatUnavailable) as caught:
        await run(method)
    assert caught.value.retry_after == 6
    assert len(api.calls) == 1


async def test_a_second_flood_wait_is_passed_on(run, api):
    api.fail_next("sendChatAction", status=429, retry_after=0.2, times=2)
    with pytest.raises(ChatUnavailable) as caught:
        await run("sendChatAction")
    assert caught.value.retry_after == 0.2
    assert len(api.calls) == 2


@EVERY_SEND
async def test_a_message_sits_nothing_out_for_others_may_wait_in_its_chat(run, api, method):
    api.fail_next(method, status=429, retry_after=0.2)
    with pytest.raises(ChatUnavailable) as caught:
        await run(method)
    assert caught.value.retry_after == 0.2
    assert (len(api.calls), api.sent) == (1, [])


BODY = pytest.mark.parametrize("body", [None, b"<html>Bad Gateway</html>"])


@REPEATABLE
@pytest.mark.parametrize("status", [500, 502, 503, 504])
@BODY
async def test_an_error_of_telegrams_own_is_unavailability(run, api, method, status, body):
    api.fail_next(method, status=status, body=body)
    with pytest.raises(ChatUnavailable):
        await run(method)
    assert (len(api.calls), api.sent) == (1, [])


@EVERY_SEND
@pytest.mark.parametrize("status", [429, 503])
@BODY
async def test_a_message_that_was_turned_away_at_the_door_was_not_sent(run, api, method, status, body):
    api.fail_next(method, status=status, body=body)
    with pytest.raises(ChatUnavailable):
        await run(method)
    assert (len(api.calls), api.sent) == (1, [])


@EVERY_SEND
@pytest.mark.parametrize("status", [500, 502, 504])
@BODY
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_of_a_message_whose_answer_a_proxy_or_a_restart_took_away_nobody_knows(
    run, api, method, status, body, late
):
    api.fail_next(method, status=status, body=body, late=late)
    with pytest.raises(SendUncertain):
        await run(method)
    assert len(api.calls) == 1
    assert len(api.sent) == late


@FAULTS
@EVERY_SEND
async def test_a_message_whose_fate_is_unknown_is_never_sent_again(run, api, method, fault):
    api.fail_next(method, **fault)
    with pytest.raises(SendUncertain):
        await run(method)
    assert len(api.calls) == 1
    assert len(api.sent) == (0 if fault == {"cut": "before"} else 1)


@pytest.mark.parametrize("body", [b'{"ok": true, "result": {}}', b'{"ok": true, "result": true}'])
async def test_an_answer_that_is_no_message_leaves_the_fate_unknown(run, api, body):
    api.fail_next("sendMessage", body=body)
    with pytest.raises(SendUncertain):
        await run("sendMessage")


@FAULTS
@REPEATABLE
async def test_what_may_be_repeated_is_unavailable_when_its_fate_is_unknown(run, api, method, fault):
    api.fail_next(method, **fault)
    with pytest.raises(ChatUnavailable):
        await run(method)


async def test_a_gateway_works_again_after_a_fault(run, api):
    api.fail_next("sendMessage", cut="after")
    with pytest.raises(SendUncertain):
        await run("sendMessage")
    await run("sendMessage")
    assert len(api.sent) == 2


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@EVERY_CALL
async def test_a_connection_that_was_never_made_means_not_sent(method):
    gateway = TelegramGateway(TOKEN, api_url=f"http://127.0.0.1:{closed_port()}", clock=FixedClock())
    with pytest.raises(ChatUnavailable) as caught:
        await CALLS[method](gateway)
    assert caught.value.retry_after is None
    await gateway.aclose()


async def test_a_refused_connection_is_tried_once_more():
    port = closed_port()
    gateway = TelegramGateway(TOKEN, api_url=f"http://127.0.0.1:{port}", clock=FixedClock())
    sending = asyncio.create_task(gateway.send(CHAT, HELLO))
    await asyncio.sleep(0.05)
    async with FakeBotApi(TOKEN, port=port) as api:
        api.add_chat(CHAT)
        await sending
        assert len(api.sent) == 1
        await gateway.aclose()


@EVERY_CALL
async def test_a_token_that_telegram_does_not_know_is_a_setting_to_fix(api, method):
    gateway = TelegramGateway("123456:other", api_url=api.url, clock=FixedClock())
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN"):
        await CALLS[method](gateway)
    await gateway.aclose()
