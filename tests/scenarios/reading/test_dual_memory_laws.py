"""Dual memory while things change around it: opt-outs, edits, a second worker, a migration, in the worst moment."""

import itertools
import json
from datetime import timedelta

from shared.application.chats.migration import LATE_PART, begin_migration
from shared.application.documents import chunks_path, message_path, upkeep_path
from shared.application.forgetting.forget import erase_member
from shared.application.ports.store import Upsert, Vector
from shared.application.reading.extraction import extract_chat
from shared.application.reading.moving import move_chat
from shared.application.reading.notes.upkeep import keep_up
from shared.application.reading.rereading import read_anew
from shared.application.reading.setting_aside import Pieces
from shared.domain.conversation.messages import MediaFile, Message, migrated_message_id
from tests.support.faults import InterruptedStore
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read
from tests.support.reading.talks import ENGINE, PEOPLE, TRIP, Talk, everything, remembering
from tests.support.stores.messages import new_message_fields

HANNA = PEOPLE["Ганна"]
NEW = -1_009_999
_NOTES = ("chunks", "metas", "episodes")


class Listening:
    """An embedder that remembers what it was given."""

    name = "listening/2"

    def __init__(self):
        self.texts = []

    async def embed(self, texts, *, query=False):
        self.texts += texts
        return [Vector((0.6, 0.8)) for _ in texts]


async def opt_out(talk, *users):
    await talk.app.chats.change(CHAT, {"opted_out": list(users)})


async def telling(talk, word):
    """The chunks, metas and episodes that hold a word."""
    found = await everything(talk.group)
    return {
        path
        for path, data in found.items()
        if path.split("/")[2] in _NOTES and word in json.dumps(data, ensure_ascii=False, default=str)
    }


# --- Who opted out -----------------------------------------------------------------------------


async def test_an_opt_out_at_any_moment_of_a_task_lets_no_further_text_hold_the_words(sqlite_store):
    interrupted = InterruptedStore(sqlite_store)
    async with running_group(interrupted) as group:
        talk = Talk(group)
        for call in itertools.count(1):
            await opt_out(talk)
            secret = f"аптечка{call}"
            await talk.have([*TRIP[:5], ("Ганна", f"з мене {secret} і намет у поїзд о 7:30")])
            group.clock.advance(timedelta(hours=2))
            before = set()

            async def leave(word=secret, told=before):
                told |= await telling(talk, word)
                await opt_out(talk, HANNA)

            interrupted.interrupt(call, leave)
            await extract_chat(talk.app, CHAT)
            if interrupted.pending:
                break
            interrupted.interrupt(0, None)
            await talk.extract(after=timedelta(hours=1))
            assert await telling(talk, secret) <= before, call
        assert call > 20


async def test_a_chunk_of_nobody_who_may_be_heard_stops_nothing(talk):
    await talk.chunks_of_one(4)
    await talk.say("Ганна", "у Ворохті беремо будинок")
    await opt_out(talk, HANNA)
    await talk.extract(policy=talk.app.policy._replace(chunk_size=1))
    assert (await talk.chunks())["5-5"]["summary"] == ""


async def test_what_holds_the_words_of_who_opted_out_is_not_sent_to_an_embedder_that_comes_later(talk):
    await talk.have([*TRIP[:4], ("Ганна", "аптечка буде у п'ятницю"), *TRIP[4:]])
    await talk.extract(after=timedelta(hours=2))
    await opt_out(talk, HANNA)
    embedder = Listening()
    await talk.extract(embedder=embedder)
    await talk.extract(embedder=embedder)
    assert not any("аптечка" in text for text in embedder.texts)
    found = [*(await talk.chunks()).values(), *(await talk.episodes()).values()]
    assert {(d["embedding"], d["embedding_model"]) for d in found} == {(None, "listening/2")}


async def test_excerpts_of_who_opted_out_do_not_stay_when_the_model_refuses_to_replace_them(modelled, gemini):
    await modelled.have([*TRIP[:2], ("Ганна", "аптечка 250 грн у Львові в п'ятницю")])
    await modelled.extract(after=timedelta(minutes=20), model=None, embedder=None)
    assert len(await telling(modelled, "аптечка")) == 1
    await opt_out(modelled, HANNA)
    for _ in range(3):
        gemini.block_next()
    await modelled.extract()
    (chunk,) = (await modelled.chunks()).values()
    assert "аптечка" not in json.dumps(chunk, ensure_ascii=False, default=str)
    assert HANNA not in chunk["speakers"]


