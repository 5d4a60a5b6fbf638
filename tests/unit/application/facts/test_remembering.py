"""What happens between `/gryadremember` and its worker: nothing that is gone or was taken back is learnt or told."""

import copy
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.migration import begin_migration
from shared.application.commands.chat.portrait_drawing import draw_portrait
from shared.application.commands.facts.remember import remember_asked
from shared.application.documents import chat_path
from shared.application.facts.remembering import member_names, obstacle
from shared.application.facts.statements import Obstacle, in_own_words
from shared.application.forgetting.forget import forget_member
from shared.application.reading.moving import move_chat
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.errors import BadPayload, Contention
from tests.support import updates
from tests.support.delivery.answers import MINUTE, fill_the_minute
from tests.support.group import CHAT
from tests.support.talk import said

OLYA, TARAS = (101, "Оля"), (102, "Тарас")
WORDS = "Я живу у Житомирі"
NEW = -1009999


async def asked(group, words=WORDS, **fields):
    """A command whose worker has not come yet; the update, and the payload of its task."""
    update = await group.say(f"/gryadremember {words}", *OLYA, **fields)
    message = update["message"]
    place = {"chat_id": message["chat"]["id"], "message_id": message["message_id"]}
    return update, {**place, "thread_id": message.get("message_thread_id"), "language": "uk"}


def edited(update, text):
    body = copy.deepcopy(update["message"]) | {"text": text, "edit_date": update["message"]["date"] + 60}
    body["entities"] = updates.entities_of(text)
    return {"update_id": update["update_id"] + 5_000, "edited_message": body}


async def traces(group, word="житомир"):
    documents = [repr(document) async for document in group.store.subtree(chat_path(CHAT))]
    documents += [repr(document) for document in await group.store.query("updates")]
    return [document for document in documents if word in document.casefold()]


class Meanwhile:
    """A store on which something happens, once: when the words are read and about to be learnt, or the answer is made
    and about to be said."""

    def __init__(self, store, happens, *, before):
        self._store, self._happens, self._before = store, happens, before

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def get(self, path):
        await self._at("learning", path)
        return await self._store.get(path)

    async def create(self, path, data):
        await self._at("updates/say-", path)
        return await self._store.create(path, data)

    async def _at(self, what, path):
        if what == self._before and what in path and (happens := self._happens) is not None:
            self._happens = None
            await happens()


async def test_what_is_forgotten_while_the_worker_makes_its_answer_is_not_told(group):
    _, task = await asked(group)
    app = group.runtime.app

    async def forget():
        await forget_member(app, CHAT, OLYA[0])

    with pytest.raises(Contention):
        await remember_asked(replace(app, store=Meanwhile(app.store, forget, before="updates/say-")), task)
    assert await remember_asked(app, task) == {"told": 0}
    assert (group.answers, await group.facts(), await traces(group)) == ([], [], [])


@pytest.mark.parametrize("words", ["/gryadhelp", "/gryadremember", "Ні, не треба"])
async def test_a_command_that_is_edited_into_something_else_before_its_worker_comes_is_left_alone(laptop, words):
    update, _ = await asked(laptop)
    assert await laptop.deliver(edited(update, words)) == 200
    await laptop.work()
    assert [f for f in await laptop.facts() if f["subject"] == "user:101"] == []
    assert laptop.answers == []


async def test_of_a_command_that_is_edited_before_its_worker_comes_the_new_words_count(laptop):
    update, _ = await asked(laptop)
    assert await laptop.deliver(edited(update, f"/gryadremember {WORDS} з Марком і двома котами")) == 200
    await laptop.settle()
    assert [[e["quote"] for e in f["evidence"]] for f in await laptop.facts()] == [[f"{WORDS} з Марком і двома котами"]]
    assert sum("котами" in each for each in laptop.answers) == 1


