"""The stand-in for Telegram's delivery keeps order, queues and limits: a kinder one would hide what a burst does."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.support.telegram.bot_api import FakeBotApi
from tests.support.telegram.bot_api_limits import SendingLimits
from tests.support.telegram.bot_api_rules import Refusal
from tests.support.telegram.delivery import TelegramDelivery
from tests.support.updates import button_update, chat, message_update


class Webhook:
    """Acknowledges when it is let to; `order` are the ids of updates as they came."""

    def __init__(self, *failures: int) -> None:
        self.order: list[int] = []
        self.at_once = self.most_at_once = 0
        self.open = asyncio.Event()
        self.open.set()
        self._failures = list(failures)

    async def post(self, update):
        self.order.append(update["update_id"])
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.open.wait()
        self.at_once -= 1
        return httpx.Response(self._failures.pop(0) if self._failures else 200, content=b"ok")


def said(update_id: int, chat_id: int = -1001):
    return message_update("x", update_id=update_id, message_id=update_id, chat=chat(chat_id))


async def test_the_next_update_of_a_chat_comes_when_the_one_before_was_acknowledged_and_chats_are_served_at_once():
    webhook = Webhook()
    webhook.open.clear()
    telegram = TelegramDelivery(FakeBotApi(), webhook.post)
    for update in (said(1), said(2), said(3, -1002)):
        telegram.push(update)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert (sorted(webhook.order), webhook.most_at_once) == ([1, 3], 2)
    webhook.open.set()
    await telegram.drained()
    assert sorted(webhook.order) == [1, 2, 3]
    assert webhook.order.index(1) < webhook.order.index(2)


async def test_what_was_not_acknowledged_comes_again_before_anything_else_of_its_chat():
    webhook = Webhook(503, 500)
    telegram = TelegramDelivery(FakeBotApi(), webhook.post, first_wait=0.0)
    first, second = telegram.push(said(1)), telegram.push(said(2))
    await telegram.drained()
    assert webhook.order == [1, 1, 1, 2]
    assert (first.statuses, second.statuses) == ([503, 500, 200], [200])
    assert second.latency >= 0


async def test_a_call_in_the_body_of_an_acknowledgement_is_done():
    async def post(_):
        return httpx.Response(200, json={"method": "answerCallbackQuery", "callback_query_id": "7", "text": "ні"})

    api = FakeBotApi()
    telegram = TelegramDelivery(api, post)
    telegram.push(button_update("data", update_id=1))
    await telegram.drained()
    assert [(call.method, call.params["text"]) for call in api.calls] == [("answerCallbackQuery", "ні")]


def test_more_than_twenty_messages_a_minute_into_a_group_are_refused_until_there_is_room():
    now = [0.0]
    limits = SendingLimits(lambda: now[0])
    for second in range(20):
        now[0] = float(second)
        limits.admit(-1, is_group=True)
    now[0] = 30.0
    with pytest.raises(Refusal) as refused:
        limits.admit(-1, is_group=True)
    assert (refused.value.status, refused.value.parameters) == (429, {"retry_after": 30})
    now[0] = 60.0
    limits.admit(-1, is_group=True)
    assert limits.refused == 1


def test_one_message_a_second_goes_into_a_chat_and_thirty_into_all():
    now = [0.0]
    limits = SendingLimits(lambda: now[0])
    limits.admit(1, is_group=False)
    with pytest.raises(Refusal):
        limits.admit(1, is_group=False)
    for other in range(2, 31):
        limits.admit(other, is_group=False)
    with pytest.raises(Refusal):
        limits.admit(99, is_group=False)
    now[0] = 1.0
    limits.admit(99, is_group=False)
