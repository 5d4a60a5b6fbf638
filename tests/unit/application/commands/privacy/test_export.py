"""Somebody's own data goes into their private chat, once, or a link there is given."""

import contextlib
import itertools
import json
from datetime import timedelta

import pytest

from shared.application.commands.privacy.export import Wanted, exported_files, member_export, send_export
from shared.application.delivery.ledger_codec import LEASE
from shared.application.delivery.outbox_codec import LARGEST
from shared.application.delivery.sending import say_once
from shared.application.documents import chat_path, message_path
from shared.application.forgetting.forget import forget_member
from shared.application.ports.store import Set
from shared.domain.conversation.messages import Message
from shared.domain.errors import BadPayload, ChatUnavailable, TransientError
from tests.support import updates
from tests.support.commands.member_files import HANNA, TARAS, file_of, opens_private_chat, told
from tests.support.faults import Crashed
from tests.support.group import CHAT, FRIDAY, running_group
from tests.support.stores.messages import new_message_fields

DAYS = timedelta(days=90)


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


@pytest.mark.parametrize(
    ("status", "tried"),
    [(500, contextlib.nullcontext()), (503, pytest.raises(ChatUnavailable))],
    ids=["it waits, for it may have arrived", "its own task sends it again"],
)
async def test_a_file_that_could_not_be_sent_is_taken_back_when_they_are_forgotten(laptop, status, tried):
    await told(laptop)
    opens_private_chat(laptop, HANNA)
    private = {"chat": updates.chat(HANNA[0])}
    await laptop.say(f"/start export_{CHAT}", *HANNA, **private)
    task = task_of(laptop)
    laptop.api.fail_next("sendDocument", status=status)
    with tried:
        await send_export(laptop.runtime.app, task)
    assert await waiting(laptop) == 1
    await forget_member(laptop.runtime.app, CHAT, HANNA[0])
    assert await waiting(laptop) == 0
    await laptop.settle()
    assert [sent.file for sent in laptop.api.sent if sent.file] == []


async def told_much(group):
    """Somebody said more than fits into the record of an answer."""
    await told(group)
    opens_private_chat(group, HANNA)
    said = [Message(CHAT, n, FRIDAY, *HANNA, text="довге слово " * 300) for n in range(1_000, 1_090)]
    stored = {message_path(CHAT, m.message_id): new_message_fields(m, now=FRIDAY, retention=DAYS) for m in said}
    await group.store.batch([Set(path, fields) for path, fields in stored.items()])


async def outlast(group, hours):
    """Let hours pass in which the queue tries what it can, again and again."""
    for _ in range(4 * hours):
        group.clock.advance(timedelta(minutes=15))
        await group.work()


FAULTS = [{"status": 500}, {"status": 503}, {"status": 429, "retry_after": 5}]
OUTAGES = pytest.mark.parametrize("fault", FAULTS, ids=str)


@OUTAGES
async def test_a_file_too_large_for_its_record_outlasts_an_outage_and_arrives_once(store, fault):
    async with running_group(store) as group:
        await told_much(group)
        group.api.fail(**fault)
        await group.say("/gryadexport", *HANNA)
        await outlast(group, 1)
        assert (group.api.sent, await waiting(group)) == ([], 0)
        group.api.recover()
        await group.settle()
        (sent,) = group.api.sent
        assert len(sent.file.content) > LARGEST
        texts = [each["text"] for each in json.loads(sent.file.content)["messages"]]
        assert texts.count("довге слово " * 300) == 90


@OUTAGES
async def test_what_is_forgotten_in_an_outage_is_not_sent_after_it_however_large(laptop, fault):
    await told_much(laptop)
    laptop.api.fail(**fault)
    await laptop.say("/gryadexport", *HANNA)
    await outlast(laptop, 1)
    await forget_member(laptop.runtime.app, CHAT, HANNA[0])
    laptop.api.recover()
    await laptop.settle()
    assert laptop.api.sent == []