async def test_of_a_command_that_is_edited_while_it_is_learnt_nothing_of_the_old_words_stays(laptop):
    update, task = await asked(laptop, "ключ під килимком")
    app = laptop.runtime.app

    async def edit():
        assert await laptop.deliver(edited(update, "/gryadremember можливо, ключ під килимком")) == 200
        await laptop.work()

    with pytest.raises(Contention):
        await remember_asked(replace(app, store=Meanwhile(app.store, edit, before="learning")), task)
    await remember_asked(app, task)
    assert [f for f in await laptop.facts() if f["status"] == "active" or f["evidence"]] == []
    assert ["припущення" in each for each in laptop.answers] == [True]


@pytest.mark.parametrize(
    ("change", "told"),
    [({"private_mode": True}, "приватний режим"), ({"opted_out": [101]}, "/gryadoptin")],
    ids=["private", "opted out"],
)
async def test_what_is_chosen_before_the_worker_comes_holds(laptop, change, told):
    await asked(laptop)
    await laptop.runtime.app.chats.change(CHAT, change)
    await laptop.work()
    assert await laptop.facts() == []
    assert told in laptop.answers[-1]
    assert WORDS not in laptop.answers[-1]


async def test_what_was_said_in_private_mode_is_not_learnt_when_it_is_over(laptop):
    await laptop.runtime.app.chats.change(CHAT, {"private_mode": True})
    await asked(laptop)
    await laptop.runtime.app.chats.change(CHAT, {"private_mode": False})
    await laptop.work()
    assert await laptop.facts() == []
    assert len(laptop.answers) == 1


# --- a group that becomes a supergroup ----------------------------------------------------------


async def test_a_command_that_is_still_to_be_moved_waits_and_is_told_in_the_supergroup(group):
    group.api.add_chat(NEW, "supergroup", members={101})
    _, task = await asked(group)
    app = group.runtime.app
    await begin_migration(app, CHAT, NEW)
    with pytest.raises(Contention):
        await remember_asked(app, task)
    await move_chat(app, CHAT, NEW)
    assert await remember_asked(app, task) == {"told": 1}
    (fact,) = await group.facts(NEW)
    assert fact["evidence_message_ids"] == [migrated_message_id(task["message_id"])]
    (said,) = group.api.sent
    assert (said.chat_id, said.reply_to, "Запам'ятав, Оля" in said.text) == (NEW, None, True)


@pytest.mark.parametrize(("job", "said"), [(remember_asked, "Запам'ятав"), (draw_portrait, "Ще зарано")])
async def test_what_was_told_before_a_group_became_a_supergroup_is_not_told_again_there(laptop, job, said):
    laptop.api.add_chat(NEW, "supergroup", members={101})
    _, task = await asked(laptop)
    app = laptop.runtime.app
    await job(app, task)
    await begin_migration(app, CHAT, NEW)
    await move_chat(app, CHAT, NEW)
    await job(app, task)
    assert [said in each for each in laptop.answers] == [True]


# --- the task itself ------------------------------------------------------------------------------


async def test_tasks_that_come_twice_and_in_another_order_learn_and_tell_each_command_once(group):
    _, first = await asked(group)
    _, second = await asked(group)
    for task in (second, first, second, first):
        assert await remember_asked(group.runtime.app, task) == {"told": 1}
    (fact,) = await group.facts()
    assert fact["evidence_message_ids"] == [first["message_id"], second["message_id"]]
    assert [said.reply_to for said in group.api.sent] == [second["message_id"], first["message_id"]]


@pytest.mark.parametrize("job", [remember_asked, draw_portrait])
@pytest.mark.parametrize(
    "fault",
    [
        *({"chat_id": True}, {"message_id": True}, {"message_id": "1"}, {"thread_id": "7"}, {"thread_id": False}),
        *({"language": "de"}, {"language": ["uk"]}, {"chat_id": None}),
    ],
)
async def test_a_payload_of_another_shape_is_refused_for_good(laptop, job, fault):
    place = {"chat_id": CHAT, "message_id": 1, "thread_id": None, "language": "uk"}
    with pytest.raises(BadPayload, match="the task needs"):
        await job(laptop.runtime.app, {**place, **fault})


