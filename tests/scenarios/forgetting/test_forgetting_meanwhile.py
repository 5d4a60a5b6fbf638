"""Answers that are made, wait or are on their way while somebody is forgotten: nothing of them comes to stay."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.application.delivery.answer import Answer
from shared.application.delivery.lease import memory_of
from shared.application.delivery.ledger_codec import LONGEST
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import Asker, answer_once, say_once
from shared.application.delivery.waiting import deliver_waiting
from shared.application.documents import chat_path, message_path
from shared.application.forgetting.forget import erase_member, forget_chat, forget_member
from shared.application.forgetting.proof import preview, prove
from shared.application.forgetting.request import ForgettingRequest
from shared.application.forgetting.requested import forget_as_requested
from shared.application.forgetting.steps import member_meant
from shared.application.ports.chat import OutgoingText
from shared.domain.errors import Contention
from tests.support.commands.questions import MARKO, say_twice
from tests.support.delivery.answers import MINUTE, fill_the_minute, saying
from tests.support.forgetting.proving import find_traces
from tests.support.group import CHAT, running_group
from tests.unit.application.intake.test_gestures import reaction, reacts

HANNA, TARAS = (104, "Ганна"), (102, "Тарас")
LATE = timedelta(minutes=10)
RETOLD = "Вона живе у Житомирі"


async def told(group):
    """She has said something; the request to forget it, whose task is late."""
    await group.say("Я живу у Житомирі", *HANNA)
    await group.say("Привіт усім", *TARAS)
    await group.settle()
    request = ForgettingRequest(CHAT, HANNA[0], group.clock.now())
    group.clock.advance(LATE)
    return request.task("1").payload


async def traces(group):
    documents = [repr(document) async for document in group.store.subtree(chat_path(CHAT))]
    documents += [repr(document) for document in await group.store.query("updates")]
    return [document for document in documents if "житомир" in document.casefold()]


class Meddling:
    """While a message is on its way, something else happens; once."""

    def __init__(self, gateway, meanwhile):
        self._gateway, self._meanwhile = gateway, meanwhile

    def __getattr__(self, name):
        return getattr(self._gateway, name)

    async def send(self, *args, **kwargs):
        sent = await self._gateway.send(*args, **kwargs)
        if (meanwhile := self._meanwhile) is not None:
            self._meanwhile = None
            await meanwhile()
        return sent


def meddled(group, meanwhile):
    return replace(group.runtime.app, gateway=Meddling(group.runtime.app.gateway, meanwhile))


def asker(user_id=TARAS[0]):
    async def decline(_):
        raise AssertionError

    return Asker(user_id, decline)


def retelling_and(rest):
    """What makes an answer that repeats her words, and goes on."""

    async def compose():
        told, more = OutgoingText(RETOLD, RETOLD), OutgoingText(rest, rest)
        return Answer.of(told, more, given={"facts": [{"subject": "chat", "text": RETOLD}]})

    return compose


retelling = retelling_and("далі")


async def test_of_an_answer_that_is_on_its_way_when_somebody_is_forgotten_nothing_is_kept(group):
    task = await told(group)

    async def forget():
        await forget_as_requested(group.runtime.app, task)

    app = meddled(group, forget)
    assert await answer_once(app, 7, Destination(CHAT, 1), retelling, asker=asker()) == "taken over"
    assert group.answers == [RETOLD]
    assert await traces(group) == []


@pytest.mark.parametrize(
    ("rest", "said"),
    [("далі", f"{RETOLD}\n\nдалі\n\nДобре"), ("далі" * 1024, RETOLD)],
    ids=["in one message with another's", "in several"],
)
async def test_of_a_waiting_answer_that_is_on_its_way_nothing_is_kept_either(group, rest, said):
    task, app = await told(group), group.runtime.app

    async def forget():
        await forget_as_requested(app, task)

    fill_the_minute(group)
    assert await answer_once(app, 7, Destination(CHAT, 1), retelling_and(rest), asker=asker()) == "waits"
    assert await answer_once(app, 8, Destination(CHAT, 2), saying("Добре"), asker=asker(MARKO[0])) == "waits"
    group.clock.advance(MINUTE)
    await deliver_waiting(meddled(group, forget), CHAT)
    assert group.answers[0] == said
    assert not any("далі" in text for text in group.answers[1:]), "what was behind it is taken back"
    assert await traces(group) == []
    group.clock.advance(2 * MINUTE)
    await deliver_waiting(app, CHAT)
    assert sum("Добре" in text for text in group.answers) <= 1
    assert await traces(group) == []


@pytest.mark.parametrize("is_asked", [True, False], ids=["asked for", "of its own accord"])
async def test_an_answer_that_was_made_from_what_is_gone_by_now_is_made_again(group, is_asked):
    task, made, by = await told(group), [], asker() if is_asked else None

    async def compose():
        made.append(1)
        if len(made) > 1:
            return Answer.of(OutgoingText("Не знаю", "Не знаю"))
        answer = await retelling()
        await forget_as_requested(group.runtime.app, task)
        return answer

    with pytest.raises(Contention):
        await answer_once(group.runtime.app, 7, Destination(CHAT, 1), compose, asker=by)
    assert await traces(group) == []
    assert await answer_once(group.runtime.app, 7, Destination(CHAT, 1), compose, asker=by) == "answered"
    assert group.answers == ["Не знаю"]
    assert await traces(group) == []


async def test_in_a_private_chat_that_is_forgotten_meanwhile_no_answer_is_said_or_kept(laptop):
    app = laptop.runtime.app

    async def compose():
        answer = await retelling()
        await forget_chat(app, HANNA[0])
        return answer

    assert await answer_once(app, 7, Destination(HANNA[0]), compose, asker=asker(HANNA[0])) == "taken over"
    assert laptop.answers == []
    assert await laptop.store.query("updates", where=[]) != []
    assert await traces(laptop) == []


async def test_what_was_made_of_a_chat_that_was_forgotten_since_is_not_said_of_its_own_accord(laptop):
    app = laptop.runtime.app
    as_of = await memory_of(app.store, CHAT)
    answer = await retelling()
    laptop.clock.advance(timedelta(seconds=1))
    await forget_chat(app, CHAT)
    with pytest.raises(Contention):
        await say_once(app, CHAT, "x", answer, as_of=as_of)
    assert laptop.answers == []
    assert await traces(laptop) == []


async def test_what_the_bot_said_while_a_late_task_erased_is_found_by_the_second_look(laptop):
    task = await told(laptop)
    app = laptop.runtime.app
    await forget_as_requested(app, task)
    laptop.clock.advance(timedelta(seconds=30))

    async def compose():
        return Answer.of(OutgoingText("У Житомирі добре", "У Житомирі добре"))

    # It may have been made from what an instance had read long before.
    assert await answer_once(app, "say-x", Destination(CHAT), compose) == "answered"
    assert await traces(laptop) != []
    laptop.clock.advance(LONGEST)
    await laptop.settle()
    assert await traces(laptop) == []


async def test_a_worker_whose_turn_ran_out_while_it_sent_undoes_nothing_that_another_did(laptop):
    app = laptop.runtime.app

    async def compose():
        return Answer.of(*(OutgoingText("а" * 4000 + n, "а" * 4000 + n) for n in "0123"))

    fill_the_minute(laptop)
    assert await answer_once(app, 1, Destination(CHAT), compose) == "waits"
    laptop.clock.advance(MINUTE)

    async def another():
        laptop.clock.advance(LONGEST)
        third = asyncio.Event()

        async def stall():
            third.set()
            raise asyncio.CancelledError  # it dies when it has sent the same again, and could not say so

        with pytest.raises(asyncio.CancelledError):
            await deliver_waiting(meddled(laptop, stall), CHAT)

    await deliver_waiting(meddled(laptop, another), CHAT)
    laptop.clock.advance(LONGEST)
    await deliver_waiting(app, CHAT)
    said = [text[-1] for text in laptop.answers]
    assert said == ["0", "0", "1", "2", "3"], "what nobody was heard of with comes again, and nothing else"


async def test_a_reaction_goes_with_who_reacted_and_does_not_come_back_late(laptop):
    app, user_id = laptop.runtime.app, MARKO[0]
    await say_twice(laptop)
    question = laptop.api.sent[-1].message_id
    await reacts(laptop, "👍", who=HANNA)
    await reacts(laptop, "👍", who=MARKO)
    late = reaction(laptop, "👎", who=MARKO)
    until = laptop.clock.now()
    stored = await laptop.store.get(message_path(CHAT, question))
    assert set(stored.data["reacted"]) == {str(HANNA[0]), str(user_id)}
    sought = await preview(app.store, app.policy, await member_meant(app.store, app.clock, CHAT, user_id))
    assert message_path(CHAT, question) in await find_traces(app.store, app.archive, sought)
    laptop.clock.advance(timedelta(minutes=1))
    erased = await erase_member(app, CHAT, user_id, until=until)
    assert (await prove(app.store, app.archive, erased)).left == []
    stored = await laptop.store.get(message_path(CHAT, question))
    assert set(stored.data["reacted"]) == {str(HANNA[0])}
    assert await laptop.deliver(late) == 200
    assert [d.path async for d in laptop.store.subtree(chat_path(CHAT)) if str(user_id) in repr(d)] == []
    laptop.clock.advance(timedelta(minutes=5))
    await reacts(laptop, "👎", who=MARKO, message_id=question)
    assert set((await laptop.store.get(message_path(CHAT, question))).data["reacted"]) == {str(HANNA[0]), str(user_id)}
    await erase_member(app, CHAT, user_id, until=until)
    assert str(user_id) in (await laptop.store.get(message_path(CHAT, question))).data["reacted"], "this one is new"


async def test_a_message_that_was_sent_after_the_bot_came_stays_forgotten_when_it_comes_again(sqlite_store):
    """It is older than the forgetting and younger than the memory of the chat: the later of the two instants counts."""
    async with running_group(sqlite_store) as group:
        await group.say("Вітаю всіх", 102, "Тарас")
        group.clock.advance(timedelta(hours=1))
        update = await group.say("Я живу у Житомирі", 104, "Ганна")
        group.clock.advance(timedelta(hours=1))
        state = await group.runtime.app.chats.state(CHAT, fresh=True)
        assert state.first_seen_at is not None
        await forget_member(group.runtime.app, CHAT, 104)
        assert await group.deliver(update) == 200
        assert [message["text"] for message in await group.messages()] == ["Вітаю всіх"]