async def test_what_a_forgetting_emptied_tells_excerpts_of_what_is_left_and_no_model_reads_it_again(modelled, gemini):
    await modelled.have(TRIP)
    await modelled.extract(after=timedelta(days=6))
    assert [chunk["made_by"] == "offline" for chunk in (await modelled.chunks()).values()] == [False]
    gemini.requests.clear()
    await erase_member(modelled.app, CHAT, HANNA)
    await modelled.extract(after=timedelta(hours=2))
    (chunk,) = (await modelled.chunks()).values()
    assert "420 грн" in chunk["summary"]
    assert await telling(modelled, "аптечка") == set()
    assert (chunk["made_by"], chunk["model_pending"], chunk["stale"]) == ("offline", False, False)
    assert [request for request in gemini.requests if asks_to_read(request)] == []


async def test_the_model_is_shown_no_further_conversation_once_somebody_opted_out(modelled, gemini):
    for _ in range(3):
        await modelled.have(TRIP)
        modelled.group.clock.advance(timedelta(hours=2))
    await modelled.extract(model=None, embedder=None)
    state = await modelled.app.chats.state(CHAT, fresh=True)
    gemini.requests.clear()
    await opt_out(modelled, HANNA)
    for document in await modelled.group.store.query(chunks_path(CHAT)):
        everything_untold = {"untold": list(range(len(document.data["message_ids"]))), "told": False}
        await modelled.group.store.update(document.path, everything_untold)
    await modelled.group.store.upsert(upkeep_path(CHAT), {"made": 99, "stale": 99, "waits": 99})
    kept = await keep_up(modelled.app, state, Pieces(modelled.app), quiet_until=modelled.group.clock.now())
    assert kept.more
    assert gemini.requests == []


async def test_a_meta_summary_made_again_knows_whose_words_it_holds(talk):
    for number in range(9):
        await talk.say("Ганна" if number % 2 else "Оля", f"код {4000 + number} грн")
    await talk.extract(policy=talk.app.policy._replace(chunk_size=1))
    await opt_out(talk, HANNA)
    await talk.chunks_of_one(1)
    await opt_out(talk)
    await talk.group.store.update(message_path(CHAT, 1), {"text": "код 5000 грн", "rederive": True})
    await talk.extract()
    (meta,) = (await talk.metas()).values()
    assert "4001" in meta["summary"]
    assert meta["speakers"] == [101, HANNA]


async def test_facts_made_anew_with_somebodys_words_say_so(modelled):
    await modelled.have(TRIP)
    await opt_out(modelled, HANNA)
    await modelled.extract(after=timedelta(minutes=20))
    await opt_out(modelled)
    await read_anew(modelled.group.store, CHAT, after=0, last=6, most=9)
    await modelled.extract()
    (chunk,) = (await modelled.chunks()).values()
    assert chunk["speakers"] == [101, 103, HANNA]


# --- Two at once -------------------------------------------------------------------------------


async def test_an_edit_at_any_moment_of_making_texts_again_reaches_them(sqlite_store):
    interrupted = InterruptedStore(sqlite_store)
    async with running_group(interrupted) as group:
        talk = Talk(group)
        await talk.chunks_of_one(10)
        await talk.extract(after=timedelta(hours=2))
        for call in itertools.count(1):

            async def edit(text, again=False):
                await group.store.update(message_path(CHAT, 3), {"text": text, "rederive": True})
                if again:
                    await extract_chat(talk.app, CHAT)

            await edit(f"Львів, п'ятниця, {1000 + call} євро")
            interrupted.interrupt(call, lambda at=call: edit(f"Львів, п'ятниця, {3000 + at} євро", again=True))
            await extract_chat(talk.app, CHAT)
            if interrupted.pending:
                break
            interrupted.interrupt(0, None)
            await extract_chat(talk.app, CHAT)
            assert await telling(talk, f"{1000 + call} євро") == set(), call
            assert len(await telling(talk, f"{3000 + call} євро")) == 3, call
        assert call > 20


