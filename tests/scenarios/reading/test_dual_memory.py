"""Dual memory from messages to metas and episodes: extraction over a real store, Gemini on loopback."""

import json
import re
import shutil
from datetime import timedelta

import pytest

from infra.sqlite import SqliteStore
from shared.application.documents import message_path
from shared.application.ports.store import Vector
from shared.application.reading.extraction import extract_chat
from shared.application.reading.notes.upkeep import Kept, keep_up
from shared.application.reading.setting_aside import Pieces
from shared.domain.errors import ModelUnavailable
from shared.domain.people.naming import people_marked
from shared.prompts import prompt
from tests.support.faults import Crashed
from tests.support.gemini.server import EMBEDDING_MODEL, EXTRACTION_MODEL
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading
from tests.support.reading.talks import ENGINE, TRIP, Talk, everything, remembering

# --- Metas -------------------------------------------------------------------------------------


async def test_ten_chunks_are_told_by_one_meta_summary_and_know_it(talk):
    await talk.chunks_of_one(11)
    metas = await talk.metas()
    assert list(metas) == ["1-1-10"]
    meta = metas["1-1-10"]
    assert meta["nodes"] == [f"{n}-{n}" for n in range(1, 11)]
    assert (meta["level"], meta["made_by"], meta["model_pending"]) == (1, "offline", False)
    assert "105 грн" in meta["summary"]
    held = {chunk["meta"] for chunk_id, chunk in (await talk.chunks()).items() if chunk_id != "11-11"}
    assert held == {"1-1-10"}
    assert (await talk.chunks())["11-11"]["meta"] is None


async def test_on_either_store_ten_chunks_become_a_meta_and_a_talk_an_episode_and_an_edit_reaches_both(store):
    async with running_group(store) as group:
        talk = Talk(group)
        await talk.have(TRIP)
        await talk.extract(policy=talk.app.policy._replace(chunk_size=1))
        await talk.chunks_of_one(4)
        await talk.extract(after=timedelta(hours=2))
        await group.store.update(message_path(CHAT, 1), {"text": "їдемо в Одесу 20 травня", "rederive": True})
        await talk.extract()
        made = [*(await talk.metas()).values(), *(await talk.episodes()).values()]
        assert len(made) >= 2
        assert any("20 травня" in document["summary"] for document in await _of(talk.metas()))
        assert any("20 травня" in document["summary"] for document in await _of(talk.episodes()))
        assert "14 березня" not in json.dumps(made, ensure_ascii=False, default=str)


async def _of(documents):
    return (await documents).values()


async def test_a_chunk_that_comes_late_joins_the_next_group_and_moves_none(talk):
    talk.group.ids().keep(99)
    await talk.chunks_of_one(10)
    before = await talk.metas()
    await talk.say("Марко", "запізніле: рахунок 7 за 77 грн", message_id=5)
    await talk.chunks_of_one(9)
    metas = await talk.metas()
    assert {name: metas[name] for name in before} == before
    (late,) = metas.keys() - before.keys()
    assert metas[late]["nodes"][0] == "5-5"
    assert len(metas[late]["nodes"]) == 10


async def test_private_and_empty_chunks_leave_no_hole(talk):
    await talk.chunks_of_one(5)
    await talk.app.chats.change(CHAT, {"private_mode": True})
    await talk.chunks_of_one(5)
    await talk.app.chats.change(CHAT, {"private_mode": False})
    await talk.say("Оля", "👍", kind="command")
    await talk.chunks_of_one(5)
    (meta,) = (await talk.metas()).values()
    assert len(meta["nodes"]) == 10
    assert (meta["first"], meta["last"]) == (1, 16)


async def test_ten_metas_become_one_of_the_next_level(talk):
    for _ in range(10):
        await talk.chunks_of_one(10)
    metas = await talk.metas()
    assert sorted(m["level"] for m in metas.values()) == [1] * 10 + [2]
    top = metas["2-1-100"]
    assert len(top["summary"]) <= 1_200
    assert {metas[node]["meta"] for node in top["nodes"]} == {"2-1-100"}


async def wish_of_metas(talk):
    await talk.app.chats.change(CHAT, {"settings": {"prompts": {"meta": "по днях"}}})