async def test_it_is_told_in_the_topic_where_it_was_asked(laptop):
    laptop.api.add_chat(CHAT, admins={102}, is_forum=True)
    forum = updates.chat(is_forum=True)
    await asked(laptop, chat=forum, is_topic_message=True, message_thread_id=7)
    await laptop.work()
    (said,) = laptop.api.sent
    assert (said.thread_id, said.reply_to) == (7, 1)


async def test_in_a_private_chat_it_is_remembered_there(laptop):
    laptop.api.add_chat(101, "private")
    await asked(laptop, chat={"id": 101, "type": "private", "first_name": "Оля"})
    await laptop.work()
    (said,) = laptop.api.sent
    assert (said.chat_id, "Запам'ятав, Оля" in said.text) == (101, True)
    assert (len(await laptop.facts(101)), await laptop.facts()) == (1, [])


async def test_who_left_before_the_worker_comes_is_answered_for_what_stays(laptop):
    await asked(laptop)
    laptop.api.add_chat(CHAT, admins={102}, members={103})
    await laptop.work()
    assert "Запам'ятав" in laptop.answers[-1]


# --- what Telegram does not take now, and what it refuses ---------------------------------------------------


async def test_where_the_group_has_no_room_the_answer_waits_and_what_was_asked_is_learnt(laptop):
    _, task = await asked(laptop)
    fill_the_minute(laptop)
    await remember_asked(laptop.runtime.app, task)
    assert (laptop.answers, len(await laptop.facts())) == ([], 1)
    laptop.clock.advance(2 * MINUTE)
    await laptop.work()
    assert [WORDS in each for each in laptop.answers] == [True]


async def test_a_worker_that_is_told_to_wait_says_it_later_and_once(laptop):
    _, task = await asked(laptop)
    laptop.api.fail_next("sendMessage", status=429, retry_after=30)
    await remember_asked(laptop.runtime.app, task)
    assert laptop.answers == []
    laptop.clock.advance(timedelta(minutes=2))
    await laptop.work()
    await remember_asked(laptop.runtime.app, task)
    assert len(laptop.answers) == 1


@pytest.mark.parametrize(
    ("status", "is_active"), [(400, True), (403, False)], ids=["the message is refused", "the bot was removed"]
)
async def test_what_telegram_refuses_is_not_tried_for_ever_and_stays_learnt(laptop, status, is_active):
    _, task = await asked(laptop)
    laptop.api.fail_next("sendMessage", status=status, description="Refused: whatever")
    for _ in range(2):
        await remember_asked(laptop.runtime.app, task)
    assert (laptop.answers, len(await laptop.facts())) == ([], 1)
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active is is_active


async def test_members_are_known_by_every_name_that_they_had(group):
    await group.say("привіт")
    await group.store.upsert(
        f"chats/{CHAT}/members/555", {"name": "Марта", "usernames_seen": ["marta"], "last_seen_at": 1}
    )
    names = await member_names(group.store, ChatState(CHAT))
    assert names[555] == ["Марта", "marta"]


@pytest.mark.parametrize(
    ("words", "quote", "reason"),
    [
        ("I live in Lutsk", "I live in Lutsk", None),
        ("Sam said: I live in Lutsk", "I live in Lutsk", Obstacle.ANOTHERS_VOICE),
        ("Марта живе в Луцьку", "Марта живе в Луцьку", Obstacle.ANOTHER_MEMBER),
    ],
)
async def test_only_a_members_own_words_about_nobody_else_pass(group, words, quote, reason):
    app = group.runtime.app
    message = said(words)
    found = await obstacle(
        app.store, app.policy, ChatState(CHAT), message, in_own_words(message, quote), names={555: ["Марта"]}
    )
    assert found is reason