async def test_a_message_that_comes_between_two_workers_is_in_one_chunk_only(sqlite_store):
    interrupted = InterruptedStore(sqlite_store)
    async with running_group(interrupted) as group:
        talk = Talk(group)
        for call in itertools.count(1):
            first = talk.group.ids().next_id
            for message_id in [first, first + 1, *range(first + 3, first + 11)]:
                await talk.say("Оля", f"рахунок на {message_id} грн", message_id=message_id)

            async def late(message_id=first + 2):
                await talk.say("Марко", f"запізніле про {message_id} грн", message_id=message_id)
                await extract_chat(talk.app, CHAT)

            interrupted.interrupt(call, late)
            await extract_chat(talk.app, CHAT)
            if interrupted.pending:
                break
            interrupted.interrupt(0, None)
            await talk.extract(after=timedelta(minutes=20))
            held = [m for chunk in (await talk.chunks()).values() for m in chunk["message_ids"]]
            assert len(held) == len(set(held)), call
            assert set(held) >= set(range(first, first + 11)), call
        assert call > 10


async def test_many_edits_are_learnt_from_a_few_at_a_time_until_none_is_left(talk):
    await talk.chunks_of_one(60)
    for message_id in range(1, 61):
        path = message_path(CHAT, message_id)
        await talk.group.store.update(path, {"text": f"виправлено: {message_id} євро", "rederive": True})
    await extract_chat(talk.app, CHAT)
    left = [m for m in await talk.group.messages() if m["rederive"]]
    assert len(left) == 10
    await talk.group.settle()
    assert not any(m["rederive"] for m in await talk.group.messages())
    assert await telling(talk, "грн Марку") == set()


# --- A migration -------------------------------------------------------------------------------


async def moved(talk):
    assert await begin_migration(talk.app, CHAT, NEW)
    await move_chat(talk.app, CHAT, NEW)


async def note(talk, kind, chat_id=NEW):
    return {d.id: d.data for d in await talk.group.store.query(f"chats/{chat_id}/{kind}")}


async def say_in_the_new_chat(talk, name, text, message_id):
    now = talk.group.clock.now()
    message = Message(NEW, message_id, now, PEOPLE[name], name, text=text)
    fields = new_message_fields(message, now=now, retention=timedelta(days=90))
    await talk.group.store.create(message_path(NEW, message_id), fields)
    talk.group.clock.advance(timedelta(minutes=1))


async def test_metas_episodes_and_what_holds_what_move_with_their_messages(talk):
    talk.group.api.add_chat(NEW, admins={102})
    await talk.chunks_of_one(10)
    await talk.extract(after=timedelta(hours=2))
    await moved(talk)
    first, last = migrated_message_id(1), migrated_message_id(10)
    (meta,) = (await note(talk, "metas")).items()
    chunks, messages = await note(talk, "chunks"), await note(talk, "messages")
    assert (meta[0], meta[1]["first"], meta[1]["last"]) == (f"1-{first}-{last}", first, last)
    assert set(meta[1]["nodes"]) == chunks.keys()
    assert {chunk["meta"] for chunk in chunks.values()} == {meta[0]}
    (episode,) = (await note(talk, "episodes")).items()
    assert episode[0] == f"{first}-{last}"
    assert {str(m) for m in episode[1]["message_ids"]} == messages.keys()
    assert {m["chunk"] for m in messages.values()} == chunks.keys()
    left = [d.path.split("/")[2] async for d in talk.group.store.subtree(f"chats/{CHAT}")]
    assert set(left) == {"index"}, "which is searched until the new one is made"
    await move_chat(talk.app, CHAT, NEW, part=LATE_PART)
    assert not [d async for d in talk.group.store.subtree(f"chats/{CHAT}")]


async def test_an_edit_after_the_move_still_reaches_every_text(talk):
    talk.group.api.add_chat(NEW, admins={102})
    await talk.chunks_of_one(10)
    await talk.extract(after=timedelta(hours=2))
    await moved(talk)
    path = message_path(NEW, migrated_message_id(3))
    await talk.group.store.update(path, {"text": "Львів, п'ятниця, 555 євро", "rederive": True})
    await talk.group.settle()
    for kind in _NOTES:
        assert any("555 євро" in data["summary"] for data in (await note(talk, kind)).values()), kind


