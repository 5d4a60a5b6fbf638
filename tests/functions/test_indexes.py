"""Every query that production Firestore would need a composite index for has one declared.

The emulator does not notice a missing index, production refuses the query.
"""

import json
from dataclasses import replace
from pathlib import Path

from shared.application.extraction import extract_chat
from shared.application.history import Topic
from shared.application.maintenance import run_job
from shared.application.night.timetable import NIGHTLY
from shared.application.ports.store import Order
from shared.application.recall.note_documents import NOTE_KINDS, notes_path
from shared.application.recall.search import recent
from shared.application.recall.upkeep import STEP, index_chat
from tests.functions.test_extraction import seed_scenarios
from tests.support import updates
from tests.support.archive import chunk_document, group_state, said
from tests.support.group import CHAT, running_group

ROOT = Path(__file__).resolve().parents[2]


class QueryLog:
    """Forwards to a store and notes the shape of each query."""

    def __init__(self, store):
        self._store = store
        self.shapes = set()

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def query(self, collection, *, where=(), order_by=(), limit=None, after=None):
        group = collection.rsplit("/", 1)[-1]
        equal = frozenset(f.field for f in where if f.op == "==")
        ranged = frozenset(f.field for f in where if f.op in ("<", "<=", ">", ">="))
        self.shapes.add((group, equal, ranged, tuple(order_by)))
        return await self._store.query(collection, where=where, order_by=order_by, limit=limit, after=after)

    async def count(self, collection, *, where=()):
        equal = frozenset(f.field for f in where if f.op == "==")
        ranged = frozenset(f.field for f in where if f.op in ("<", "<=", ">", ">="))
        self.shapes.add((collection.rsplit("/", 1)[-1], equal, ranged, tuple(map(Order, sorted(ranged)))))
        return await self._store.count(collection, where=where)


def needed(shapes):
    """(collection, equality fields, (sort field, direction)) of each query that single-field indexes do not serve."""
    for group, equal, ranged, order in shapes:
        assert not ranged or [o.field for o in order[:1]] == list(ranged), "a range needs its own field first in order"
        if equal and order:
            yield group, equal, tuple((o.field, "DESCENDING" if o.descending else "ASCENDING") for o in order)


def declared():
    for index in json.loads((ROOT / "firestore.indexes.json").read_text())["indexes"]:
        *equal, last = index["fields"]
        fields = frozenset(field["fieldPath"] for field in equal)
        yield index["collectionGroup"], fields, ((last["fieldPath"], last["order"]),)


async def index_long_past(app, chat_id=-1009):
    """So many notes of each kind that they are taken in order."""
    for n in range(1, STEP + 1):
        note = chunk_document([said(n, "так", chat_id=chat_id)]).data
        for kind in NOTE_KINDS:
            await app.store.set(f"{notes_path(chat_id, kind)}/{n}-{n}", note)
    await index_chat(app, group_state(chat_id))


async def test_the_queries_of_a_groups_life_and_the_declared_indexes_are_the_same(sqlite_store):
    log = QueryLog(sqlite_store)
    async with running_group(log) as group:
        await seed_scenarios(group)
        await group.settle()
        await group.say(
            "гряг, які правила?", chat=updates.chat(CHAT, is_forum=True), message_thread_id=7, is_topic_message=True
        )
        await group.say("/gryadchatfacts")
        await group.say("/gryadstats", 102, "Тарас")
        await group.say("/gryadregen last 20", 102, "Тарас")
        await group.settle()
        await run_job(group.runtime.app, "night", {})
        for job in (*NIGHTLY, "sweep"):
            await run_job(group.runtime.app, job, {"chat_id": CHAT} if job in NIGHTLY else {})
        for number in range(10):
            await group.say(f"рахунок на {number} гривень")
        app = group.runtime.app
        await extract_chat(replace(app, policy=app.policy._replace(chunk_size=1)), CHAT)
        await index_long_past(app)
        private = (await app.chats.state(CHAT))._replace(private_mode=True)
        await recent(app, private, before=99, limit=3, topic=Topic(7))
    assert set(needed(log.shapes)) == set(declared())
