"""`/gryadforgetme` through the webhook: the question, the worker, what is told, and what may go wrong on the way."""

import contextlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.application.documents import chat_path, facts_path, member_path, messages_path
from shared.application.forgetting.forget import forget_chat
from shared.application.forgetting.requested import forget_as_requested
from shared.application.ports.store import Filter
from shared.domain.errors import BadPayload, ChatUnavailable, StoreUnavailable
from tests.support import updates
from tests.support.faults import Crashed
from tests.support.group import CHAT, running_group
from tests.support.servers.objects import moto_inside, store_on

HANNA, TARAS = (104, "Ганна"), (102, "Тарас")


async def told(group):
    await group.say("Я живу у Житомирі", *HANNA)
    await group.say("Нагадую: ніякої політики в чаті!", *TARAS)
    await group.settle()


async def asked(group, who=HANNA):
    """The question's message id."""
    await group.say("/gryadforgetme", *who)
    return group.api.sent[-1].message_id


def task_of(group):
    """The payload of the task that erases."""
    (stored,) = [each for each in group.tasks.tasks.values() if b"maintenance/forget" in each.task.http_request.body]
    return json.loads(stored.task.http_request.body)


async def said_by(group, user_id):
    return await group.store.query(messages_path(CHAT), where=[Filter("user_id", "==", user_id)])


async def test_the_question_shows_what_there_is_and_the_worker_tells_what_went(group):
    await told(group)
    question = await asked(group)
    shown = group.shown(question)
    assert "Ваших повідомлень: 2" in shown.text
    assert "Фактів про вас: 1" in shown.text
    assert "Житомир" not in shown.text
    await group.press("Так, стерти", *HANNA)
    assert "Стираю" in group.shown(question).text
    await group.settle()
    done = group.shown(question).text
    assert "про вас тут нічого не лишилося" in done
    assert re.search(r"Стерто ваших повідомлень: 2\n", done)
    assert re.search(r"переглянув записів: [1-9]\d*", done)
    assert await said_by(group, HANNA[0]) == []
    assert await group.store.get(member_path(CHAT, HANNA[0])) is None
    assert [fact["subject"] for fact in await group.facts()] == ["chat"]
    left = [document async for document in group.store.subtree(chat_path(CHAT)) if "104" in repr(document)]
    assert left == []


async def test_who_opts_out_is_offered_it_and_sees_the_same_question(laptop):
    await told(laptop)
    await laptop.say("/gryadoptout", *HANNA)
    offer = laptop.api.sent[-1].message_id
    await laptop.press(laptop.shown(offer).buttons[0][0][0], *HANNA)
    assert "Фактів про вас:" in laptop.shown(offer).text
    await laptop.press("Так, стерти", *HANNA)
    await laptop.settle()
    assert await said_by(laptop, HANNA[0]) == []


async def test_it_speaks_english_where_the_chat_does(laptop):
    sender = updates.user(110, "Sam", language_code="en")
    await laptop.say("I live in Leeds", sender=sender)
    await laptop.say("/gryadforgetme", sender=sender)
    assert "Your messages: 2" in laptop.answers[-1]
    await laptop.press("Yes, erase", 110, sender=sender)
    await laptop.settle()
    assert "nothing about you is left" in laptop.shown(laptop.api.sent[-1].message_id).text


async def test_keeping_it_changes_nothing(laptop):
    await told(laptop)
    question = await asked(laptop)
    await laptop.press("Ні, лишити", *HANNA)
    await laptop.settle()
    assert "Лишаю" in laptop.shown(question).text
    assert len(await said_by(laptop, HANNA[0])) == 2


async def test_nobody_else_can_press_it_not_even_an_admin(laptop):
    await told(laptop)
    await asked(laptop)
    await laptop.press("Так, стерти", *TARAS)
    await laptop.settle()
    assert "не для вас" in laptop.notices[-1]
    assert len(await said_by(laptop, HANNA[0])) == 2


async def test_an_anonymous_admin_is_asked_to_show_themselves(laptop):
    await laptop.say("/gryadforgetme", sender_chat=updates.chat(), sender=updates.user(1087968824, "Group"))
    assert "I do not know who you are" in laptop.answers[-1]


async def test_a_second_press_and_a_task_that_comes_again_do_no_harm(laptop):
    await told(laptop)
    question = await asked(laptop)
    press = laptop.pressing("Так, стерти", *HANNA)
    again = laptop.pressing("Так, стерти", *HANNA)
    assert [await laptop.deliver(each) for each in (press, press, again)] == [200, 200, 200]
    assert "Вже стираю" in laptop.notices[-1]
    task = task_of(laptop)
    await laptop.settle()
    done = laptop.shown(question).text
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("Я живу в Одесі", *HANNA)
    await forget_as_requested(laptop.runtime.app, task)
    assert [document.data["text"] for document in await said_by(laptop, HANNA[0])] == ["Я живу в Одесі"]
    assert "Стерто ваших повідомлень: 2" in done
    assert laptop.shown(question).text == done


async def test_told_late_because_telegram_was_away_it_tells_the_numbers_of_the_first_run(laptop):
    await told(laptop)
    question = await asked(laptop)
    await laptop.press("Так, стерти", *HANNA)
    task = task_of(laptop)
    laptop.api.fail_next("editMessageText", status=500)
    with pytest.raises(ChatUnavailable):
        await forget_as_requested(laptop.runtime.app, task)
    await laptop.settle()
    assert "Стерто ваших повідомлень: 2" in laptop.shown(question).text