async def test_a_meta_summary_is_put_together_of_what_the_model_wrote_about_its_chunks_and_embedded(modelled, gemini):
    gemini.reply_with(lambda r: reading(r, re.findall(r"(?m)^1 1 .*: (.*)", r.prompt)[-1]) if asks_to_read(r) else "")
    await modelled.chunks_of_one(10)
    (meta,) = (await modelled.metas()).values()
    told = {chunk["summary"] for chunk in (await modelled.chunks()).values()}
    assert set(meta["summary"].splitlines()) == told
    assert (meta["made_by"], meta["model_pending"]) == ("offline", False)
    assert meta["embedding_model"] == f"{EMBEDDING_MODEL}/768"
    assert all(asks_to_read(r) for r in gemini.requests if r.method == "generateContent")


async def test_where_admins_wish_something_of_it_a_meta_summary_is_the_models_and_embedded(modelled):
    await wish_of_metas(modelled)
    await modelled.chunks_of_one(10)
    (meta,) = (await modelled.metas()).values()
    assert (meta["summary"], meta["made_by"]) == (
        "Десять частин разом.",
        f"{EXTRACTION_MODEL}/{prompt('meta').version}",
    )
    assert meta["embedding_model"] == f"{EMBEDDING_MODEL}/768"
    assert len(meta["embedding"]) == 768
    assert not meta["model_pending"]


async def test_metas_and_episodes_made_without_the_model_are_made_again_when_it_is_there(modelled, gemini):
    await wish_of_metas(modelled)
    await modelled.chunks_of_one(10, model=None, embedder=None)
    await modelled.extract(after=timedelta(hours=2), model=None, embedder=None)
    (before,) = (await modelled.metas()).values()
    (told,) = (await modelled.episodes()).values()
    assert before["model_pending"]
    assert told["model_pending"]
    for _ in range(4):
        await modelled.extract()
    (meta,) = (await modelled.metas()).values()
    (episode,) = (await modelled.episodes()).values()
    assert (meta["summary"], meta["model_pending"], meta["nodes"]) == ("Десять частин разом.", False, before["nodes"])
    assert (episode["summary"], episode["model_pending"]) == ("{{101|Оля}} платить рахунки.", False)
    assert all(d["embedding_model"] for d in [meta, episode, *(await modelled.chunks()).values()])


async def test_a_chunk_that_is_made_again_has_its_meta_summary_made_again(modelled, gemini):
    await wish_of_metas(modelled)
    await modelled.chunks_of_one(10)
    gemini.reply_with(lambda r: "Нове." if "<summaries>" in r.prompt else remembering(r).replace("100", "7"))
    path = message_path(CHAT, 3)
    await modelled.group.store.update(path, {"text": "рахунок 2: сплатила 5 євро", "rederive": True})
    for _ in range(3):
        await modelled.extract()
    (meta,) = (await modelled.metas()).values()
    assert meta["summary"] == "Нове."
    assert not meta["stale"]


# --- Episodes ----------------------------------------------------------------------------------


async def test_an_hour_of_silence_closes_an_episode(talk):
    ids = await talk.have(TRIP)
    await talk.extract(after=timedelta(minutes=20))
    assert await talk.episodes() == {}
    await talk.extract(after=timedelta(minutes=45))
    (episode,) = (await talk.episodes()).values()
    assert episode["message_ids"] == ids
    assert episode["speakers"] == [101, 103, 104]
    assert people_marked(episode["summary"]) <= {101, 103, 104}
    assert "14 березня" in episode["summary"]
    assert (episode["made_by"], episode["tone"]) == ("offline", "")
    assert {"поїзд", "квиток"} & set(episode["themes"])
    assert any("ворохт" in topic for topic in episode["key_topics"])
    assert all(chunk["told"] for chunk in (await talk.chunks()).values())


async def test_the_queue_itself_comes_back_to_close_it(talk):
    await talk.have(TRIP)
    await talk.extract(after=timedelta(minutes=20))
    await talk.group.settle()
    assert len(await talk.episodes()) == 1


async def test_a_change_of_topic_closes_an_episode_without_a_pause(talk):
    first = await talk.have([*TRIP, *TRIP])
    second = await talk.have([*ENGINE, *ENGINE])
    await talk.extract(after=timedelta(hours=2))
    episodes = sorted((await talk.episodes()).values(), key=lambda e: e["first"])
    assert len(episodes) == 2
    assert abs(episodes[0]["last"] - first[-1]) <= 2
    assert episodes[1]["last"] == second[-1]
    assert "двигун" in episodes[1]["themes"]


