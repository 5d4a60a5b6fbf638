"""The webhook over HTTP, real stores, the real Bot API and Cloud Tasks clients."""

import asyncio
import json
from datetime import timedelta

import pytest

from infra.telegram.updates import parse_update
from infra.web.http import MAX_BODY
from shared.application.intake.receive import receive_update
from tests.support import updates
from tests.support.group import CHAT, SECRET, running_group


async def test_without_the_secret_nothing_is_looked_at(laptop):
    assert await laptop.deliver(laptop.says("привіт"), secret="wrong") == 401
    assert await laptop.deliver(b"not json", secret="") == 401
    assert await laptop.messages() == []


async def test_only_json_by_post_is_served(laptop):
    headers = {"x-telegram-bot-api-secret-token": SECRET}
    assert (await laptop.http.get("/webhook", headers=headers)).status_code == 405
    assert (await laptop.http.put("/webhook", headers=headers)).headers["allow"] == "POST"
    assert await laptop.deliver(b"{}", **{"content-type": "text/plain"}) == 400


async def test_of_a_huge_body_the_beginning_is_recorded_and_it_need_not_come_again(laptop):
    body = b'{"update_id": 7, "message": "' + b"x" * MAX_BODY + b'"}'
    assert [await laptop.deliver(body) for _ in range(2)] == [200, 200]
    (record,) = await laptop.store.query("dead_letters")
    assert "size limit" in record.data["reason"]
    assert record.data["body"].startswith('{"update_id": 7')


@pytest.mark.parametrize("body", [b"not json", b"[1]", b"{}", b'{"update_id": "x"}', b"\xff\xfe", b"[" * 100_000])
async def test_what_cannot_be_parsed_is_recorded_once_and_acknowledged(laptop, body):
    assert await laptop.deliver(body) == 200
    assert await laptop.deliver(body) == 200
    (record,) = await laptop.store.query("dead_letters")
    assert record.data["kind"] == "update"


async def test_an_ordinary_message_costs_one_create_and_one_task_per_window(group):
    await group.say("перше")  # the chat itself is met here
    usage = group.store.usage
    before = (usage.reads, usage.writes)
    update = group.says("звичайне")
    assert await group.deliver(update) == 200
    reads, writes = usage.reads - before[0], usage.writes - before[1]
    assert (reads, writes) == (0, 1)
    assert len(group.tasks.tasks) == 1
    group.clock.advance(timedelta(minutes=2))
    before = (usage.reads, usage.writes)
    assert await group.deliver(group.says("у новому вікні")) == 200
    assert usage.reads - before[0] <= 1
    assert usage.writes - before[1] == 1
    assert len(group.tasks.tasks) == 2


async def test_even_the_first_message_of_a_chat_costs_one_read_and_two_writes(group):
    assert await group.deliver(group.says("перше")) == 200
    assert (group.store.usage.reads, group.store.usage.writes) == (1, 2)


async def test_a_redelivery_stores_and_answers_nothing_twice(group):
    update = group.says("гряг, що ти знаєш?")
    for _ in range(3):
        assert await group.deliver(update) == 200
    assert len(group.answers) == 1
    assert len(await group.messages()) == 2


async def test_two_instances_never_answer_at_once(group):
    update = group.says("гряг, ти тут?")
    group.api.fail_next("sendChatAction", delay=0.3)
    statuses = await asyncio.gather(*(group.deliver(update) for _ in range(4)))
    assert statuses == [200] * 4, "nobody waits for an answer, not even for one that is being made"
    assert len(group.answers) == 1
    group.clock.advance(timedelta(minutes=5))
    assert await group.deliver(update) == 200
    assert len(group.answers) == 1


async def test_who_dies_while_an_answer_is_made_is_followed_by_another_when_the_lease_is_over(group):
    update = group.says("гряг, ти тут?")
    await group.deliver(group.says("раніше"))
    assert await group.post(update) == 200
    group.store.arm(5)
    await group.answer()
    group.store.arm(None)
    assert (group.answers, group.unanswered) == ([], 1)
    group.clock.advance(timedelta(seconds=10))
    await group.answer()
    assert (group.answers, group.unanswered) == ([], 1), "it may be alive"
    await group.answer_later()
    assert len(group.answers) == 1


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_crash_anywhere_is_made_good_by_the_redelivery(sqlite_store, after):
    """Kill at every store call in turn: stored once, always answered, twice only where sending it was not noted."""
    async with running_group(sqlite_store) as group:
        await group.deliver(group.says("привіт"))
        twice = 0
        for die_at in range(1, 40):
            update = group.says("гряг, ти тут?")
            sent = len(group.answers)
            group.store.arm(die_at, after=after)
            status = await group.deliver(update)
            survived = group.store.calls < die_at
            group.store.arm(None)
            group.clock.advance(timedelta(minutes=2))
            assert await group.deliver(update) == 200
            await group.answer_later()
            assert sent < len(group.answers) <= sent + 2
            twice += len(group.answers) - sent - 1
            if survived:
                assert status == 200
                assert twice == (not after), "only a death between sending a piece and noting that"
                return
    pytest.fail("the update never came through unharmed")


