"""What a chat's document says of its nights, and whether a job is due."""

from dataclasses import fields, replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.marks import (
    LEEWAY,
    SKEW,
    MalformedChat,
    Mark,
    fingerprint,
    is_done,
    marks_fields,
    note_change,
    read_marks,
    read_record,
    why_due,
    write_mark,
)
from shared.application.night.fan_out import NIGHTLY
from shared.application.policy import Policy
from shared.application.ports.store import Document
from tests.support.queues import NOON, SteppedClock

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CHAT = "chats/-100"
MARK = Mark(NOON, None, "2026-11-02", "abc")


def record(mark=MARK, **data):
    nightly = {} if mark is None else {"nightly": {"decay": mark._asdict()}}
    return read_record(Document(CHAT, {"active": True, **nightly, **data}))


def why(mark=MARK, *, now=NOON + DAY, run_at=None, by="abc", **data):
    return why_due(record(mark, **data), "decay", by=by, run_at=run_at or now, now=now)


def app_with(store=None, **policy):
    known = Policy(bot_id=1, bot_username="gryag_bot", bot_names=("гряг",), **policy)
    parts = {"store": store, "clock": SteppedClock(), "policy": known}
    return App(**(dict.fromkeys(field.name for field in fields(App)) | parts))


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        (None, {}),
        (None, {"last_active_at": NOON - HOUR}),
        ("it never ran", {"mark": None}),
        ("the chat was active since", {"last_active_at": NOON + HOUR}),
        ("the chat was active since", {"learn_from": NOON + HOUR}),
        ("the chat was active since", {"last_active_at": NOON - LEEWAY / 2}),  # by a clock that is behind
        (None, {"last_active_at": NOON - LEEWAY}),
        ("there is something to do since 2026-11-03 12:00 UTC", {"mark": MARK._replace(next_at=NOON + DAY)}),
        (None, {"mark": MARK._replace(next_at=NOON + 2 * DAY)}),
        ("settings, model or prompts changed", {"by": "def"}),
        (None, {"mark": MARK._replace(at=NOON + DAY + SKEW)}),
        ("its last run is in the future", {"mark": MARK._replace(at=NOON + 2 * DAY)}),
    ],
)
def test_a_job_is_due(expected, changes):
    assert why(**changes) == expected


def test_what_falls_due_between_the_call_and_the_night_is_done_that_night():
    mark = MARK._replace(next_at=NOON + DAY + HOUR)
    assert why(mark) is None
    assert why(mark, run_at=NOON + DAY + 13 * HOUR) is not None


def test_a_day_is_done_with_its_run_or_a_later_one_unless_that_is_in_the_future():
    done = [is_done(record(), "decay", day=day, now=NOON) for day in ("2026-11-01", "2026-11-02", "2026-11-03")]
    assert done == [True, True, False]
    assert not is_done(record(MARK._replace(at=NOON + DAY, day="2029-01-01")), "decay", day="2026-11-02", now=NOON)
    assert not is_done(record(), "dedup", day="2026-11-02", now=NOON)


@pytest.mark.parametrize(
    "nightly", [None, 5, [], {"decay": None}, {"decay": {"at": "yesterday"}}, {"decay": {**MARK._asdict(), "day": 3}},
                {"decay": {**MARK._asdict(), "next_at": "soon"}}]
)  # fmt: skip
def test_a_mark_that_is_none_is_as_if_the_job_never_ran(nightly):
    assert why(None, nightly=nightly) == "it never ran"


# --- Fingerprints ---


@pytest.mark.parametrize(
    ("job", "policy"),
    [
        ("decay", {"fact_expiry": DAY}),
        ("decay", {"consensus": 2}),
        ("retention", {"retention": DAY}),
        ("summaries", {"memory_profile": "minimal"}),
        ("summaries", {"private_mode": True}),
    ],
)
def test_other_settings_are_another_fingerprint(job, policy):
    state = ChatState(-100)
    assert fingerprint(app_with(), job, state) == fingerprint(app_with(), job, state)
    assert fingerprint(app_with(), job, state) != fingerprint(app_with(**policy), job, state)


@pytest.mark.parametrize("job", ["summaries", "episodes"])
def test_a_model_that_is_there_is_another_fingerprint(job):
    app, state = app_with(), ChatState(-100)
    minded = replace(app, model=object())
    embedding = [replace(minded, embedder=SimpleNamespace(name=name)) for name in ("one/768", "two/768")]
    assert len({fingerprint(each, job, state) for each in (app, minded, *embedding)}) == 4


