"""What was asked before a stop is ended by it, and it says the same however often it runs."""

from shared.application.commands.stop import stop_older
from shared.application.delivery.closing import open_updates
from shared.application.delivery.ledger_codec import update_path
from tests.support.builders import message
from tests.support.delivery.answers import asked
from tests.support.group import CHAT


async def test_only_what_its_author_asked_before_it_in_its_chat_is_stopped(store):
    for update_id, fields in ((5, {}), (6, {"user_id": 102}), (7, {"chat_id": -5}), (9, {})):
        await asked(store, update_id, **fields)
        await store.update(update_path(update_id), {"ask": {"kind": "message"}})
    stop = message("стоп", chat_id=CHAT, message_id=8, user_id=101)
    assert await stop_older(store, stop, 8)
    assert await stop_older(store, stop, 8), "a second run is told what the first one did"
    assert not await stop_older(store, stop, 800), "another stop finds nothing"
    assert [each.update_id for each in await open_updates(store, CHAT, 101)] == [9]
    assert [each.update_id for each in await open_updates(store, CHAT, 102)] == [6]
    assert [each.update_id for each in await open_updates(store, -5, 101)] == [7]


async def test_the_word_in_private_or_in_reply_to_the_bot_is_enough(group):
    await group.say("стоп")
    assert group.answers == []
    bot = {"id": 123456, "is_bot": True, "first_name": "gryag", "username": "gryag_bot"}
    await group.say("стоп", reply_to_message={**group.says("?")["message"], "from": bot})
    assert group.answers == ["Зараз я нічого для вас не пишу."]
