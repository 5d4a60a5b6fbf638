"""What was taken in is answered as it is when it is answered, whatever happened meanwhile."""

import json

import pytest

from shared.application.documents import chat_path, message_path, update_path
from shared.application.intake.answering import answer_update, run_answer
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.errors import BadPayload
from tests.support import updates
from tests.support.group import CHAT

ASKED = "гряг, ти тут?"
OLYA, TARAS = (101, "Оля"), (102, "Тарас")


async def outcome_of(group, update):
    return (await group.store.get(update_path(update["update_id"]))).data["outcome"]


async def edited(group, update, text, **fields):
    message = json.loads(json.dumps(update["message"])) | {"text": text, "edit_date": 1_800_000_000} | fields
    assert await group.post({"update_id": update["update_id"] + 500, "edited_message": message}) == 200


async def test_a_question_that_was_edited_meanwhile_is_answered_as_it_reads_now(laptop):
    update = laptop.says("гряг, скільки буде 2+2?")
    await laptop.post(update)
    await edited(laptop, update, "гряг, what rules do we have here?")
    await laptop.answer()
    assert "without a language model" in laptop.answers[-1] or laptop.answers[-1].isascii()


async def test_a_command_that_was_edited_meanwhile_is_the_one_that_it_is_now(laptop):
    update = laptop.says("/gryadhelp")
    await laptop.post(update)
    command = {"entities": [{"type": "bot_command", "offset": 0, "length": len("/gryadstats")}]}
    await edited(laptop, update, "/gryadstats", **command)
    await laptop.answer()
    assert "/gryadstats - " not in laptop.answers[-1]


async def test_a_question_whose_message_was_forgotten_meanwhile_is_not_answered(group):
    update = group.says(ASKED)
    await group.post(update)
    await group.store.delete(message_path(CHAT, update["message"]["message_id"]))
    await group.answer()
    assert (group.answers, group.unanswered) == ([], 0)
    assert await outcome_of(group, update) == AnswerOutcome.FORGOTTEN


async def test_who_opted_out_meanwhile_is_not_answered_but_their_commands_are(laptop):
    asked, command = laptop.says(ASKED, *OLYA), laptop.says("/gryadhelp", *OLYA)
    await laptop.post(asked)
    await laptop.post(command)
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [OLYA[0]]})
    await laptop.answer()
    assert await outcome_of(laptop, asked) == AnswerOutcome.FORGOTTEN
    assert (await outcome_of(laptop, command), len(laptop.answers)) == (AnswerOutcome.ANSWERED, 1)


async def test_a_command_of_who_opted_out_is_stored_nowhere_and_answered(group):
    await group.say("привіт")
    await group.runtime.app.chats.change(CHAT, {"opted_out": [OLYA[0]]})
    update = group.says("/gryadoptin", *OLYA)
    await group.post(update)
    await group.answer()
    assert len(group.answers) == 1
    assert await group.store.get(message_path(CHAT, update["message"]["message_id"])) is None
    assert "gryadoptin" not in repr((await group.store.get(update_path(update["update_id"]))).data)


async def test_in_a_private_chat_everything_is_answered(laptop):
    laptop.api.add_chat(OLYA[0], "private")
    await laptop.say("ти тут?", *OLYA, chat=updates.chat(OLYA[0], "private"))
    assert [sent.chat_id for sent in laptop.api.sent] == [OLYA[0]]


@pytest.mark.parametrize("moved", [False, True], ids=["still there", "moved"])
async def test_a_group_that_became_a_supergroup_meanwhile_is_answered_there(laptop, moved):
    new = -1_001_000_000_999
    laptop.api.add_chat(new, "supergroup")
    await laptop.say("привіт")
    update = laptop.says(ASKED)
    await laptop.post(update)
    laptop.api.chats[CHAT].migrated_to = new
    migration = updates.message_update(None, update_id=950, migrate_to_chat_id=new)
    assert await laptop.post(migration) == 200
    if moved:
        due = [one for one in laptop.tasks.tasks.values() if "/migrate" in one.task.http_request.url]
        assert due
        await laptop.tasks.dispatch_due(laptop.clock.now(), queue=laptop.tasks.queue)
    await laptop.answer()
    assert [sent.chat_id for sent in laptop.api.sent] == [new]


async def test_the_bot_greets_a_group_once(laptop):
    joined = updates.membership_update("left", "member", update_id=940)
    for _ in range(2):
        assert await laptop.deliver(joined) == 200
    assert len(laptop.answers) == 1


async def test_run_again_it_is_dealt_with_already(laptop):
    update = await laptop.say(ASKED)
    outcome = await answer_update(laptop.runtime.app, update["update_id"])
    assert (outcome.result, len(laptop.answers)) == (AnswerOutcome.ALREADY_ANSWERED, 1)


async def test_of_what_was_never_asked_nothing_becomes(laptop):
    assert str(await answer_update(laptop.runtime.app, 77)) == "ignored: no such question"
    assert await laptop.store.get(chat_path(CHAT)) is None


@pytest.mark.parametrize("payload", [{}, {"update_id": "7"}, {"update_id": True}])
async def test_a_task_that_names_no_update_is_refused(laptop, payload):
    with pytest.raises(BadPayload):
        await run_answer(laptop.runtime.app, payload)


@pytest.mark.parametrize("payload", [{}, {"update_id": "1"}, {"update_id": True}, {"deliver": True}, {"deliver": 1}])
async def test_a_task_that_names_neither_an_update_nor_a_chat_is_no_task_of_ours(laptop, payload):
    with pytest.raises(BadPayload):
        await run_answer(laptop.runtime.app, payload)


async def test_what_waits_is_sent_by_a_task_of_the_answers_queue(laptop):
    """Behind an hour of extraction nobody's answer would be sent."""
    assert await run_answer(laptop.runtime.app, {"deliver": True, "chat_id": CHAT}) == {"sent": 0}
    await laptop.runtime.app.schedule.delivery(CHAT, mark="x", run_at=laptop.clock.now())
    (task,) = laptop.tasks.tasks.values()
    assert task.queue == laptop.tasks.answers
