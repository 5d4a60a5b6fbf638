"""What is broken or of an older analysis is made anew from the messages."""

from dataclasses import replace

from shared.application.documents import index_head_path, index_segment_path
from shared.application.recall.loading import load_corpus
from shared.application.recall.upkeep import index_chat, rebuild_index
from shared.domain.recall.index.segment import Segment
from tests.support.archive import archive
from tests.support.group import CHAT
from tests.unit.application.recall.indexed import STATE, found, head, ids, index_documents, payloads, spoil, talk


async def test_a_rebuilt_index_is_the_same(laptop, app):
    await archive(laptop.store, talk(1, 1100))
    await index_chat(app, STATE)
    before = await index_documents(laptop.store)
    await rebuild_index(app.store, app.indexes, CHAT)
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
