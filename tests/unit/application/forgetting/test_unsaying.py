"""What the bot said is deleted in Telegram too, as far as Telegram lets it."""

import json
from itertools import chain

import pytest

from shared.application.forgetting.unsaying import WITHIN, unsay, unsay_later
from shared.domain.errors import BadPayload
from tests.support.group import CHAT


async def test_telegram_is_asked_for_a_hundred_at_once_and_that_it_refuses_harms_nothing(laptop):
    app, now = laptop.runtime.app, laptop.clock.now()
    said = dict.fromkeys(range(1, 131), now) | {-5: now, 900: now - WITHIN}
    assert await unsay_later(app.queue, app.clock, CHAT, said) == 2
    bodies = [json.loads(each.task.http_request.body) for each in laptop.tasks.tasks.values()]
    asked = [each["message_ids"] for each in bodies if "message_ids" in each]
    assert sorted(map(len, asked)) == [30, 100]
    assert sorted(chain.from_iterable(asked)) == list(range(1, 131))
    laptop.api.chats[CHAT].kicked = True
    assert await unsay(app, {"chat_id": CHAT, "message_ids": [1, 2]}) == {"deleted": 0}


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"chat_id": "1", "message_ids": [1]},
        {"chat_id": 1, "message_ids": []},
        {"chat_id": 1, "message_ids": ["1"]},
        {"chat_id": 1, "message_ids": [1, "2"]},
        {"chat_id": 1, "message_ids": 1},
        {"chat_id": 1, "message_ids": list(range(101))},
    ],
)
async def test_what_names_no_messages_is_refused(laptop, payload):
    with pytest.raises(BadPayload):
        await unsay(laptop.runtime.app, payload)