@OUTAGES
async def test_of_several_large_files_none_is_lost_or_repeated_when_a_sender_dies_in_an_outage(laptop, fault):
    await told(laptop)
    opens_private_chat(laptop, HANNA)
    app, files = laptop.runtime.app, [json.dumps({"part": n, "is": "x" * LARGEST}).encode() for n in range(3)]
    state = await app.chats.state(CHAT)
    whole = exported_files(app.clock, app.policy, Wanted(CHAT, HANNA[0], CHAT, 3, None, "uk"), state, files)
    for die_at in itertools.count(1):
        laptop.api.sent.clear()
        laptop.store.arm(die_at, after=True)
        with contextlib.suppress(Crashed):
            await say_once(app, CHAT, f"x{die_at}", whole)
        lived = laptop.store.calls < die_at
        laptop.store.arm(None)
        for is_away in (True, True, False, False):
            laptop.clock.advance(LEASE)
            laptop.api.recover()
            if is_away and not lived:
                laptop.api.fail(**fault)
            with contextlib.suppress(TransientError):
                await say_once(app, CHAT, f"x{die_at}", whole)
        assert [json.loads(sent.file.content)["part"] for sent in laptop.api.sent] == [0, 1, 2]
        if lived:
            break


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


async def test_the_file_goes_into_the_private_chat_and_holds_what_is_theirs(group):
    await told(group)
    opens_private_chat(group, HANNA)
    await group.say("гряг, де я живу?", *HANNA)
    await group.say("/gryadexport", *HANNA)
    await group.settle()
    to, exported = file_of(group)
    assert to == HANNA[0]
    assert (exported["format"], exported["version"], exported["part"], exported["parts"]) == (
        "spomyn-member-export",
        1,
        1,
        1,
    )
    assert exported["chat"]["chat_id"] == CHAT
    assert exported["member"]["name"] == "Ганна"
    assert exported["member"]["opted_out"] is False
    assert [m["text"] for m in exported["messages"]] == ["Я живу у Житомирі", "гряг, де я живу?", "/gryadexport"]
    (home,) = exported["facts_about_me"]
    assert home["my_words"]["quotes"][0]["quote"] == "Я живу у Житомирі"
    assert [version["change"] for version in home["versions"]] == ["creation"]
    (rule,) = exported["facts_i_spoke_about"]
    assert rule["my_words"]["quotes"] == []
    assert [voice["supports"] for voice in rule["my_words"]["votes"]] == [True]
    assert [answer["question"] for answer in exported["answers_to_me"]] == ["гряг, де я живу?"]
    assert "Тарас" not in json.dumps(exported, ensure_ascii=False)
    assert "політик" not in json.dumps(exported, ensure_ascii=False)
    assert "102" not in json.dumps(exported["facts_i_spoke_about"])


async def test_what_they_quoted_or_forwarded_is_not_theirs(laptop):
    opens_private_chat(laptop, HANNA)
    first = await laptop.say("Мій секретний борщ", *TARAS)
    quoting = {"reply_to_message": first["message"], "quote": {"text": "секретний борщ", "position": 4}}
    await laptop.say("Смачно", *HANNA, **quoting)
    origin = {"type": "user", "date": first["message"]["date"], "sender_user": updates.user(*TARAS)}
    await laptop.say("Мій секретний борщ", *HANNA, forward_origin=origin)
    await laptop.say("/gryadexport", *HANNA)
    await laptop.settle()
    _, exported = file_of(laptop)
    assert [(m["text"], m["forwarded"]) for m in exported["messages"][:2]] == [("Смачно", False), ("", True)]
    assert "борщ" not in json.dumps(exported, ensure_ascii=False)


async def test_who_opted_out_gets_theirs_too(laptop):
    opens_private_chat(laptop, HANNA)
    await told(laptop)
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.say("/gryadexport", *HANNA)
    await laptop.settle()
    _, exported = file_of(laptop)
    assert exported["member"]["opted_out"] is True
    assert exported["messages"][0]["text"] == "Я живу у Житомирі"


async def test_many_messages_are_split_into_files_that_each_can_be_read(laptop):
    app = laptop.runtime.app
    said = [
        Message(CHAT, n, FRIDAY + timedelta(seconds=n), HANNA[0], HANNA[1], text=f"Повідомлення {n}")
        for n in range(1, 301)
    ]
    laptop.ids().keep(300)
    await laptop.store.batch(
        [
            Set(message_path(CHAT, m.message_id), new_message_fields(m, now=FRIDAY, retention=app.policy.retention))
            for m in said
        ]
    )
    state = await app.chats.state(CHAT, fresh=True)
    files = await member_export(app.store, app.clock, state, HANNA[0], part_bytes=20_000)
    parts = [json.loads(file) for file in files]
    assert len(parts) > 2
    assert all(len(file) <= 21_000 for file in files)
    assert [message["text"] for part in parts for message in part["messages"]] == [message.text for message in said]
    assert [part["part"] for part in parts] == list(range(1, len(parts) + 1))
    assert [("member" in part) for part in parts] == [True] + [False] * (len(parts) - 1)
