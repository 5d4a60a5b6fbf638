"""Every composite index that is declared is needed by something in a group's life.

The other way round needs no test of its own: the stores of all tests refuse a query that no declared index serves
(`tests/support/google/indexes.py`; whether that check would notice is in `tests/unit/test_index_rules.py`).
"""

from dataclasses import replace

from shared.application.conversation.history import Topic
from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once
from shared.application.delivery.waiting import deliver_waiting
from shared.application.facts.writes import read_foremost
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.application.reading.extraction import extract_chat
from shared.application.recall.note_codec import NOTE_KINDS, notes_path
from shared.application.recall.search import recent
from shared.application.recall.upkeep import STEP, index_chat
from tests.support import updates
from tests.support.archive import chunk_document, group_state, said
from tests.support.delivery.answers import fill_the_minute, saying
from tests.support.google.indexes import declared
from tests.support.group import CHAT, running_group
from tests.unit.application.reading.test_extraction import seed_scenarios


async def index_long_past(app, chat_id=-1009):
    """So many notes of each kind that they are taken in order."""
    for n in range(1, STEP + 1):
        note = chunk_document([said(n, "так", chat_id=chat_id)]).data
        for kind in NOTE_KINDS:
            await app.store.set(f"{notes_path(chat_id, kind)}/{n}-{n}", note)
    await index_chat(app, group_state(chat_id))


async def test_every_declared_index_serves_a_query_of_a_groups_life(sqlite_store):
    async with running_group(sqlite_store) as group:
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
        await read_foremost(app.store, CHAT, "chat", most=1, active=True)  # as where there are more facts than are read
        private = (await app.chats.state(CHAT))._replace(private_mode=True)
        await recent(app, private, before=99, limit=3, topic=Topic(7))
        fill_the_minute(group)
        assert await answer_once(app, 1_000_000, Destination(CHAT), saying("Так")) == "waits"
        await deliver_waiting(app, CHAT)
    used = {index for shape in sqlite_store.shapes for index in declared().serving(shape)}
    assert declared().composite - used == set(), "declared and asked for by nothing: delete it, or let the life ask"
