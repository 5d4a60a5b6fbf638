"""The retrieval index over a real store: it takes up what is new, survives whatever happens to it, and forgets."""

import asyncio
import contextlib
import itertools
from dataclasses import replace

import pytest

from shared.application.documents import chat_path, chunks_path, index_head_path, index_segment_path
from shared.application.ports.store import DELETE_FIELD
from shared.application.recall.loading import load_corpus
from shared.application.recall.placing import forget_in_index
from shared.application.recall.upkeep import MOST_STEPS, STEP, index_chat
from shared.domain.recall.index.segment import Segment
from tests.support.archive import archive, chunk_document
from tests.support.faults import Crashed
from tests.support.group import CHAT
from tests.unit.application.recall.indexed import STATE, found, head, ids, index_documents, noted, payloads, spoil, talk


async def unindexed(store):
    return [d.id for d in await store.query(chunks_path(CHAT)) if d.data["indexed"] is not True]


# --- Taking up --------------------------------------------------------------------------------------


async def test_a_groups_talk_is_indexed_by_the_worker_and_loaded_with_its_tail(group):
    for n in range(12):
        await group.say(f"обговорюємо пункт{n}", 101 + n % 3)
    await group.settle()
    await group.say("свіже", 104, "Ганна")
    corpus = await load_corpus(group.runtime.app, await group.runtime.app.chats.state(CHAT))
    assert ids(corpus) == list(range(1, 14))
    assert found(corpus, "пункт3") == [4]
    assert found(corpus, "свіже") == [13]
    assert corpus.notes.size >= 1
    assert await unindexed(group.store) == []


async def test_indexing_again_changes_nothing(laptop, app):
    await archive(laptop.store, talk(1, 60))
    assert await index_chat(app, STATE) == 6
    before = await index_documents(laptop.store)
    assert await index_chat(app, STATE) == 0
    assert await index_documents(laptop.store) == before


async def test_killed_at_any_call_and_repeated_it_gives_the_same_index(laptop, app):
    store, expected = laptop.store, None
    for die_at, after in ((count, after) for count in itertools.count(1) for after in (False, True)):
        async for document in store.subtree(chat_path(CHAT)):
            await store.delete(document.path)
        await archive(store, talk(1, 210))
        store.arm(die_at, after=after)
        with contextlib.suppress(Crashed):
            await index_chat(app, STATE)
        unharmed = store.calls < die_at
        store.arm(None)
        await index_chat(app, STATE)
        assert await unindexed(store) == []
        result = await index_documents(store)
        expected = expected or result
        assert result == expected
        if unharmed:
            break


async def test_two_workers_at_once_lose_nothing(laptop, app):
    await archive(laptop.store, talk(1, 100))
    await asyncio.gather(index_chat(app, STATE), index_chat(app, STATE))
    assert ids(await load_corpus(app, STATE)) == list(range(1, 101))
    assert await unindexed(laptop.store) == []


async def test_a_long_past_is_taken_up_in_steps_and_the_worker_comes_back_for_the_rest(laptop, app):
    await archive(laptop.store, talk(1, (STEP * MOST_STEPS + 3) * 10))
    assert await index_chat(app, STATE) == STEP * MOST_STEPS
    assert len(laptop.tasks.tasks) == 1
    await laptop.settle()
    assert await unindexed(laptop.store) == []


async def test_segments_are_sealed_at_a_thousand_messages_and_only_the_last_grows(laptop, app):
    await archive(laptop.store, talk(1, 2350))
    await index_chat(app, STATE)
    sealed = {path: data for path, data in (await index_documents(laptop.store)).items() if not path.endswith("head")}
    assert [entry.messages for entry in (await head(laptop.store)).entries] == [1000, 1000, 350]
    await archive(laptop.store, talk(2351, 2360))
    writes = laptop.store.usage.writes
    await index_chat(app, STATE)
    assert laptop.store.usage.writes - writes == 3
    after = await index_documents(laptop.store)
    assert [path[-4:] for path in sealed if after[path] != sealed[path]] == ["0003"]
    assert ids(await load_corpus(app, STATE)) == list(range(1, 2361))