async def test_in_a_private_chat_all_of_it_goes_and_a_late_task_spares_what_began_since(laptop):
    private = {"chat": updates.chat(HANNA[0])}
    laptop.api.add_chat(HANNA[0], "private")
    await laptop.say("Я живу у Житомирі", *HANNA, **private)
    await laptop.settle()
    await laptop.say("/gryadforgetme", *HANNA, **private)
    question = laptop.api.sent[-1].message_id
    assert "Стерти все, про що ми тут говорили?" in laptop.shown(question, HANNA[0]).text
    until = laptop.clock.now()
    await laptop.press("Так, стерти", *HANNA)
    await laptop.settle()
    assert "я забув цей чат" in laptop.shown(question, HANNA[0]).text
    assert [d.path async for d in laptop.store.subtree(chat_path(HANNA[0]))] == []
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("Я живу в Одесі", *HANNA, **private)
    late = {"chat_id": HANNA[0], "user_id": HANNA[0], "until": until.isoformat(), "message_id": question}
    await forget_as_requested(laptop.runtime.app, late)
    await laptop.settle()
    assert "Я живу в Одесі" in [message["text"] for message in await laptop.messages(HANNA[0])]


async def test_a_worker_that_dies_anywhere_is_run_again_and_finishes(laptop):
    await told(laptop)
    question = await asked(laptop)
    await laptop.press("Так, стерти", *HANNA)
    task = task_of(laptop)
    for die_at in range(1, 120, 7):
        laptop.store.arm(die_at, after=bool(die_at % 2))
        try:
            await forget_as_requested(laptop.runtime.app, task)
        except Crashed:
            continue
        break
    laptop.store.arm(None)
    await laptop.settle()
    assert "нічого не лишилося" in laptop.shown(question).text
    assert await said_by(laptop, HANNA[0]) == []


async def test_on_the_emulator_a_worker_may_die_anywhere_too(firestore_store):
    async with running_group(firestore_store) as group:
        await told(group)
        question = await asked(group)
        await group.press("Так, стерти", *HANNA)
        task = task_of(group)
        for die_at in (9, 24, 37, 46):
            group.store.arm(die_at, after=bool(die_at % 2))
            with contextlib.suppress(Crashed):
                await forget_as_requested(group.runtime.app, task)
        group.store.arm(None)
        await group.settle()
        assert "нічого не лишилося" in group.shown(question).text
        left = [document.path async for document in group.store.subtree(chat_path(CHAT)) if "104" in repr(document)]
        assert left == []


async def test_while_the_store_is_away_it_says_that_it_will_try_again(laptop):
    await told(laptop)
    question = await asked(laptop)
    await laptop.press("Так, стерти", *HANNA)

    class Away:
        def __getattr__(self, name):
            if name == "subtree":
                raise StoreUnavailable("away")
            return getattr(laptop.store, name)

    task = task_of(laptop)
    with pytest.raises(StoreUnavailable):
        await forget_as_requested(replace(laptop.runtime.app, store=Away()), task)
    assert "Поки не вдалося" in laptop.shown(question).text
    await laptop.press("Спробувати ще", *HANNA)
    assert "Стираю" in laptop.shown(question).text
    await laptop.settle()
    assert "нічого не лишилося" in laptop.shown(question).text


async def test_what_the_archive_keeps_is_said(sqlite_store):
    with moto_inside() as bucket:
        bucket.create_bucket(Bucket="kept", ObjectLockEnabledForBucket=True)
        async with running_group(sqlite_store) as group:
            await told(group)
            question = await asked(group)
            await group.press("Так, стерти", *HANNA)
            lock = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": datetime(2099, 1, 2, tzinfo=UTC)}
            bucket.put_object(Bucket="kept", Key=f"spomyn/chats/{CHAT}/held", Body=b"held", **lock)
            task = task_of(group)
            app = replace(group.runtime.app, archive=store_on("kept", None))
            await forget_as_requested(app, task)
            assert "Ще лежить файлів архіву: 1" in group.shown(question).text
            assert await said_by(group, HANNA[0]) == []
            await app.archive.aclose()


async def test_a_task_of_another_form_is_refused(laptop):
    for payload in ({}, {"chat_id": 1, "user_id": 2, "until": "now"}, {"chat_id": 1, "until": "2026-11-06T18:00:00"}):
        with pytest.raises(BadPayload):
            await forget_as_requested(laptop.runtime.app, payload)


async def test_who_opted_out_still_is_after_the_whole_chat_was_forgotten(laptop):
    await told(laptop)
    app = laptop.runtime.app
    await laptop.say("/gryadoptout", *HANNA)
    await laptop.settle()
    await forget_chat(app, CHAT)
    await laptop.settle()
    document = await laptop.store.get(chat_path(CHAT))
    assert set(document.data) == {"schema", "chat_id", "opted_out", "opted_out_names", "forgotten"}
    assert HANNA[1] not in repr(document.data)
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.say("Привіт усім", *TARAS)
    await laptop.settle()
    assert [message["text"] for message in await laptop.messages()] == ["Привіт усім"]
    assert await laptop.store.query(facts_path(CHAT)) == []
    state = await app.chats.state(CHAT, fresh=True)
    assert (state.known, state.opted_out) == (True, frozenset({HANNA[0]}))
