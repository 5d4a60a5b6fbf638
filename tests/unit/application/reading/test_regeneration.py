"""Regeneration changes the documents it names, and nothing else, and never for the worse."""

from dataclasses import replace

import pytest

from shared.application.documents import chunks_path, episodes_path, metas_path, usage_path
from shared.application.reading.regeneration import (
    NotRegenerable,
    regenerate_chunk,
    regenerate_embeddings,
    regenerate_facts,
    regenerate_meta,
)
from shared.domain.errors import Contention, ModelRefused, ModelUnavailable
from tests.support.group import CHAT, running_group
from tests.support.reading.replies import asks_to_read, reading
from tests.support.reading.talks import Talk, everything, remembering

CHUNK, META = f"{chunks_path(CHAT)}/3-3", f"{metas_path(CHAT)}/1-1-10"


@pytest.fixture
async def talk(sqlite_store, gemini):
    """Ten chunks of one message, their meta summary, an episode; then the model learns to say it better."""
    gemini.reply_with(remembering)
    async with running_group(sqlite_store, **gemini.environment) as group:
        talk = Talk(group)
        await talk.chunks_of_one(10)
        await talk.extract(after=talk.app.policy.idle * 12)
        gemini.reply_with(better)
        yield talk


def better(request):
    if asks_to_read(request):
        return reading(request, "Краще сказано.", ["Оля сплатила точніше"])
    return "Краще разом."


async def changed(talk, regenerate):
    """The documents that differ afterwards, with their new fields."""
    before = await everything(talk.group, without=("usage",))
    await regenerate(talk.app, await talk.app.chats.state(CHAT, fresh=True))
    after = await everything(talk.group, without=("usage",))
    assert before.keys() == after.keys()
    return {
        path: {name: value for name, value in after[path].items() if value != before[path].get(name)}
        for path in before
        if after[path] != before[path]
    }


async def test_a_chunk_gets_a_new_summary_and_new_facts_and_nothing_else_changes(talk):
    changes = await changed(talk, lambda app, state: regenerate_chunk(app, state, "3-3"))
    assert changes.keys() == {CHUNK}
    assert changes[CHUNK].keys() == {"summary", "episodic", "embedding", "indexed"}
    assert (changes[CHUNK]["summary"], changes[CHUNK]["episodic"]) == ("Краще сказано.", "- Оля сплатила точніше")


async def test_doing_it_again_changes_nothing(talk):
    await changed(talk, lambda app, state: regenerate_chunk(app, state, "3-3"))
    assert await changed(talk, lambda app, state: regenerate_chunk(app, state, "3-3")) == {}


async def test_a_meta_summary_gets_a_new_text(talk):
    changes = await changed(talk, lambda app, state: regenerate_meta(app, state, "1-1-10"))
    assert changes.keys() == {META}
    assert changes[META].keys() == {"summary", "embedding", "indexed"}
    assert changes[META]["summary"] == "Краще разом."


async def test_the_facts_of_a_range_are_made_anew_and_no_summary(talk):
    changes = await changed(talk, lambda app, state: regenerate_facts(app, state, first=2, last=4))
    assert changes.keys() == {f"{chunks_path(CHAT)}/{n}-{n}" for n in (2, 3, 4)}
    assert all(fields.keys() == {"episodic", "embedding", "indexed"} for fields in changes.values())


async def test_vectors_are_made_anew_for_another_embedder_and_no_text_changes(talk):
    class Other:
        name = "other/3"

        async def embed(self, texts, *, query=False):
            return [(1.0, 0.0, 0.0) for _ in texts]

    other = replace(talk.app, embedder=Other())
    changes = await changed(talk, lambda _, state: regenerate_embeddings(other, state))
    assert len(changes) == 12
    assert any(path.startswith(episodes_path(CHAT)) for path in changes)
    assert all(fields.keys() == {"embedding", "embedding_model", "indexed"} for fields in changes.values())
    few = await changed(talk, lambda app, state: regenerate_embeddings(app, state, first=2, last=3))
    assert few.keys() == {f"{chunks_path(CHAT)}/{n}-{n}" for n in (2, 3)}


REGENERATIONS = [
    lambda app, state: regenerate_chunk(app, state, "3-3"),
    lambda app, state: regenerate_meta(app, state, "1-1-10"),
    lambda app, state: regenerate_facts(app, state, first=1, last=5),
    regenerate_embeddings,
]
NAMES = ["chunk", "meta", "facts", "embeddings"]


@pytest.mark.parametrize("regenerate", REGENERATIONS, ids=NAMES)
@pytest.mark.parametrize("missing", ["down", "none"])
async def test_without_the_model_it_refuses_and_everything_stays(talk, gemini, regenerate, missing):
    before = await everything(talk.group)
    state, app = await talk.app.chats.state(CHAT), talk.app
    if missing == "none":
        app = replace(app, model=None, embedder=None)
    gemini.fail_next(403, times=20)
    with pytest.raises(ModelUnavailable):
        await regenerate(app, state)
    assert await everything(talk.group) == before


@pytest.mark.parametrize("regenerate", REGENERATIONS[:3], ids=NAMES[:3])
async def test_over_its_budget_a_chat_is_left_as_it_is(talk, regenerate):
    await talk.group.store.set(usage_path(CHAT, talk.group.clock.now().date()), {"schema": 1, "tokens": 200_000})
    with pytest.raises(ModelUnavailable, match="budget"):
        await regenerate(talk.app, await talk.app.chats.state(CHAT))


@pytest.mark.parametrize("regenerate", REGENERATIONS[:2], ids=NAMES[:2])
async def test_an_answer_of_no_use_replaces_nothing(talk, gemini, regenerate):
    gemini.reply_with(lambda _: "```\n```")
    before = await everything(talk.group, without=("usage",))
    with pytest.raises(ModelRefused):
        await regenerate(talk.app, await talk.app.chats.state(CHAT))
    assert await everything(talk.group, without=("usage",)) == before


@pytest.mark.parametrize("regenerate", REGENERATIONS, ids=NAMES)
async def test_a_private_chat_is_neither_read_nor_made(talk, gemini, regenerate):
    await talk.app.chats.change(CHAT, {"private_mode": True})
    asked = len(gemini.requests)
    with pytest.raises(NotRegenerable):
        await regenerate(talk.app, await talk.app.chats.state(CHAT))
    assert len(gemini.requests) == asked


@pytest.mark.parametrize("regenerate", REGENERATIONS[:2], ids=NAMES[:2])
async def test_of_those_who_opted_out_nothing_is_read(talk, gemini, regenerate):
    await talk.app.chats.change(CHAT, {"opted_out": [101]})
    asked = len(gemini.requests)
    with pytest.raises(NotRegenerable):
        await regenerate(talk.app, await talk.app.chats.state(CHAT))
    assert len(gemini.requests) == asked


async def test_what_is_not_there_is_named(talk):
    state = await talk.app.chats.state(CHAT)
    with pytest.raises(NotRegenerable, match="chunks/77-78"):
        await regenerate_chunk(talk.app, state, "77-78")


async def test_an_opt_out_while_the_model_was_thinking_holds(talk):
    state = await talk.app.chats.state(CHAT)
    await talk.app.chats.change(CHAT, {"opted_out": [101]})
    before = await everything(talk.group, without=("usage",))
    with pytest.raises(Contention):
        await regenerate_chunk(talk.app, state, "3-3")
    assert await everything(talk.group, without=("usage",)) == before
