"""A whole night of jobs, and what has the coming night look at a chat."""

import asyncio
import contextlib
import copy
import inspect
from dataclasses import replace
from datetime import timedelta

import pytest
from google.cloud import tasks_v2

from infra.sqlite import SqliteStore
from shared.application.consolidation.context_file_codec import load_context_file
from shared.application.documents import chat_path, facts_path, upkeep_path
from shared.application.facts.moderation import correct_fact, drop_fact, settle_conflict, vote
from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from shared.domain.facts.change import Cause
from tests.scenarios.whole.test_faults import model_settings
from tests.support.faults import Crashed
from tests.support.gemini.server import FakeGemini
from tests.support.google.cloud_tasks import sign
from tests.support.group import ACCOUNT, CHAT, MAINTENANCE_URL, running_group
from tests.support.nights import PROMISE
from tests.support.reading.replies import asks_to_read, lines_of, reading
from tests.support.reading.talks import ENGINE, TRIP, Talk, everything
from tests.unit.application.night.chats import believe, changed_at

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RULE = "Нагадую: ніякої політики в чаті!"
ADMIN = (102, "Тарас")


@pytest.mark.parametrize("job", ["summaries", "episodes"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_killed_anywhere_and_run_again_the_documents_are_the_same(job, after):
    async def night(fatal):
        store = SqliteStore(":memory:")
        async with running_group(store) as group:
            talk = Talk(group)
            await group.runtime.app.chats.change(CHAT, {"active": True})
            await talk.have((*TRIP, *ENGINE))
            if job == "episodes":
                await talk.extract(after=timedelta(minutes=15))
                await group.store.delete(upkeep_path(CHAT))
            group.clock.advance(3 * HOUR)
            group.store.arm(fatal, after=after)
            try:
                await run_job(talk.app, job, {"chat_id": CHAT, "day": "2026-11-07"})
            except Crashed:
                group.store.arm(None)
                await run_job(talk.app, job, {"chat_id": CHAT, "day": "2026-11-07"})
            finished = group.store.calls < (fatal or 0)
            group.store.arm(None)
            found = await everything(group), (await group.store.get(chat_path(CHAT))).data, finished
        await store.aclose()
        return found

    undisturbed = await night(None)
    for fatal in range(1 + 3 * after, 200, 6):
        disturbed = await night(fatal)
        assert disturbed[:2] == undisturbed[:2]
        if disturbed[2]:
            return
    raise AssertionError("the job takes too many calls")


@pytest.mark.parametrize("job", ["decay", "summaries", "episodes"])
async def test_it_may_die_again_and_again_on_firestore(firestore_store, job):
    async def night(store, deaths):
        async with running_group(store) as group:
            talk = Talk(group)
            await group.runtime.app.chats.change(CHAT, {"active": True})
            await talk.have((*TRIP, *ENGINE))
            if job != "summaries":
                await talk.extract(after=timedelta(minutes=15))
            group.clock.advance(3 * HOUR)
            for fatal in deaths:
                group.store.arm(fatal, after=fatal % 2 == 0)
                with contextlib.suppress(Crashed):
                    await run_job(talk.app, job, {"chat_id": CHAT, "day": "2026-11-07"})
            group.store.arm(None)
            await run_job(talk.app, job, {"chat_id": CHAT, "day": "2026-11-07"})
            return await everything(group), (await group.store.get(chat_path(CHAT))).data

    undisturbed = SqliteStore(":memory:")
    expected = await night(undisturbed, ())
    await undisturbed.aclose()
    assert await night(firestore_store, (2, 3, 7, 12)) == expected


# --- What changes a memory without a new chunk ---


async def test_an_edit_has_the_coming_night_look_at_the_chat(group):
    update = await group.say(RULE, *ADMIN)
    await group.settle()
    before = await changed_at(group.runtime.app)
    edit = copy.deepcopy(update)
    edit["edited_message"] = edit.pop("message") | {"text": "Нагадую: без спойлерів!", "edit_date": 1_800_000_000}
    edit["update_id"] = 900
    assert await group.deliver(edit) == 200
    await group.settle()
    assert await changed_at(group.runtime.app) > before


async def test_every_moderation_has_the_coming_night_look_at_the_chat(app):
    await believe(app, 1, days_ago=1)
    (fact,) = await app.store.query(facts_path(CHAT))
    for decide in (
        lambda: vote(app, CHAT, fact.id, 104, supports=True),
        lambda: settle_conflict(app, CHAT, fact.id, accept=True, user_id=102),
        lambda: correct_fact(app, CHAT, fact.id, 77, value="x", description="x"),
        lambda: drop_fact(app, CHAT, fact.id, user_id=102, cause=Cause.DROPPED_BY_ADMIN),
    ):
        app.clock.advance(HOUR)
        await decide()
        assert await changed_at(app) == app.clock.now()


async def test_facts_from_a_chunk_that_is_made_again_have_the_coming_night_look_at_the_chat(in_memory):
    async with FakeGemini("test-key") as gemini, running_group(in_memory, **model_settings(gemini)) as group:
        fact = {"subject": "user:101", "category": "relationship", "key": "pet", "value": "Мурчик", "confidence": 0.95}
        fact |= {
            "description": "Оля має кота Мурчика",
            "message_id": 1,
            "user_id": 101,
            "quote": "Мій кіт Мурчик спить",
        }
        gemini.reply_with(lambda request: reading(request, "- кіт", [], [fact]) if asks_to_read(request) else {})
        talk = Talk(group)
        await group.runtime.app.chats.change(CHAT, {"active": True})
        await talk.say("Оля", "Мій кіт Мурчик спить")
        await talk.extract(after=HOUR, model=None, embedder=None)
        before = await changed_at(talk.app)
        await talk.extract(after=HOUR)
        assert await changed_at(talk.app) > before
        await talk.extract(after=HOUR)
        assert await changed_at(talk.app) < group.clock.now()


# --- The whole night ---


async def post(group, job, payload=None):
    token = tasks_v2.OidcToken(service_account_email=ACCOUNT, audience=MAINTENANCE_URL)
    headers = {"authorization": "Bearer " + sign(token, MAINTENANCE_URL, group.clock.now())}
    return await group.http.post(f"/maintenance/{job}", json=payload or {}, headers=headers)


async def pass_a_night(group):
    """The scheduler calls, and thirty-one hours go by."""
    answer = await post(group, "night")
    assert answer.status_code == 200, answer.text
    for _ in range(31):
        group.clock.advance(HOUR)
        await group.tasks.dispatch_due(group.clock.now())
        assert not group.tasks.exhausted, group.tasks.exhausted
    return answer.json()


async def test_a_whole_night_over_the_queue_by_http_and_a_quiet_one_after_it(group):
    assert (await group.http.post("/maintenance/night", json={})).status_code == 401
    await group.say(RULE, *ADMIN)
    await group.say("Гаразд, ніякої політики", 103, "Марко")
    await group.settle()
    done = await pass_a_night(group)
    jobs = set(NIGHTLY) - {"archive"}  # there is none here
    assert (done["chats"], done["enqueued"] >= len(jobs), done["failed"]) == (1, True, 0)
    marks = (await group.store.get(chat_path(CHAT))).data["nightly"]
    assert set(marks) == jobs
    assert {f"{mark['at']:%d}" for mark in marks.values()} <= {"06", "07"}
    await pass_a_night(group)  # what the first night changed is looked at once more
    before = await everything(group), (await group.store.get(chat_path(CHAT))).data
    writes, reads = group.store.usage.writes, group.store.usage.reads
    quiet = await post(group, "night")
    assert quiet.json() == {"chats": 1, "enqueued": 0, "failed": 0}
    assert (group.store.usage.reads - reads, group.store.usage.writes - writes) == (1, 0)
    assert before == (await everything(group), (await group.store.get(chat_path(CHAT))).data)


def as_a_model(request):
    """As a model that finds a promise."""
    promised = [(number, text) for number, _, text in lines_of(request.prompt) if text == PROMISE["uk"]]
    if asks_to_read(request):
        found = {"about": 0, "key": "now.pending", "text": "Забронювати квитки", "confidence": 0.9}
        return reading(request, facts=[found | {"message": number, "quote": text} for number, text in promised])
    asked = (request.schema or {}).get("properties", {})
    return {name: [] for name in asked} or "- квитки до Львова"


async def test_a_quiet_night_costs_one_read_with_model_archive_and_items_in_the_context_file(in_memory, tmp_path):
    async with FakeGemini("test-key") as gemini:
        gemini.reply_with(as_a_model)
        more = model_settings(gemini) | {"SPOMYN_ARCHIVE": f"folder:{tmp_path}"}
        async with running_group(in_memory, **more) as group:
            await group.say(RULE, *ADMIN)
            await group.say(PROMISE["uk"], *ADMIN)
            await group.settle()
            await pass_a_night(group)
            asked = len(gemini.requests)
            assert set((await group.store.get(chat_path(CHAT))).data["nightly"]) == set(NIGHTLY)
            file = await load_context_file(group.runtime.app.store, CHAT)
            writes, reads = group.store.usage.writes, group.store.usage.reads
            assert (await post(group, "night")).json() == {"chats": 1, "enqueued": 0, "failed": 0}
            assert (group.store.usage.reads - reads, group.store.usage.writes - writes) == (1, 0)
            assert file.items
            assert len(gemini.requests) == asked


async def test_every_job_that_two_workers_do_at_once_is_done_once(tmp_path):
    """Half of the calls of each wait for the other's."""

    async def night(name, workers):
        store, done = SqliteStore(":memory:"), {}
        async with running_group(store, SPOMYN_ARCHIVE=f"folder:{tmp_path / name}") as group:
            talk = Talk(group)
            await group.runtime.app.chats.change(CHAT, {"active": True})
            await talk.have((*TRIP, *ENGINE))
            group.clock.advance(timedelta(days=89, hours=23))
            for job in NIGHTLY:
                apps = [replace(talk.app, store=Yielding(store, every)) for every in range(2, 2 + workers)]
                await asyncio.gather(*(run_job(app, job, {"chat_id": CHAT}) for app in apps))
                group.clock.advance(HOUR)
                done[job] = copy.deepcopy(await everything(group, without=("upkeep",)))
            chat = (await group.store.get(chat_path(CHAT))).data
        await store.aclose()
        return done, chat

    one, two = await night("one", 1), await night("two", 2)
    for job in NIGHTLY:
        assert two[0][job] == one[0][job], job
    assert two[1] == one[1]


class Yielding:
    """A store whose every n-th call lets others go first."""

    def __init__(self, store, every):
        self._store, self._calls, self._every = store, 0, every

    def __getattr__(self, name):
        method = getattr(self._store, name)
        if not inspect.iscoroutinefunction(method):
            return method

        async def call(*args, **kwargs):
            self._calls += 1
            await asyncio.sleep(0.0005 if self._calls % self._every == 0 else 0)
            return await method(*args, **kwargs)

        return call
