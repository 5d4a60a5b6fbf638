"""What a search of a chat's memory shows, and what it never shows, whatever the index holds."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from shared.application.conversation.history import Topic
from shared.application.recall.search import recall, recent
from shared.application.recall.upkeep import index_chat
from shared.domain.errors import ModelUnavailable, StoreUnavailable
from shared.domain.recall.index.vectors import embedded_text, pack_vectors
from tests.support.archive import archive, chunk_document, group_state, leave, said
from tests.support.group import CHAT, running_group

STATE = group_state(CHAT)
BOT = 900


@pytest.fixture
async def app(sqlite_store):
    async with running_group(sqlite_store) as group:
        yield group.runtime.app


def small_talk(first, last):
    return [said(n, "добрий ранок усім", 101 + n % 3, chat_id=CHAT) for n in range(first, last + 1)]


def with_words(messages, **changes):
    """Message 5 says where the meeting is."""
    told = {"text": "Зустріч у бібліотеці на Подолі", "user_id": 104, "name": "Ганна", **changes}
    return [replace(m, **told) if m.message_id == 5 else m for m in messages]


async def ask(app, text="де зустріч у бібліотеці?", state=STATE, **more):
    given = {"asker": 101, "topic": None, "limit": 10, "before": None, **more}
    return await recall(app, state, text, **given)


def found(recalled):
    return [hit.message.message_id for hit in recalled.messages]


async def test_the_best_hit_is_the_message_itself_with_its_link(app):
    await archive(app.store, with_words(small_talk(1, 40)))
    await index_chat(app, STATE)
    best = (await ask(app)).messages[0]
    assert best.message == with_words(small_talk(1, 40))[4]
    assert best.link == "https://t.me/c/1000000001/5"
    public = await ask(app, state=STATE._replace(username="grupa"))
    assert public.messages[0].link == "https://t.me/grupa/5"


async def test_what_was_just_said_is_found_before_any_task_ran(app):
    await leave(app.store, with_words(small_talk(1, 8)))
    assert found(await ask(app))[0] == 5


async def test_notes_are_found_with_a_link_to_where_their_talk_begins(app):
    await archive(app.store, small_talk(1, 20))
    await app.store.update(f"chats/{CHAT}/chunks/11-20", {"summary": "Вирішили варити борщ"})
    await index_chat(app, STATE)
    note = (await ask(app, "хто варить борщ?")).notes[0]
    assert (note.note.id, note.link) == ("11-20", "https://t.me/c/1000000001/11")


@pytest.mark.parametrize("stored", ["indexed", "tail"])
async def test_the_words_of_who_opted_out_are_not_shown_even_while_the_index_holds_them(app, stored):
    messages = with_words(small_talk(1, 40 if stored == "indexed" else 9))
    await (archive if stored == "indexed" else leave)(app.store, messages)
    await index_chat(app, STATE)
    gone = STATE._replace(opted_out=frozenset({104}))
    recalled = await ask(app, state=gone)
    assert 5 not in found(recalled)
    assert "1-10" not in [hit.note.id for hit in recalled.notes]
    assert 5 not in [m.message_id for m in await recent(app, gone, before=99, limit=99, topic=None)]


async def test_what_is_older_than_messages_are_kept_is_not_shown(app):
    old = app.clock.now() - app.policy.retention - timedelta(days=1)
    await archive(app.store, [replace(m, sent_at=old + timedelta(seconds=m.message_id)) for m in small_talk(1, 10)])
    await archive(app.store, with_words(small_talk(11, 20)))
    await index_chat(app, STATE)
    everything = await ask(app, "добрий ранок", limit=99)
    assert found(everything)
    assert min(found(everything)) > 10
    assert [hit.note.id for hit in everything.notes] == ["11-20"]


async def test_bots_are_never_hits_but_stand_in_recent_talk(app):
    await archive(app.store, with_words(small_talk(1, 20), is_bot=True, user_id=BOT))
    await index_chat(app, STATE)
    assert 5 not in found(await ask(app))
    assert 5 in [m.message_id for m in await recent(app, STATE, before=20, limit=30, topic=None)]


async def test_only_what_was_said_before_the_question_is_found(app):
    await archive(app.store, with_words(small_talk(1, 20)))
    await index_chat(app, STATE)
    assert 5 not in found(await ask(app, before=5))
    assert found(await ask(app, before=6))[0] == 5


async def test_in_a_topic_only_what_was_said_there_is_found(app):
    messages = with_words(small_talk(1, 20))
    await archive(app.store, [replace(m, thread_id=7 if m.message_id < 10 else None) for m in messages])
    await index_chat(app, STATE)
    assert found(await ask(app, topic=Topic(7)))[0] == 5
    assert (await ask(app, topic=Topic(7))).messages[0].link == "https://t.me/c/1000000001/7/5"
    assert 5 not in found(await ask(app, topic=Topic(None)))
    assert 5 not in found(await ask(app, topic=Topic(8)))
    assert (await ask(app, topic=Topic(8))).notes == []


async def test_recent_talk_is_the_newest_of_the_topic_in_order_and_costs_no_read_a_message(app):
    await archive(app.store, [replace(m, thread_id=7 if m.message_id % 2 else None) for m in small_talk(1, 60)])
    await index_chat(app, STATE)
    await leave(app.store, [replace(m, thread_id=7) for m in small_talk(61, 63)])
    assert [m.message_id for m in await recent(app, STATE, before=63, limit=3, topic=Topic(7))] == [59, 61, 62]
    before = app.store.usage.reads
    assert [m.message_id for m in await recent(app, STATE, before=63, limit=30, topic=None)] == list(range(33, 63))
    assert app.store.usage.reads - before == 1 + 3 + 1


async def test_recent_talk_of_a_private_chat_is_read_from_the_messages(app):
    await archive(app.store, small_talk(1, 20))
    private = STATE._replace(private_mode=True)
    assert [m.message_id for m in await recent(app, private, before=19, limit=3, topic=None)] == [16, 17, 18]
    assert await recent(app, private, before=19, limit=0, topic=None) == []


async def test_without_anything_said_nothing_is_found(app):
    recalled = await ask(app)
    assert (recalled.messages, recalled.notes) == ([], [])
    assert await recent(app, STATE, before=5, limit=5, topic=None) == []


class Vectors:
    """An embedder as it was told to be."""

    name = "m/2"

    def __init__(self, vector=None):
        self.vector = vector

    async def embed(self, texts, *, query=False):
        if self.vector is None:
            raise ModelUnavailable("away")
        return [self.vector for _ in texts]


@pytest.mark.parametrize("vector", [None, (1.0, 0.0), (1.0, 0.0, 0.0)], ids=["away", "fitting", "of another size"])
async def test_the_embedder_may_be_away_or_another_and_the_search_goes_on_by_words(app, vector):
    await archive(app.store, with_words(small_talk(1, 20)))
    chunk = chunk_document(small_talk(1, 10))
    await app.store.update(chunk.path, {"embedding": [0.0, 1.0], "embedding_model": "m/2"})
    await index_chat(app, STATE)
    assert found(await ask(replace(app, embedder=Vectors(vector))))[0] == 5


async def test_a_note_that_means_the_same_in_other_words_is_found_by_its_vector(app):
    await archive(app.store, small_talk(1, 40))
    for first, vector in ((1, (0.0, 1.0)), (11, (1.0, 0.1)), (21, (0.1, 1.0)), (31, (-1.0, 0.0))):
        changes = {"embedding": list(vector), "embedding_model": "m/2"}
        await app.store.update(f"chats/{CHAT}/chunks/{first}-{first + 9}", changes)
    await index_chat(app, STATE)
    recalled = await ask(replace(app, embedder=Vectors((1.0, 0.0))), "zzz")
    assert recalled.notes[0].note.id == "11-20"
    assert (await ask(app, "zzz")).notes == []


async def test_a_message_that_means_the_same_in_other_words_is_found_by_its_vector(app):
    talk = small_talk(1, 40)
    await archive(app.store, talk)
    dice = np.random.default_rng(4)
    meant = dice.normal(size=32).tolist()
    for at in range(0, 40, 10):
        vectors = {embedded_text(m): dice.normal(size=32).tolist() for m in talk[at : at + 10]}
        vectors |= {embedded_text(talk[17]): meant} if at == 10 else {}
        changes = {"embedding_model": "m/2", "message_vectors": pack_vectors(vectors)}
        await app.store.update(chunk_document(talk[at : at + 10]).path, changes)
    await index_chat(app, STATE)
    assert found(await ask(replace(app, embedder=Vectors(meant)), "zzz"))[0] == 18
    assert found(await ask(replace(app, embedder=Vectors()), "zzz")) == []
    assert found(await ask(app, "zzz")) == []


async def test_an_outage_is_not_an_empty_memory(app):
    class Out:
        def __getattr__(self, name):
            async def refuse(*args, **kwargs):
                raise StoreUnavailable("out")

            return refuse

    with pytest.raises(StoreUnavailable):
        await ask(replace(app, store=Out()))