async def test_what_was_left_to_do_in_the_old_chat_is_done_in_the_new_one_whatever_it_had_seen_to(talk):
    talk.group.api.add_chat(NEW, admins={102})
    await talk.chunks_of_one(10)
    await talk.have(ENGINE)
    for number, (name, text) in enumerate(TRIP, 1):
        await say_in_the_new_chat(talk, name, text, number)
    talk.group.clock.advance(timedelta(hours=2))
    await extract_chat(talk.app, NEW)
    assert len(await note(talk, "episodes")) == 1
    await talk.app.store.batch([Upsert(upkeep_path(NEW), {"seen": {"made": 9}, "made": 9, "due_at": None})])
    await moved(talk)
    await talk.group.settle(after=timedelta(minutes=30))
    assert all(chunk["told"] for chunk in (await note(talk, "chunks")).values())
    texts = json.dumps(await note(talk, "episodes"), ensure_ascii=False, default=str)
    assert "двигун" in texts
    assert "рахунок" in texts


async def test_a_chunk_that_moves_after_the_new_chat_saw_to_its_own_is_seen_to(talk):
    talk.group.api.add_chat(NEW, admins={102})
    await talk.have(ENGINE)
    await talk.extract(after=timedelta(minutes=20))
    await talk.group.store.delete(upkeep_path(CHAT))  # moved by an earlier part, and seen to since
    await talk.group.store.set(upkeep_path(NEW), {"made": 3, "seen": {"made": 3}, "due_at": None, "minds": "none none"})
    await moved(talk)
    talk.group.clock.advance(timedelta(hours=2))
    await extract_chat(talk.app, NEW)
    assert len(await note(talk, "episodes")) == 1


async def test_where_nothing_is_left_to_do_the_new_chat_can_still_be_told_of_an_edit(talk):
    talk.group.api.add_chat(NEW, admins={102})
    await talk.say("Оля", "👍", kind="command")
    await talk.extract(after=timedelta(minutes=20))
    await talk.group.store.update(f"{chunks_path(CHAT)}/1-1", {"untold": [], "told": True})
    await moved(talk)
    assert await talk.group.store.get(upkeep_path(NEW)) is not None


async def test_what_is_in_a_file_moves_with_an_edit_that_kept_the_file(talk):
    photo = MediaFile("f", "u")
    talk.group.api.add_chat(NEW, admins={102})
    message_id = await talk.say("Оля", "ось", kind="photo", media=photo, media_text="кіт на столі")
    await talk.extract(after=timedelta(minutes=20))
    assert await begin_migration(talk.app, CHAT, NEW)
    moved_id = migrated_message_id(message_id)
    edited = Message(NEW, moved_id, talk.group.clock.now(), 101, "Оля", text="ось!", kind="photo", media=photo)
    fields = new_message_fields(edited, now=talk.group.clock.now(), retention=timedelta(days=90))
    await talk.group.store.create(message_path(NEW, moved_id), fields)
    await move_chat(talk.app, CHAT, NEW)
    stored = await talk.group.store.get(message_path(NEW, moved_id))
    assert (stored.data["text"], stored.data["media_text"]) == ("ось!", "кіт на столі")


async def test_a_move_at_any_moment_of_a_task_with_the_model_leaves_nothing_under_the_old_id(sqlite_store, gemini):
    gemini.reply_with(remembering)
    interrupted = InterruptedStore(sqlite_store)
    async with running_group(interrupted, **gemini.environment) as group:
        for call in itertools.count(1):
            old, new = CHAT - call, 10 * (CHAT - call)
            for chat_id in (old, new):
                group.api.add_chat(chat_id, admins={102})
            for number, (name, text) in enumerate(TRIP, 1):
                message = Message(old, number, group.clock.now(), PEOPLE[name], name, text=text)
                fields = new_message_fields(message, now=group.clock.now(), retention=timedelta(days=90))
                await group.store.create(message_path(old, number), fields)
            group.clock.advance(timedelta(hours=2))

            async def move(old=old, new=new):
                assert await begin_migration(group.runtime.app, old, new)
                await move_chat(group.runtime.app, old, new)

            interrupted.interrupt(call, move)
            await extract_chat(group.runtime.app, old)
            if interrupted.pending:
                break
            interrupted.interrupt(0, None)
            left = [d.path.split("/")[2] async for d in group.store.subtree(f"chats/{old}")]
            assert set(left) <= {"index"}, call
            await move_chat(group.runtime.app, old, new, part=LATE_PART)
            assert [d.path async for d in group.store.subtree(f"chats/{old}")] == [], call
            await extract_chat(group.runtime.app, new)
            (chunk,) = await group.store.query(chunks_path(new))
            assert len(chunk.data["message_ids"]) == len(TRIP), call
        assert call > 20
