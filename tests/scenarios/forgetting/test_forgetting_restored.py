"""A store that came back from a backup: what had been forgotten since is forgotten once more."""

import contextlib
from datetime import timedelta

from shared.application.documents import chat_path, message_path
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.forgetting.restored import forget_restored, forget_restored_in
from shared.domain.conversation.messages import Message
from tests.scenarios.forgetting.test_forgetting import HANNA, SECRETS, TARAS, everything, sender, tell, traces
from tests.support.faults import Crashed
from tests.support.group import CHAT, FRIDAY
from tests.support.stores.messages import new_message_fields

OTHER = -1007777777777


async def backup(group):
    """All documents but tombstones, as they are now."""
    kept = []
    for collection in ("chats", "updates", "dead_letters"):
        kept += await group.store.query(collection)
    for chat_id in (CHAT, OTHER):
        kept += [document async for document in group.store.subtree(chat_path(chat_id))]
    return kept


async def restore(group, kept):
    """The documents of a backup over what is there; tombstones stay."""
    for document in kept:
        await group.store.set(document.path, document.data)
    group.runtime.app.chats.forget(CHAT)
    group.runtime.app.indexes.forget(CHAT)


async def forget_again(group, **where):
    return {each.chat_id: dict(each.counts) async for each in forget_restored(group.runtime.app, **where)}


async def test_a_member_who_came_back_with_a_backup_is_forgotten_again(group):
    await tell(group)
    kept = await backup(group)
    others = [fact["value"] for fact in await group.facts() if fact["subject"] == f"user:{TARAS[0]}"]
    await forget_member(group.runtime.app, CHAT, HANNA[0])
    group.clock.advance(timedelta(hours=5))
    await restore(group, kept)
    assert {path.split("/")[0] for path, _ in await traces(group.store)} >= {"chats"}
    (counts,) = (await forget_again(group)).values()
    assert counts["messages"] > 5
    assert await traces(group.store) == []
    await group.settle()
    assert await traces(group.store) == []
    assert [fact["value"] for fact in await group.facts() if fact["subject"] == f"user:{TARAS[0]}"] == others
    assert await forget_again(group) == {CHAT: {}}


async def test_single_messages_that_came_back_go_and_the_rest_of_the_member_stays(laptop):
    told = await tell(laptop)
    kept, secret = await backup(laptop), told[1]["message"]["message_id"]
    await forget_messages(laptop.runtime.app, CHAT, [secret])
    await restore(laptop, kept)
    assert await traces(laptop.store, ("житомир",)) != []
    await forget_again(laptop)
    assert await traces(laptop.store, ("житомир",)) == []
    assert await traces(laptop.store, ("сомбреро",)) != []


async def test_a_chat_that_was_forgotten_whole_goes_again(laptop):
    await tell(laptop)
    kept = await backup(laptop)
    await forget_chat(laptop.runtime.app, CHAT)
    await restore(laptop, kept)
    await forget_again(laptop)
    assert {path.split("/")[0] for path in await everything(laptop.store)} == {"updates", "tombstones"}
    assert await forget_again(laptop) == {}


async def test_what_a_new_memory_of_the_chat_has_learnt_since_stays(laptop):
    await tell(laptop)
    kept = [document for document in await backup(laptop) if document.path != chat_path(CHAT)]
    await forget_chat(laptop.runtime.app, CHAT)
    laptop.clock.advance(timedelta(days=1))
    await laptop.say("Я живу в Одесі", sender=sender(TARAS), message_id=90_001)
    await laptop.settle()
    known = [fact["value"] for fact in await laptop.facts()]
    await restore(laptop, [each for each in kept if await laptop.store.get(each.path) is None])
    await forget_again(laptop)
    assert await traces(laptop.store) == []
    assert [fact["value"] for fact in await laptop.facts()] == known == ["одеса"]
    assert [m["text"] for m in await laptop.messages()] == ["Я живу в Одесі"]


async def test_what_a_member_said_after_they_were_forgotten_stays(laptop):
    await tell(laptop)
    await forget_member(laptop.runtime.app, CHAT, HANNA[0])
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("Я живу в Одесі", sender=sender(HANNA))
    await laptop.settle()
    before = await everything(laptop.store)
    assert await forget_again(laptop) == {CHAT: {}}
    assert await everything(laptop.store) == before


async def test_it_may_die_anywhere_and_is_finished_by_the_next_run(laptop):
    await tell(laptop)
    kept = await backup(laptop)
    await forget_member(laptop.runtime.app, CHAT, HANNA[0])
    for die_at in (3, 30, 60, 90, 120):
        await restore(laptop, kept)
        laptop.store.arm(die_at, after=bool(die_at % 20))
        with contextlib.suppress(Crashed):
            await forget_again(laptop)
        laptop.store.arm(None)
        await forget_again(laptop)
        assert await traces(laptop.store) == [], die_at


async def test_an_interrupted_run_goes_on_after_the_chat_that_it_named(laptop):
    app, now = laptop.runtime.app, laptop.clock.now()
    for chat_id in (CHAT, OTHER):
        await laptop.store.set(chat_path(chat_id), {"schema": 1, "chat_id": chat_id, "type": "supergroup"})
        said = Message(chat_id, 5, FRIDAY, HANNA[0], HANNA[1], None, "Обожнюю фіолетове сомбреро")
        fields = new_message_fields(said, now=now, retention=timedelta(days=90))
        await laptop.store.set(message_path(chat_id, 5), fields)
    kept = await backup(laptop)
    for chat_id in (CHAT, OTHER):
        await forget_member(app, chat_id, HANNA[0])
    await restore(laptop, kept)
    first, second = sorted((CHAT, OTHER), key=str)
    assert set(await forget_again(laptop, after=first)) == {second}
    assert await laptop.messages(second) == []
    assert await laptop.messages(first) != []
    assert (await forget_restored_in(app, first))["messages"] == 1
    assert await laptop.messages(first) == []


async def test_a_dead_letter_of_who_was_forgotten_goes_with_the_rest(laptop):
    from tests.scenarios.forgetting.test_forgetting_others import update_in

    app = laptop.runtime.app
    await laptop.say("Обожнюю фіолетове сомбреро", sender=sender(HANNA))
    from shared.application.dead_letters import record_dead_letter

    body = update_in(CHAT, HANNA[0], "щось зовсім інше")
    await record_dead_letter(app.store, app.clock, kind="update", body=body, reason="a bug")
    kept = await backup(laptop)
    await forget_member(app, CHAT, HANNA[0])
    await restore(laptop, kept)
    await forget_again(laptop)
    assert await laptop.store.query("dead_letters") == []
    assert await traces(laptop.store, SECRETS) == []