async def test_a_late_message_and_one_of_the_basic_group_find_their_place(laptop, app):
    await archive(laptop.store, [*talk(1, 700), *talk(711, 1500)])
    await index_chat(app, STATE)
    await archive(laptop.store, talk(701, 710))
    await archive(laptop.store, talk(-40, -31))
    await index_chat(app, STATE)
    assert ids(await load_corpus(app, STATE)) == [*range(-40, -30), *range(1, 1501)]


async def test_chunks_from_before_there_was_an_index_are_taken_up(laptop, app):
    await archive(laptop.store, talk(1, 30), indexed=True)
    await laptop.store.update(f"{chunks_path(CHAT)}/1-10", {"indexed": DELETE_FIELD})
    assert await index_chat(app, STATE) == 3
    assert ids(await load_corpus(app, STATE)) == list(range(1, 31))


# --- Loading ----------------------------------------------------------------------------------------


# --- Forgetting -------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["message", "user"])
async def test_what_is_forgotten_is_in_no_payload_and_in_no_note(laptop, app, how):
    secret = "таємнепароль"
    messages = talk(1, 1020)
    messages[7] = replace(messages[7], text=f"{secret} 42", user_id=777, name=secret, sent_at=messages[0].sent_at)
    await archive(laptop.store, messages)
    meta = chunk_document(messages[:100]).data | {"summary": f"мета {secret}"}
    await laptop.store.set(f"{chat_path(CHAT)}/metas/1-1-100", meta)
    await index_chat(app, STATE)
    corpus = await load_corpus(app, STATE)
    assert found(corpus, secret)
    by = {"message": {"message_ids": {8}}, "user": {"user_id": 777}}[how]
    await forget_in_index(app.store, app.indexes, CHAT, **by)
    decoded = [Segment.decode(payload) for payload in await payloads(laptop.store)]
    everything = [*(m for s in decoded for m in s.messages()), *(n for s in decoded for n in s.notes())]
    assert secret not in repr(everything)
    assert all(secret not in repr(segment.talk.names) for segment in decoded)
    assert len([m for s in decoded for m in s.messages()]) == 1019
    assert [n.id for s in decoded for n in s.notes()][:2] == ["11-20", "21-30"]
    corpus = await load_corpus(app, STATE)
    assert found(corpus, secret) == []
    assert noted(corpus.notes, secret) == []


async def test_forgetting_everybody_leaves_no_segment(laptop, app):
    await archive(laptop.store, talk(1, 30))
    await index_chat(app, STATE)
    await forget_in_index(app.store, app.indexes, CHAT, message_ids=set(range(1, 31)))
    assert await payloads(laptop.store) == []
    assert (await load_corpus(app, STATE)).size == 0


async def test_an_index_that_is_lost_is_made_anew_and_the_same(laptop, app):
    await archive(laptop.store, talk(1, 1100))
    await index_chat(app, STATE)
    before = await index_documents(laptop.store)
    for path in before:
        await laptop.store.delete(path)
    assert await index_documents(laptop.store) == {}
    await index_chat(app, STATE)
    assert await index_documents(laptop.store) == before


async def test_a_worker_that_meets_a_broken_segment_makes_it_again_first(laptop, app):
    await archive(laptop.store, talk(1, 40))
    await index_chat(app, STATE)
    await laptop.store.delete(index_segment_path(CHAT, 1))
    await archive(laptop.store, talk(41, 50))
    await index_chat(app, STATE)
    assert ids(await load_corpus(app, STATE)) == list(range(1, 51))


async def test_a_segment_of_an_older_analysis_is_read_anew_and_then_rewritten(laptop, app):
    await archive(laptop.store, talk(1, 20))
    await index_chat(app, STATE)
    segment = Segment.decode((await payloads(laptop.store))[0])
    stranger = Segment.build([replace(m, text="чуже") for m in segment.messages()])
    old = Segment(replace(segment.talk, index=stranger.talk.index), segment.memory, terms_version=0)
    await spoil(laptop.store, 1, old.encode())
    entry = (await head(laptop.store)).entries[0]._replace(terms=0)
    await laptop.store.update(index_head_path(CHAT), {"segments": [entry._asdict()]})
    assert found(await load_corpus(app, STATE), "слово7") == [7]
    await index_chat(app, STATE)
    renewed = Segment.decode((await payloads(laptop.store))[0])
    assert renewed.encode() == segment.encode()
