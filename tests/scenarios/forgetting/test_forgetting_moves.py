"""Law 7 where a group becomes a supergroup meanwhile, and where something comes in although all of it was forgotten."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from infra.storage.object_folder import ObjectFolder
from shared.application.archive.nightly import archive_chat
from shared.application.chats.migration import begin_migration
from shared.application.conversation.consent_gate import consent_changed, consent_holds
from shared.application.documents import chat_path
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.forgetting.proof import preview, preview_chat
from shared.application.forgetting.steps import member_meant
from shared.application.reading.extraction import extract_chat
from shared.application.reading.moving import move_chat
from shared.domain.errors import ObjectLocked
from tests.scenarios.forgetting.test_forgetting import HANNA, SECRETS, TALK, archived, opened, sender, tell, traces
from tests.support.faults import Crashed
from tests.support.forgetting.proving import find_traces
from tests.support.gemini.server import FakeGemini
from tests.support.group import CHAT, running_group
from tests.support.servers.objects import moto_inside, store_on

NEW = -1009999


async def left_of(group):
    """What is left of the secrets under either id."""
    moved = [
        (document.path, word)
        async for document in group.store.subtree(chat_path(NEW))
        for word in SECRETS
        if word in opened(document).casefold()
    ]
    return [*await traces(group.store), *moved]


class Interrupted:
    """A store on which something happens while a mover holds what it has read."""

    def __init__(self, store, happens):
        self._store, self._happens = store, happens

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def subtree(self, path):
        for at, document in enumerate([document async for document in self._store.subtree(path)]):
            if at == 5:
                await self._happens()
            yield document


@pytest.mark.parametrize("named", [CHAT, NEW])
async def test_a_member_is_forgotten_under_either_id_before_the_chat_has_moved(laptop, named):
    await tell(laptop)
    app = laptop.runtime.app
    await begin_migration(app, CHAT, NEW)
    await forget_member(app, named, HANNA[0])
    assert await left_of(laptop) == []
    await move_chat(app, CHAT, NEW)
    await laptop.settle()
    assert await left_of(laptop) == []
    assert "Я вивчаю англійську" in [message["text"] for message in await laptop.messages(NEW)]


@pytest.mark.parametrize("forget", [lambda app: forget_member(app, CHAT, HANNA[0]), lambda app: forget_chat(app, CHAT)])
async def test_what_a_mover_had_read_does_not_come_back(laptop, forget):
    await tell(laptop)
    app = laptop.runtime.app
    await begin_migration(app, CHAT, NEW)
    await move_chat(replace(app, store=Interrupted(app.store, lambda: forget(app))), CHAT, NEW)
    await laptop.settle()
    assert await left_of(laptop) == []


async def test_single_messages_are_forgotten_by_the_ids_they_had_and_the_proof_looks_at_both(laptop):
    told = await tell(laptop)
    app = laptop.runtime.app
    await begin_migration(app, CHAT, NEW)
    with suppress(Crashed):
        await move_chat(replace(app, store=Interrupted(app.store, stop)), CHAT, NEW)
    sought = await preview(app.store, app.policy, await member_meant(app.store, app.clock, CHAT, HANNA[0]))
    traces = [path for path in await find_traces(app.store, app.archive, sought) if path.startswith("chats/")]
    assert {path.split("/")[1] for path in traces} == {str(CHAT), str(NEW)}
    mine = [update["message"]["message_id"] for update in told if update["message"]["from"]["id"] == HANNA[0]]
    await forget_messages(app, CHAT, mine)
    await laptop.settle()
    assert {word for _, word in await left_of(laptop)} <= {"ганнус", "hannusia_z"}
    await forget_member(app, CHAT, HANNA[0])
    assert await find_traces(app.store, app.archive, sought) == []


async def stop():
    raise Crashed


@pytest.mark.parametrize("named", [CHAT, NEW])
async def test_a_chat_is_forgotten_with_what_has_not_moved_and_the_locked_objects_of_both_ids_are_told(
    sqlite_store, named
):
    with moto_inside() as bucket:
        bucket.create_bucket(Bucket="kept", ObjectLockEnabledForBucket=True)
        async with running_group(sqlite_store) as group:
            app = replace(group.runtime.app, archive=store_on("kept", None))
            await tell(group)
            await archive_chat(app, await app.chats.state(CHAT, fresh=True))
            lock = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": datetime(2099, 1, 2, tzinfo=UTC)}
            for chat_id in (CHAT, NEW):
                bucket.put_object(Bucket="kept", Key=f"spomyn/chats/{chat_id}/held", Body=b"held", **lock)
            await begin_migration(app, CHAT, NEW)
            sought = await preview_chat(app.store, named)
            with pytest.raises(ObjectLocked) as refused:
                await forget_chat(app, named)
            assert set(refused.value.keys) == {f"chats/{CHAT}/held", f"chats/{NEW}/held"}
            assert await find_traces(app.store, app.archive, sought) == []
            assert await left_of(group) == []
            await app.archive.aclose()


async def test_locked_objects_of_a_chat_that_moves_keep_nothing_else(sqlite_store):
    with moto_inside() as bucket:
        bucket.create_bucket(Bucket="kept", ObjectLockEnabledForBucket=True)
        async with running_group(sqlite_store) as group:
            app = replace(group.runtime.app, archive=store_on("kept", None))
            await tell(group)
            lock = {"ObjectLockMode": "COMPLIANCE", "ObjectLockRetainUntilDate": datetime(2099, 1, 2, tzinfo=UTC)}
            bucket.put_object(Bucket="kept", Key=f"spomyn/chats/{CHAT}/held", Body=b"held", **lock)
            await begin_migration(app, CHAT, NEW)
            await move_chat(app, CHAT, NEW)
            for _ in range(2):
                with pytest.raises(ObjectLocked):
                    await forget_member(app, CHAT, HANNA[0])
                assert await left_of(group) == []
            await app.archive.aclose()


# --- A whole chat -----------------------------------------------------------------------------------


@pytest.mark.parametrize("reborn", [False, True])
async def test_what_came_in_before_every_instance_knew_goes_with_the_chat_a_little_later(laptop, reborn):
    told = await tell(laptop)
    app = laptop.runtime.app
    unaware = await app.chats.state(CHAT, fresh=True)
    await forget_chat(app, CHAT)
    app.chats._remember(unaware)
    assert await laptop.deliver(told[1]) == 200
    laptop.clock.advance(timedelta(seconds=70))
    if reborn:
        await laptop.say("Привіт усім знову")
    assert await traces(laptop.store) != []
    await laptop.settle()
    assert await traces(laptop.store) == []
    assert [message["text"] for message in await laptop.messages()] == ["Привіт усім знову"] * reborn


async def test_what_an_instance_stored_of_a_forgotten_chat_goes_though_nobody_speaks_again(laptop):
    told = await tell(laptop)
    app = laptop.runtime.app
    unaware = await app.chats.state(CHAT, fresh=True)
    await forget_chat(app, CHAT)
    app.chats._remember(unaware)
    assert await laptop.deliver(told[1]) == 200
    laptop.clock.advance(timedelta(minutes=4))
    await laptop.tasks.dispatch_due(laptop.clock.now())
    assert [document.path async for document in laptop.store.subtree(chat_path(CHAT))] == []


async def test_a_model_that_answers_after_the_chat_was_forgotten_makes_nothing(sqlite_store):
    async with FakeGemini("test-key") as gemini, running_group(sqlite_store, **gemini.environment) as group:
        gemini.reply_with(lambda _: "- підсумок розмови")
        for who, text in TALK[:10]:
            await group.say(text, sender=sender(who))
        app = group.runtime.app

        class Late:
            def __getattr__(self, name):
                return getattr(app.model, name)

            async def generate(self, request):
                reply = await app.model.generate(request)
                await forget_chat(app, CHAT)
                return replace(reply, text="Ганнуся живе у Житомирі й обожнює фіолетове сомбреро")

        group.clock.advance(timedelta(minutes=20))
        await extract_chat(replace(app, model=Late()), CHAT)
        assert await traces(group.store) == []
        kinds = {document.path.split("/")[2] async for document in group.store.subtree(chat_path(CHAT))}
        assert kinds <= {"usage"}
        await group.settle()
        assert [document.path async for document in group.store.subtree(chat_path(CHAT))] == []


async def test_what_was_begun_before_the_chat_was_forgotten_is_thrown_away(laptop):
    await laptop.say("Я живу у Житомирі", sender=sender(HANNA))
    app = laptop.runtime.app
    begun = await app.chats.state(CHAT, fresh=True)
    assert await app.store.transaction(lambda tx: consent_holds(tx, begun))
    await forget_chat(app, CHAT)
    assert not await app.store.transaction(lambda tx: consent_holds(tx, begun))
    assert await consent_changed(app.chats, begun)


async def test_of_a_group_that_moved_the_archive_of_its_new_id_is_made_anew(laptop, tmp_path):
    app = replace(laptop.runtime.app, archive=ObjectFolder(tmp_path / "archive"))
    await tell(laptop)
    await begin_migration(app, CHAT, NEW)
    await laptop.settle()
    await archive_chat(app, await app.chats.state(NEW, fresh=True))
    assert "Житомирі" in await archived(tmp_path)
    await forget_member(app, CHAT, HANNA[0])
    assert "Житомирі" not in await archived(tmp_path)
    assert "Львові" in await archived(tmp_path)
