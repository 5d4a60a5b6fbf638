"""`backfill` as an operator runs it."""

import json

import pytest

from tests.support.telegram.export import CHAT, START, exported, service, talk, written

pytestmark = pytest.mark.wall_clock

RECENT = ["--since", "2026-10-01"]


def test_an_export_becomes_memory_and_a_second_run_creates_nothing(spomyn, tmp_path):
    path = written(tmp_path, [service(1, "create_group"), *talk(22, first=2), exported(30, "") | {"id": "x"}])
    first = spomyn("backfill", path, "--admin", 101, *RECENT, "--json")
    assert first.code == 1
    assert first.json["created"] == 22
    assert first.json["chunks"] == 3
    assert first.json["skipped"] == {"a service message": 1}
    assert first.json["failures"] == [{"message_id": None, "reason": '"id" must be a whole number'}]
    facts = spomyn("facts", CHAT, "--category", "rule", "--json").json
    assert [(fact["key"], fact["evidence"][0]["name"]) for fact in facts] == [("forbidden_topics", "Тарас")]
    again = spomyn("backfill", path, *RECENT, "--json").json
    assert (again["created"], again["already_stored"], again["chunks"]) == (0, 22, 0)


def test_on_firestore_it_is_the_same(on_firestore, tmp_path):
    path = written(tmp_path, talk(11))
    first = on_firestore("backfill", path, *RECENT, "--json")
    assert (first.json["stopped"], first.json["created"]) == (None, 11)
    assert on_firestore("backfill", path, *RECENT, "--json").json["created"] == 0
    assert on_firestore("stats", CHAT, "--json").json["counts"]["chunks"] == 2


def test_of_a_file_that_is_cut_off_what_came_before_is_kept_and_said(spomyn, tmp_path):
    path = written(tmp_path, talk(30))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = spomyn("backfill", path, *RECENT, "--json")
    assert done.code == 1
    assert "ends in the middle after message" in done.json["broken"]
    assert 10 < done.json["created"] < 20
    whole = spomyn("backfill", written(tmp_path, talk(30)), *RECENT, "--json").json
    assert (whole["created"], whole["broken"]) == (30 - done.json["created"], None)


@pytest.mark.parametrize(
    ("head", "more", "complaint"),
    [
        ({"type": "personal_chat"}, [], "not of a group"),
        ({"type": "public_channel"}, [], "not of a group"),
        ({"type": "holiday"}, [], "is not the export of one chat"),
        ({"chats": {"list": []}}, [], "is the export of a whole account"),
        ({"id": "secret"}, [], "does not tell its chat's id"),
        ({}, ["--chat", "-1005"], "is of chat -1001234567890, not of -1005"),
    ],
)
def test_what_cannot_be_backfilled_is_one_sentence_and_stores_nothing(spomyn, tmp_path, head, more, complaint):
    path = written(tmp_path, talk(3), **head)
    if "chats" in head:
        path.write_text(json.dumps({"about": "x", "chats": {"list": [{"messages": talk(3)}]}}))
    done = spomyn("backfill", path, *more)
    assert done.code == 1
    assert complaint in done.err
    assert done.err.count("\n") == 1
    assert spomyn("stats", "--json").json["chats"]["known"] == 0


def test_a_missing_file_and_a_wrong_command_line(spomyn, tmp_path):
    assert "cannot be read: No such file" in spomyn("backfill", tmp_path / "none.json").err
    assert spomyn("backfill").code == 2
    assert spomyn("backfill", "--chunks", "-5").code == 1


def test_the_id_of_the_chat_can_be_given_where_the_export_tells_none(spomyn, tmp_path):
    path = written(tmp_path, talk(3), id=None)
    assert spomyn("backfill", path, "--chat", CHAT, *RECENT, "--json").json["chat_id"] == CHAT


def test_without_since_what_is_older_than_messages_are_kept_is_left_out(spomyn, tmp_path):
    path = written(tmp_path, [exported(1, date_unixtime=str(START - 400 * 86_400))])
    assert "--since YYYY-MM-DD learns from them, too" in spomyn("backfill", path, "--dry-run").out
    assert spomyn("backfill", path, "--json").json["skipped"] == {"older than messages are kept": 1}


def test_what_is_stored_is_learnt_from_by_chunks(spomyn, tmp_path):
    spomyn("backfill", written(tmp_path, talk(12)), *RECENT)
    done = spomyn("backfill", "--chunks", CHAT, "--json")
    assert (done.code, done.json["messages_left"], done.json["created"]) == (0, 0, 0)
    assert spomyn("backfill", "--chunks", CHAT, "--dry-run", "--json").json["messages_left"] == 0