async def test_what_the_bot_api_did_not_take_is_sent_when_the_task_runs_again(group):
    update = group.says("гряг, ти тут?")
    group.api.fail_next("sendMessage", status=500)
    assert await group.deliver(update) == 200
    assert group.answers == []
    await group.answer_later()
    assert len(group.answers) == 1


async def test_an_answer_that_may_have_arrived_is_sent_again(group):
    update = group.says("гряг, ти тут?")
    group.api.fail_next("sendMessage", cut="after")
    for _ in range(2):
        assert await group.deliver(update) == 200
        await group.answer_later()
    assert len(group.answers) == 2, "a lost answer is worse than a doubled one"


async def test_a_kicked_bot_marks_the_chat_inactive(group):
    await group.say("привіт")
    group.api.chats[CHAT].kicked = True
    assert await group.deliver(group.says("гряг, ти тут?")) == 200
    state = await group.runtime.app.chats.state(CHAT, fresh=True)
    assert not state.active


async def test_service_messages_and_unknown_updates_are_ignored_cleanly(group):
    await group.deliver(updates.message_update(None, update_id=70, new_chat_title="Нова назва"))
    await group.deliver({"update_id": 71, "poll": {"id": "1"}})
    await group.deliver({"update_id": 72, "something_new": {}})
    assert await group.messages() == []
    assert await group.store.query("dead_letters") == []


async def test_messages_out_of_order_are_all_kept(group):
    second, first = group.says("друге", message_id=2), group.says("перше", message_id=1)
    assert [await group.deliver(second), await group.deliver(first)] == [200, 200]
    assert [m["text"] for m in await group.messages()] == ["перше", "друге"]


async def test_an_edit_is_stored_and_an_older_version_does_not_undo_it(group):
    update = await group.say("о п'ятій")
    edit = json.loads(json.dumps(update))
    edit["edited_message"] = edit.pop("message") | {"text": "о шостій", "edit_date": 1_800_000_000}
    edit["update_id"] = 500
    assert await group.deliver(edit) == 200
    older = json.loads(json.dumps(edit))
    older["update_id"] = 501
    older["edited_message"] |= {"text": "о четвертій", "edit_date": 1_799_999_999}
    assert await group.deliver(older) == 200
    assert await group.deliver(update) == 200
    (stored,) = await group.messages()
    assert stored["text"] == "о шостій"


async def test_what_became_of_an_edit_is_told_to_the_log(laptop):
    update = await laptop.say("о п'ятій")
    edit = {"update_id": 500, "edited_message": update["message"] | {"text": "о шостій", "edit_date": 1_800_000_000}}
    older = {"update_id": 501, "edited_message": edit["edited_message"] | {"edit_date": 1_799_999_999}}
    told = [str(await receive_update(laptop.runtime.app, parse_update(each))) for each in (edit, older)]
    assert told == ["edited", "ignored: an older edit, or forgotten"]


async def test_an_edit_that_overtakes_its_message_wins(group):
    update = group.says("о п'ятій")
    edit = json.loads(json.dumps(update))
    edit["edited_message"] = edit.pop("message") | {"text": "о шостій", "edit_date": 1_800_000_000}
    assert await group.deliver(edit) == 200
    assert await group.deliver(update) == 200
    (stored,) = await group.messages()
    assert stored["text"] == "о шостій"


async def test_a_long_answer_is_split_below_telegrams_limit(group):
    from shared.domain.text.plain import utf16_length

    for i in range(40):
        await group.say(f"Нагадую: правило номер {i}! " + "дуже довгий текст 🙂 " * 40, 102, "Адмін")
    await group.say("гряг, що ти знаєш?")
    assert group.answers
    assert all(utf16_length(text) <= 4096 for text in group.answers)
