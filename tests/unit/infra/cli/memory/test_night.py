"""`night`: the jobs of the night by hand, for one chat or all."""

import asyncio
import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from infra.cli.root import main
from infra.firestore import FirestoreStore
from infra.sqlite import SqliteStore
from infra.tasks.local_queue import LocalQueue
from shared.application.documents import chat_path
from shared.application.schedule import Schedule
from shared.settings import SETTINGS
from tests.unit.application.night.test_fan_out import LONG_AGO, believe_long_ago, expiries, meet, night_of

pytestmark = pytest.mark.wall_clock

JOBS = ("--job", "decay", "--job", "episodes")
PROJECT = f"night-{os.getpid()}"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs the command in a folder of its own; its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.setenv("SPOMYN_STORE", "sqlite:spomyn.db")

    async def call(*arguments):
        code = await asyncio.to_thread(main, ["night", *arguments])
        printed = capsys.readouterr().out
        return code, json.loads(printed) if "--json" in arguments else printed

    return call


@pytest.fixture
async def app(tmp_path):
    store = SqliteStore(Path(tmp_path) / "spomyn.db")
    yield night_of(store)
    await store.aclose()


async def test_a_dry_run_says_what_is_due_and_why_and_changes_nothing(run, app):
    await meet(app, -1, -2)
    writes = app.store.usage.writes
    code, told = await run(*JOBS, "--dry-run", "--json")
    assert (code, told["chats"], told["failed"]) == (0, 2, [])
    assert told["due"] == [
        {"chat_id": chat, "job": job, "why": "it never ran"} for chat in ("-1", "-2") for job in ("decay", "episodes")
    ]
    assert app.store.usage.writes == writes
    assert "nightly" not in (await app.store.get(chat_path(-1))).data


async def test_what_is_due_is_done_once_and_whatever_is_asked_for_again(run, app):
    await meet(app, -1, -2)
    await believe_long_ago(app, -1)
    done = {"decay": {"chats": 2, "expired": 1}, "episodes": {"chats": 2, "redone": 0}}
    assert await run(*JOBS, "--json") == (0, {"chats": 2, "jobs": done, "failed": []})
    assert await expiries(app, -1) == 1
    code, told = await run(*JOBS, "--json")
    assert set(told["jobs"]) <= {"decay", "episodes"}  # what expired is looked at once more
    await app.store.update(chat_path(-1), {"last_active_at": LONG_AGO})  # else it may have come too late for the run
    assert await run(*JOBS, "--json") == (0, {"chats": 2, "jobs": {}, "failed": []})
    code, told = await run("-2", "--job", "decay", "--now", "--json")
    assert (code, told["jobs"]) == (0, {"decay": {"chats": 1, "expired": 0}})


async def test_a_malformed_chat_is_told_and_the_others_go_on(run, app):
    await meet(app, -1)
    await meet(app, -2, opted_out=5)
    code, printed = await run("--job", "decay")
    assert code == 1
    assert "chat -2" in printed
    assert "decay" in (await app.store.get(chat_path(-1))).data["nightly"]


async def test_there_must_be_such_a_chat(run, capsys):
    assert (await run("-9", "--dry-run"))[0] == 1


async def test_it_runs_on_firestore_too(run, firestore_emulator, monkeypatch):
    monkeypatch.setenv("SPOMYN_STORE", "firestore")
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", PROJECT)
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)
    store = FirestoreStore(PROJECT, emulator_host=firestore_emulator)
    await meet(night_of(store), -1)
    code, told = await run("--job", "decay", "--json")
    assert (code, told["jobs"]) == (0, {"decay": {"chats": 1, "expired": 0}})
    assert (await store.get(chat_path(-1))).data["nightly"]["decay"]["next_at"] is None
    await store.aclose()


# --- Without a scheduler ---


async def test_a_laptop_plans_one_night_a_day_of_its_time_zone(tmp_path):
    app = night_of(SqliteStore(":memory:"))
    queue = LocalQueue(tmp_path / "queue.db", clock=app.clock)
    schedule = Schedule(queue, app.clock, app.policy)
    names = []

    async def note(task, is_last):
        names.append((task.name, task.target))

    for _ in range(48):  # two days and nights, an hour at a time, from noon UTC
        await schedule.night()
        await queue.run_due(note)
        app.clock.advance(timedelta(hours=1))
    assert names == [(f"night-2026-11-0{day}", "/maintenance/night") for day in (2, 3, 4)]
    await queue.aclose()
    await app.store.aclose()