@pytest.mark.parametrize("job", NIGHTLY)
def test_who_opts_out_is_for_every_job_to_see(job):
    app, state = app_with(), ChatState(-100)
    assert fingerprint(app, job, state) != fingerprint(app, job, state._replace(opted_out=frozenset({101})))


def test_a_chats_custom_instructions_concern_the_jobs_that_ask_the_model():
    app, state = app_with(), ChatState(-100)
    instructed = state._replace(prompts={"episode": "коротко"})
    assert fingerprint(app, "episodes", state) != fingerprint(app, "episodes", instructed)
    assert fingerprint(app, "decay", state) == fingerprint(app, "decay", instructed)


# --- Writing ---


async def test_marks_of_several_jobs_stand_beside_each_other(store):
    app = app_with(store)
    await store.set(CHAT, {"active": True, "title": "Друзі"})
    assert await write_mark(app.store, app.clock, -100, "decay", MARK)
    assert await write_mark(app.store, app.clock, -100, "dedup", MARK._replace(day="2026-11-01", next_at=NOON + DAY))
    stored = (await store.get(CHAT)).data
    assert stored["title"] == "Друзі"
    assert stored["nightly"] == {
        "decay": {"at": NOON, "next_at": None, "day": "2026-11-02", "by": "abc"},
        "dedup": {"at": NOON, "next_at": NOON + DAY, "day": "2026-11-01", "by": "abc"},
    }


@pytest.mark.parametrize("gone", [None, {"active": False}, {"active": True, "migrated_to": -200}])
async def test_a_chat_that_is_gone_gets_no_mark_and_is_not_made(sqlite_store, gone):
    if gone is not None:
        await sqlite_store.set(CHAT, gone)
    app = app_with(sqlite_store)
    assert not await write_mark(app.store, app.clock, -100, "decay", MARK)
    found = await sqlite_store.get(CHAT)
    assert (None if found is None else found.data) == gone


async def test_a_run_that_ends_late_does_not_replace_a_later_one(sqlite_store):
    app = app_with(sqlite_store)
    await sqlite_store.set(CHAT, {"active": True, "nightly": {"decay": MARK._asdict(), "dedup": "nonsense"}})
    assert not await write_mark(app.store, app.clock, -100, "decay", MARK._replace(at=NOON - HOUR, day="2026-11-01"))
    app.clock.advance(-2 * DAY)  # now that mark is from the future
    assert await write_mark(app.store, app.clock, -100, "decay", MARK._replace(at=NOON - 2 * DAY, day="2026-10-31"))
    assert (await sqlite_store.get(CHAT)).data["nightly"].keys() == {"decay"}


async def test_a_change_is_noted_of_a_chat_that_is_there(sqlite_store):
    app = app_with(sqlite_store)
    await note_change(app.store, app.clock, -100)
    assert await sqlite_store.get(CHAT) is None
    await sqlite_store.set(CHAT, {"active": True})
    await note_change(app.store, app.clock, -100)
    assert (await sqlite_store.get(CHAT)).data["last_active_at"] == NOON


moments = st.integers(min_value=-1_000, max_value=1_000).map(lambda hours: NOON + hours * HOUR)
marks = st.builds(Mark, moments, st.none() | moments, st.text(), st.text())


@given(marks=st.dictionaries(st.sampled_from(("decay", "dedup", "culture")), marks))
def test_what_is_written_is_read_back(marks):
    assert read_marks(Document(CHAT, marks_fields(marks))) == marks


def test_a_document_without_marks_has_none_and_never_changed():
    record = read_record(Document(CHAT, {}))
    assert (record.marks, record.changed_at) == ({}, None)


def test_the_memory_changed_when_it_last_learnt_was_reset_or_forgot():
    data = {"last_active_at": NOON, "learn_from": NOON + HOUR, "forgotten_at": NOON - HOUR}
    assert read_record(Document(CHAT, data)).changed_at == NOON + HOUR


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("chats/abc", {}),
        ("chats/007", {}),
        (CHAT, {"opted_out": 5}),
        (CHAT, {"culture_summary": {}, "learn_from": NOON}),
        (CHAT, {"last_active_at": "2026"}),
        (CHAT, {"last_active_at": NOON, "learn_from": 3}),
    ],
)
def test_a_document_that_is_no_chats_is_said_to_be_malformed(path, data):
    with pytest.raises(MalformedChat, match=path.rsplit("/", 1)[-1]):
        read_record(Document(path, data))


@pytest.mark.parametrize("data", [{"active": False}, {"migrated_to": -200}])
def test_a_chat_that_was_left_or_has_moved_is_not_tended(data):
    assert read_record(Document(CHAT, {"active": True})).wants("culture")
    assert not read_record(Document(CHAT, {"active": True, **data})).wants("culture")