async def test_forum_topics_are_conversations_of_their_own(talk):
    for (name, text), (other, words) in zip(TRIP, ENGINE, strict=True):
        await talk.say(name, text, thread_id=7)
        await talk.say(other, words, thread_id=8)
    await talk.extract(after=timedelta(hours=2))
    assert sorted(e["thread_id"] for e in (await talk.episodes()).values()) == [7, 8]


async def test_a_few_words_make_no_episode_and_are_not_looked_at_again(talk):
    await talk.have(TRIP[:4])
    await talk.extract(after=timedelta(hours=2))
    assert await talk.episodes() == {}
    assert all(chunk["told"] for chunk in (await talk.chunks()).values())


async def test_talk_that_never_pauses_is_cut(talk):
    for number in range(130):
        name, text = TRIP[number % 6]
        await talk.say(name, f"{text} {number}", pause=timedelta(seconds=30))
    await talk.extract()
    episodes = (await talk.episodes()).values()
    assert episodes
    assert all(e["messages"] <= 100 for e in episodes)
    told = [i for e in episodes for i in e["message_ids"]]
    assert len(told) == len(set(told))


async def test_an_episode_tells_what_the_model_read_in_its_chunks_and_asks_for_nothing(modelled, gemini):
    await modelled.have(TRIP)
    await modelled.extract(after=timedelta(hours=2))
    (episode,) = (await modelled.episodes()).values()
    assert episode["summary"] == "{{101|Оля}} платить рахунки."
    assert episode["speakers"] == [101, 103, 104]
    assert episode["made_by"] == f"{EXTRACTION_MODEL}/{prompt('reading').version}"
    assert len(episode["embedding"]) == 768
    assert sum(request.method == "generateContent" for request in gemini.requests) == 1


async def test_an_episode_holds_nothing_of_those_who_opted_out(talk):
    await talk.have([*TRIP, *TRIP])
    await talk.extract()
    await talk.app.chats.change(CHAT, {"opted_out": [104]})
    await talk.extract(after=timedelta(hours=2))
    (episode,) = (await talk.episodes()).values()
    assert "аптечка" not in json.dumps(episode, ensure_ascii=False, default=str)
    assert 104 not in episode["speakers"]


async def test_a_meta_summary_holds_nothing_of_those_who_opted_out(talk):
    for number in range(9):
        await talk.say("Ганна" if number % 2 else "Оля", f"код {4000 + number}")
    await talk.extract(policy=talk.app.policy._replace(chunk_size=1))
    await talk.app.chats.change(CHAT, {"opted_out": [104]})
    await talk.chunks_of_one(1)
    (meta,) = (await talk.metas()).values()
    assert "4000" in meta["summary"]
    assert "4001" not in meta["summary"]
    assert 104 not in meta["speakers"]


async def test_an_edit_changes_every_text_that_was_made_of_the_message(talk):
    for name, text in TRIP[:5]:
        await talk.say(name, text)
    await talk.extract(policy=talk.app.policy._replace(chunk_size=1))
    await talk.chunks_of_one(5)
    await talk.extract(after=timedelta(hours=2))
    assert len(await talk.metas()) == 1
    await talk.group.store.update(message_path(CHAT, 1), {"text": "їдемо в Одесу 20 травня", "rederive": True})
    await talk.extract()
    texts = await everything(talk.group, without=("messages", "facts"))
    assert "14 березня" not in json.dumps(texts, ensure_ascii=False, default=str)
    made_of_it = [(await talk.metas())["1-1-10"], (await talk.episodes())["1-5"], (await talk.chunks())["1-1"]]
    assert all("20 травня" in document["summary"] for document in made_of_it)


@pytest.fixture
async def before_the_tenth(tmp_path):
    """A store's file in which nine chunks are made and a tenth waits, and the time when it is due."""
    store = SqliteStore(tmp_path / "before.db")
    async with running_group(store) as group:
        talk = Talk(group)
        await talk.chunks_of_one(9)
        await talk.say("Марко", "останній рахунок, 999 грн, сплачу в п'ятницю")
        due = group.clock.now() + timedelta(hours=3)
    await store.aclose()
    return tmp_path / "before.db", due


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("only_when_due", [False, True], ids=["any", "only_when_due"])
async def test_killed_anywhere_and_run_again_metas_and_episodes_are_the_same(
    tmp_path, before_the_tenth, after, only_when_due
):
    (before, due), expected = before_the_tenth, None
    for die_at in [None, *range(1, 60)]:
        store = SqliteStore(shutil.copy(before, tmp_path / f"{die_at}.db"))
        async with running_group(store, at=due) as group:
            group.store.arm(die_at, after=after)
            survived = True
            try:
                await extract_chat(group.runtime.app, CHAT, only_when_due=only_when_due)
            except Crashed:
                survived = False
            group.store.arm(None)
            await extract_chat(group.runtime.app, CHAT, only_when_due=only_when_due)
            found = await everything(group)
        await store.aclose()
        expected = expected or found
        assert found == expected, f"killed at call {die_at}"
        if die_at and survived:
            break
    else:
        pytest.fail("the task never ended unharmed")
    assert sum("/metas/" in path for path in expected) == sum("/episodes/" in path for path in expected) == 1


