"""An index is loaded with few reads, and without what cannot be read."""

import logging

import pytest

from shared.application.documents import index_segment_path, member_path
from shared.application.facts.memory import learn_candidates
from shared.application.recall.loading import TAIL, load_corpus
from shared.application.recall.search import recent
from shared.application.recall.upkeep import index_chat
from shared.domain.errors import StoreUnavailable
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.people.labels import labels_of
from shared.domain.recall.roster import roster_of
from tests.support.archive import archive, leave
from tests.support.group import CHAT
from tests.unit.application.recall.indexed import STATE, head, ids, index_documents, spoil, talk


async def reads(store, awaitable):
    before = store.usage.reads
    result = await awaitable
    return store.usage.reads - before, result


async def test_cold_it_costs_one_read_a_segment_and_warm_the_head_and_the_tail(laptop, app):
    await archive(laptop.store, talk(1, 3050))
    await index_chat(app, STATE)
    await leave(laptop.store, talk(3051, 3054))
    assert (await reads(laptop.store, load_corpus(app, STATE)))[0] == 1 + 4 + 4 + 1  # nicknames: none
    cost, corpus = await reads(laptop.store, load_corpus(app, STATE))
    assert cost == 1 + 4 + 1
    assert corpus.size == 3054
    await archive(laptop.store, talk(3051, 3060))
    await index_chat(app, STATE)
    cost, corpus = await reads(laptop.store, load_corpus(app, STATE))
    assert cost == 1 + 1 + 1 + 1
    assert ids(corpus) == list(range(1, 3061))


async def test_a_nickname_of_who_hides_what_is_known_of_them_is_nobodys(laptop, app):
    for user_id, name in ((102, "Шуруп"), (103, "Цвях")):
        said = (await laptop.say(f"мене звуть {name}", user_id, "Андрій"))["message"]
        evidence = (Evidence(laptop.clock.now(), said["message_id"], user_id, "мене звуть"),)
        await learn_candidates(
            app, CHAT, [Candidate(f"user:{user_id}", "personal_info", "nickname", name, "Так звуть.", 0.9, evidence)]
        )
    assert (await load_corpus(app, STATE)).aliases == {102: ("Шуруп",), 103: ("Цвях",)}
    await laptop.store.set(member_path(CHAT, 103), {"schema": 1, "user_id": 103, "visibility": "nobody"})
    corpus = await load_corpus(app, STATE)
    assert corpus.aliases == {102: ("Шуруп",)}
    people = roster_of(corpus, [102, 103], ()).values()
    assert labels_of(people, bot_id=1, bot_name="гряг") == {1: "гряг", 102: "Андрій (Шуруп)", 103: "Андрій"}


@pytest.mark.parametrize("kind", ["missing", "cut", "flipped", "no bytes"])
async def test_without_a_segment_the_others_are_searched_and_the_worker_makes_it_again(laptop, app, kind, caplog):
    await archive(laptop.store, talk(1, 1050))
    await index_chat(app, STATE)
    before, path = await index_documents(laptop.store), index_segment_path(CHAT, 1)
    payload = before[path]["payload"]
    if kind == "missing":
        await laptop.store.delete(path)
    else:
        flipped = payload[:500] + bytes([payload[500] ^ 1]) + payload[501:]
        await spoil(laptop.store, 1, {"cut": payload[:-7], "flipped": flipped, "no bytes": None}[kind])
    with caplog.at_level(logging.WARNING):
        corpus = await load_corpus(app, STATE)
    assert ids(corpus) == list(range(1001, 1051))
    assert "are missing or altered" in caplog.text
    assert "[1]" in caplog.text
    assert (await head(laptop.store)).broken == {1}
    assert len(laptop.tasks.tasks) == 1
    await laptop.settle()
    assert await index_documents(laptop.store) == before
    assert ids(await load_corpus(app, STATE)) == list(range(1, 1051))


async def test_an_outage_is_not_a_missing_segment(laptop, app):
    await archive(laptop.store, talk(1, 40))
    await index_chat(app, STATE)
    real = laptop.store._store

    class Out:
        def __getattr__(self, name):
            return getattr(real, name)

        async def get_many(self, paths):
            raise StoreUnavailable("out")

    laptop.store._store = Out()
    with pytest.raises(StoreUnavailable):
        await load_corpus(app, STATE)
    laptop.store._store = real
    assert (await head(laptop.store)).broken == frozenset()
    assert (await load_corpus(app, STATE)).size == 40


@pytest.mark.parametrize("since", [99, 100, 180])
async def test_what_was_said_before_a_question_is_read_however_much_came_after_it(group, since):
    """After an outage, and in a group where all talk at once, the newest messages all come after it."""
    app, asked = group.runtime.app, 301
    await archive(group.store, talk(1, 150))
    await index_chat(app, STATE)
    await leave(group.store, talk(151, asked + since))
    corpus = await load_corpus(app, STATE, around=asked)
    assert [number for number in ids(corpus) if number < asked] == [*range(1, 151), *range(asked - TAIL, asked)]
    told = {"limit": 30, "topic": None, "corpus": corpus}
    assert [m.message_id for m in await recent(app, STATE, before=asked, **told)] == [*range(asked - 30, asked)]
    assert [m.message_id for m in await recent(app, STATE, after=asked, **told)][-1] == asked + since


async def test_of_more_than_the_tail_holds_no_more_is_read_for_the_newest_question(laptop, app):
    await leave(laptop.store, talk(1, TAIL + 50))
    for around in (None, TAIL + 51):
        assert (await reads(laptop.store, load_corpus(app, STATE, around=around)))[0] == 1 + TAIL + 1
    assert (await reads(laptop.store, load_corpus(app, STATE, around=TAIL + 40)))[0] == 1 + TAIL + 11 + 1
