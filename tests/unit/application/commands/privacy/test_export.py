"""Somebody's own data goes into their private chat, once, or a link there is given."""

import contextlib
import itertools
import json

import pytest

from shared.application.commands.privacy.export import Wanted, exported_files, send_export
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.sending import say_once
from shared.application.documents import chat_path
from shared.application.forgetting.forget import forget_member
from shared.domain.errors import BadPayload, ChatUnavailable
from tests.support import updates
from tests.support.commands.member_files import HANNA, TARAS, file_of, opens_private_chat, told
from tests.support.faults import Crashed
from tests.support.group import CHAT


async def test_where_the_bot_may_not_write_first_a_link_asks_for_the_file(laptop):
    await told(laptop)
    await laptop.say("/gryadexport", *HANNA)
    await laptop.settle()
    assert laptop.api.sent[-1].chat_id == CHAT
    assert f"t.me/gryag_bot?start=export_{CHAT}" in laptop.answers[-1]
    opens_private_chat(laptop, HANNA)
    await laptop.say(f"/start export_{CHAT}", *HANNA, chat=updates.chat(HANNA[0]))
    await laptop.settle()
    to, exported = file_of(laptop)
    assert (to, exported["chat"]["chat_id"]) == (HANNA[0], CHAT)


async def test_the_link_gives_nobody_elses_data_and_says_nothing_of_the_chat(laptop):
    await told(laptop)
    opens_private_chat(laptop, (500, "Чужий"))
    private = {"chat": updates.chat(500)}
    await laptop.say(f"/start export_{CHAT}", 500, "Чужий", **private)
    await laptop.settle()
    assert laptop.api.sent[-1].file is None
    assert "Про вас у тому чаті я нічого не маю" in laptop.answers[-1]
    assert "Test" not in laptop.answers[-1]
    for broken in ("export_", "export_1x", "export_104_500", "export_99999999999999999999"):
        await laptop.say(f"/start {broken}", 500, "Чужий", **private)
        assert "Це посилання не діє" in laptop.answers[-1]
    await laptop.say(f"/start@gryag_bot export_{CHAT}", *TARAS)
    assert "/gryadexport" in laptop.answers[-1]  # in a group it is only the help


async def test_in_a_private_chat_it_is_that_chat(laptop):
    opens_private_chat(laptop, HANNA)
    await laptop.say("Я живу у Житомирі", *HANNA, chat=updates.chat(HANNA[0]))
    await laptop.say("/gryadexport", *HANNA, chat=updates.chat(HANNA[0]))
    await laptop.settle()
    to, exported = file_of(laptop)
    assert to == exported["chat"]["chat_id"] == HANNA[0]


def task_of(group):
    """The payload of the task that makes the file."""
    (stored,) = [each for each in group.tasks.tasks.values() if b"maintenance/export" in each.task.http_request.body]
    return json.loads(stored.task.http_request.body)


async def test_a_command_that_comes_again_sends_one_file(laptop):
    await told(laptop)
    opens_private_chat(laptop, HANNA)
    update = await laptop.say("/gryadexport", *HANNA)
    assert await laptop.deliver(update) == 200
    task = task_of(laptop)
    await laptop.settle()
    await send_export(laptop.runtime.app, task)
    assert len(laptop.api.sent) == 1


async def test_a_worker_may_die_after_any_store_call_and_sends_one_file(laptop):
    await told(laptop)
    opens_private_chat(laptop, HANNA)
    files = []
    for die_at in itertools.count(1):
        await laptop.say("/gryadexport", *HANNA)
        task, before = task_of(laptop), len(laptop.api.sent)
        laptop.store.arm(die_at, after=True)
        with contextlib.suppress(Crashed):
            await send_export(laptop.runtime.app, task)
        lived = laptop.store.calls < die_at
        laptop.store.arm(None)
        laptop.clock.advance(LEASE)
        await laptop.settle()
        files.append(len(laptop.api.sent) - before)
        if lived:
            break
    assert set(files) == {1}


async def test_neither_the_file_nor_its_caption_is_kept_in_the_private_chat(group):
    await told(group)
    opens_private_chat(group, HANNA)
    await group.say("/gryadexport", *HANNA)
    await group.settle()
    assert file_of(group)[0] == HANNA[0]
    assert [document.path async for document in group.store.subtree(chat_path(HANNA[0]))] == []


async def waiting(group):
    """How many answers lie in the ledger."""
    return len([entry for entry in await group.store.query("updates") if entry.data.get("outbox")])


async def test_a_file_that_could_not_be_sent_is_taken_back_when_they_are_forgotten(laptop):
    await told(laptop)
    opens_private_chat(laptop, HANNA)
    private = {"chat": updates.chat(HANNA[0])}
    await laptop.say(f"/start export_{CHAT}", *HANNA, **private)
    task = task_of(laptop)
    laptop.api.fail_next("sendDocument", status=500)
    with pytest.raises(ChatUnavailable):
        await send_export(laptop.runtime.app, task)
    assert await waiting(laptop) == 1
    await forget_member(laptop.runtime.app, CHAT, HANNA[0])
    assert await waiting(laptop) == 0
    await laptop.settle()
    assert [sent.file for sent in laptop.api.sent if sent.file] == []


async def test_of_several_files_for_a_closed_chat_the_link_is_said_once(laptop):
    await told(laptop)
    files = [b"{}", b"{}"]
    wanted = Wanted(CHAT, HANNA[0], CHAT, 3, None, "uk")
    state = await laptop.runtime.app.chats.state(CHAT)
    whole = exported_files(laptop.runtime.app.clock, laptop.runtime.app.policy, wanted, state, files)
    await say_once(laptop.runtime.app, CHAT, "x", whole)
    assert ["start=export_" in text for text in laptop.answers] == [True]


async def test_a_task_of_another_form_is_refused(laptop):
    whole = Wanted(CHAT, HANNA[0], CHAT, 3, None, "uk")._asdict()
    for payload in ({}, {**whole, "user_id": "104"}, {**whole, "message_id": True}, {**whole, "language": "de"}):
        with pytest.raises(BadPayload):
            await send_export(laptop.runtime.app, payload)
