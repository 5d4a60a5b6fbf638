"""The file of the local queue: what it holds comes back as it was, and what it cannot do is an error of ours."""

import sqlite3
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.tasks.task_file import MAX_NAME, TaskFile, insert, instant, micros, payload_of, task_from
from shared.application.ports.tasks import Task
from shared.domain.errors import QueueUnavailable, SettingsError

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
NO_WAIT = timedelta(0)
COUNT = "SELECT count(*) FROM tasks"


@pytest.fixture
async def file(tmp_path):
    opened = TaskFile(tmp_path / "spomyn.db", NO_WAIT)
    yield opened
    await opened.aclose()


@given(st.datetimes(timezones=st.just(timezone(timedelta(hours=2)))))
def test_a_time_comes_back_to_the_microsecond(moment):
    assert instant(micros(moment)) == moment


def test_a_task_comes_back_as_it_was():
    task = Task("t", "/extract", {"текст": "Привіт 🙂", "n": [1, 2.5, None]}, NOON)
    assert task_from(task.name, task.target, payload_of(task), micros(NOON)) == task


@pytest.mark.parametrize(
    ("task", "why"),
    [
        (Task("t" * (MAX_NAME + 1), "/extract", {}), "at most 400 characters"),
        (Task("t", "/extract", {}, NOON.replace(tzinfo=None)), "no time zone"),
        (Task("t", "/extract", {"x": "a" * 100_000}), "pass ids"),
        (Task("t", "/extract", {"x": float("nan")}), "JSON"),
    ],
)
def test_a_task_that_no_queue_takes_is_refused(task, why):
    with pytest.raises(ValueError, match=why):
        payload_of(task)


async def test_a_name_is_taken_once(file):
    row = ("t", "t", "/extract", "{}", None, micros(NOON))
    assert [await file.call(lambda db: insert(db, row, 0, 0)) for _ in range(2)] == [True, False]
    assert file.read(COUNT) == [(1,)]


async def test_a_file_that_somebody_writes_is_unavailable_and_still_readable(tmp_path, file):
    assert file.read(COUNT) == [(0,)]
    row = ("t", "t", "/extract", "{}", None, micros(NOON))
    other = sqlite3.connect(tmp_path / "spomyn.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    await file.call(lambda db: db.execute(COUNT))
    with pytest.raises(QueueUnavailable, match=r"spomyn\.db"):
        await file.call(lambda db: insert(db, row, 0, 0))
    other.rollback()
    other.close()
    assert await file.call(lambda db: insert(db, row, 0, 0))


async def test_a_file_in_a_missing_folder_is_a_settings_error(tmp_path):
    file = TaskFile(tmp_path / "absent" / "spomyn.db", NO_WAIT)
    with pytest.raises(SettingsError, match="absent"):
        await file.call(lambda db: db.execute(COUNT))
    await file.aclose()