async def test_a_task_with_nothing_left_to_do_reads_one_document_for_upkeep(talk):
    await talk.have(TRIP)
    await talk.extract(after=timedelta(hours=2))
    state, before = await talk.app.chats.state(CHAT), talk.group.store.usage.reads
    assert await keep_up(talk.app, state, Pieces(talk.app), quiet_until=talk.group.clock.now()) == Kept()
    assert talk.group.store.usage.reads - before == 1


async def test_the_chats_custom_instructions_reach_each_prompt_as_quoted_data(modelled, gemini):
    instructions = {task: f"бажання для {task}" for task in ("facts", "summary", "episodes", "meta", "episode")}
    await modelled.app.chats.change(CHAT, {"settings": {"prompts": instructions}})
    await modelled.chunks_of_one(10)
    await modelled.extract(after=timedelta(hours=2))
    prompts = [r.prompt for r in gemini.requests if r.method == "generateContent"]
    asked = [each.split("<wishes>\n")[1].split("\n</wishes>")[0] for each in prompts if "<wishes>" in each]
    for words in instructions.values():
        assert any(f'"{words}"' in section for section in asked)


@pytest.mark.parametrize("said", ["NOTHING", "**No facts to record.**", "- Немає фактів для запису", "«Нічого»."])
async def test_nothing_to_record_is_not_stored(modelled, gemini, said):
    gemini.reply_with(lambda r: reading(r, "Про поїздку.", [said]) if asks_to_read(r) else remembering(r))
    await modelled.have(TRIP)
    await modelled.extract(after=timedelta(hours=2))
    assert [chunk["episodic"] for chunk in (await modelled.chunks()).values()] == [""]


class Embedder:
    """Away until told otherwise."""

    def __init__(self, name, *, away=False):
        self.name, self.away = name, away

    async def embed(self, texts, *, query=False):
        if self.away:
            raise ModelUnavailable("away")
        return [Vector((1.0, float(len(text)))) for text in texts]


async def vectors(talk):
    documents = [*(await talk.chunks()).values(), *(await talk.metas()).values(), *(await talk.episodes()).values()]
    return {document["embedding_model"] for document in documents}, len(documents)


async def test_what_was_made_while_the_embedder_was_away_gets_its_vector_later(modelled):
    embedder = Embedder("one/2", away=True)
    await modelled.chunks_of_one(10, embedder=embedder)
    await modelled.extract(after=timedelta(hours=2), embedder=embedder)
    assert await vectors(modelled) == ({None}, 12)
    embedder.away = False
    await modelled.extract(embedder=embedder)
    assert await vectors(modelled) == ({"one/2"}, 12)


async def test_vectors_of_another_model_or_size_are_made_anew(modelled):
    await modelled.chunks_of_one(10, embedder=Embedder("one/2"))
    await modelled.extract(after=timedelta(hours=2), embedder=Embedder("one/2"))
    await modelled.extract(embedder=Embedder("another/2"))
    assert await vectors(modelled) == ({"another/2"}, 12)


async def test_a_chat_that_became_private_gets_no_episode_until_it_is_private_no_more(talk):
    await talk.have(TRIP)
    await talk.extract()
    await talk.app.chats.change(CHAT, {"private_mode": True})
    await talk.have([("Оля", "таємне 1"), ("Марко", "таємне 2")])
    await talk.extract(after=timedelta(hours=2))
    assert await talk.episodes() == {}
    await talk.app.chats.change(CHAT, {"private_mode": False})
    await talk.have(ENGINE)
    await talk.extract(after=timedelta(hours=2))
    assert len(await talk.episodes()) >= 1
    assert "таємне" not in json.dumps(await talk.episodes(), ensure_ascii=False, default=str)
