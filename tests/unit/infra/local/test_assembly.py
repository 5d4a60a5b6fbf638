"""The worker of one machine: what becomes of its tasks is what becomes of the functions'."""

import json
import subprocess
import sys

import pytest

from infra.local.assembly import Worker
from infra.local.events import Notice
from infra.tasks.local_queue import LocalQueue
from infra.tasks.retries import RetryPolicy
from shared.application.intake.jobs import NIGHT
from shared.application.ports.tasks import Task
from shared.domain.errors import ModelUnavailable
from shared.domain.reading.patterns.row_tables import chat_table, member_table
from tests.support.group import CHAT
from tests.support.queues import dead_tasks
from tests.unit.infra.local.processes import ROOT, environment

TRIES = 3


@pytest.fixture
async def told():
    return []


@pytest.fixture
async def queue(laptop, tmp_path):
    made = LocalQueue(tmp_path / "tasks.db", clock=laptop.clock, policy=RetryPolicy(max_attempts=TRIES))
    yield made
    await made.aclose()


@pytest.fixture
def worker(laptop, queue, told):
    return Worker(laptop.runtime.app, queue, laptop.clock, laptop.store, told.append)


async def letters(group):
    return [document.data for document in await group.store.query("dead_letters")]


async def run(queue, worker, target, **payload):
    """How many attempts a task took until the queue was done with it."""
    await queue.enqueue(Task("t", target, payload))
    return await queue.drain(worker.run)


@pytest.mark.parametrize(
    ("target", "payload"),
    [("/nowhere", {}), ("/maintenance/unknown", {}), ("/extract", {"chat_id": "7"}), ("/maintenance/migrate", {})],
)
async def test_what_can_never_be_done_is_a_dead_letter_after_one_attempt(laptop, queue, worker, told, target, payload):
    assert await run(queue, worker, target, **payload) == 1
    (letter,) = await letters(laptop)
    assert f'"target": "{target}"' in letter["body"]
    assert [type(event) for event in told] == [Notice]
    assert dead_tasks(queue) == []  # the queue itself gave nothing up


@pytest.mark.parametrize("error", [KeyError("planted"), ModelUnavailable("busy")])
async def test_what_fails_is_tried_as_often_as_the_queue_tries_and_then_a_dead_letter(
    laptop, queue, worker, told, monkeypatch, error
):
    async def fails(app, state):
        raise error

    monkeypatch.setitem(NIGHT, "decay", lambda: fails)
    await laptop.say("привіт")
    assert await run(queue, worker, "/maintenance/decay", chat_id=CHAT) == TRIES
    (letter,) = await letters(laptop)
    assert letter["reason"].startswith("last attempt failed")
    assert [event.text.split(":")[0] for event in told] == ["A task was given up"]


async def test_a_task_that_the_queue_gives_up_is_written_down_too(laptop, worker, told):
    await worker.record_dead_letter(Task("t", "/extract", {"chat_id": 7}), "the process died in its last attempt")
    (letter,) = await letters(laptop)
    assert (letter["kind"], letter["reason"]) == ("task", "the process died in its last attempt")
    assert len(told) == 1


async def test_a_task_that_is_done_leaves_nothing(laptop, queue, worker, told):
    await laptop.say("привіт")
    assert await run(queue, worker, "/extract", chat_id=CHAT, window=1) >= 1
    assert (await letters(laptop), told) == ([], [])


async def test_the_first_extraction_of_a_process_finds_the_patterns_made_by_a_thread(laptop, queue, worker):
    for table in (member_table, chat_table):
        table.cache_clear()
    assert await run(queue, worker, "/extract", chat_id=CHAT, window=1) >= 1  # nothing is there to be read
    assert [table.cache_info().currsize for table in (member_table, chat_table)] == [2, 2]  # of two languages


ASK = """
import json, sys
import infra.sqlite, infra.web.weather  # what every run is built of
from infra.local.cli import main
from infra.local.assembly import preload

preload("any")
assert "google.genai" in sys.modules
relatives = sys.modules["shared.domain.recall.matching"].term_relatives
made = relatives.cache_info().misses
before = set(sys.modules)
main(["--script", "asked.jsonl", "--json"])
assert made == relatives.cache_info().misses == 2
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def test_answering_imports_nothing_that_was_not_preloaded(tmp_path):
    (tmp_path / "asked.jsonl").write_text(json.dumps({"name": "Оля", "text": "гряг, коли були підсумки?"}), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        check=True,
        cwd=tmp_path,
        env=environment(tmp_path, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=180,
    )
    outcome, _, loaded = done.stdout.rstrip().rpartition("\n")
    assert "гряг, коли були підсумки?" in outcome
    assert [name for name in json.loads(loaded) if name.startswith(("shared.", "infra.", "simplemma"))] == []
