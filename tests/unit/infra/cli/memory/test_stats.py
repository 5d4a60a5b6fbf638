"""`stats`: counts that agree with what is stored, and no document read that can be counted."""

import asyncio

import pytest

from infra.observability import chat_hash
from infra.policy import log_key
from infra.sqlite import SqliteStore
from infra.system import SystemClock
from shared.application.documents import chat_path
from shared.settings import Settings
from tests.support.telegram.export import CHAT, talk, written

pytestmark = pytest.mark.wall_clock

RECENT = ["--since", "2026-10-01"]


def test_an_empty_store_has_nothing(spomyn):
    assert spomyn("stats", "--json").json == {"chats": {"known": 0, "active": 0}, "liveliest": []}
    assert "0 chats" in spomyn("stats").out
    assert spomyn("stats", CHAT).code == 1


def test_a_chat_is_counted(spomyn, tmp_path):
    spomyn("backfill", written(tmp_path, talk(25)), *RECENT)
    told = spomyn("stats", CHAT, "--json").json
    assert told["counts"] == {
        "messages": 25,
        "unread": 0,
        "chunks": 3,
        "waiting": 3,
        "metas": 0,
        "episodes": told["counts"]["episodes"],
        "members": 3,
        "facts": sum(told["facts_by_status"].values()),
    }
    assert sum(told["active_facts_by_category"].values()) == told["facts_by_status"]["active"] > 0
    assert told["index"]["bytes"] > 0
    (line,) = spomyn("stats", "--json").json["liveliest"]
    assert (line["chat_id"], line["title"], line["messages"], line["chunks"]) == (CHAT, "Друзі", 25, 3)


async def _known(path, *chat_ids):
    store = SqliteStore(path)
    for chat_id in chat_ids:
        fields = {"schema": 1, "chat_id": chat_id, "type": "supergroup", "active": True, "title": "Щойно"}
        await store.set(chat_path(chat_id), fields)
    await store.aclose()


def test_chats_of_which_nothing_was_learnt_yet_are_listed_after_the_others(spomyn, tmp_path, monkeypatch):
    spomyn("backfill", written(tmp_path, talk(25)), *RECENT)
    asyncio.run(_known(tmp_path / "spomyn.db", -5, -6))
    listed = [line["chat_id"] for line in spomyn("stats", "--json").json["liveliest"]]
    assert (listed[0], sorted(listed[1:])) == (CHAT, [-6, -5])
    assert len(spomyn("stats", "--limit", "2", "--json").json["liveliest"]) == 2
    monkeypatch.setenv("COLUMNS", "80")
    told = spomyn("stats").out
    assert max(map(len, told.splitlines())) <= 80
    assert all(name in told for name in ("messages", "members", "tokens", "last learnt"))


def test_a_chat_is_found_by_its_name_in_the_log(spomyn, tmp_path, monkeypatch):
    spomyn("backfill", written(tmp_path, talk(3)), *RECENT)
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:fake-token")
    hashed = chat_hash(log_key(Settings.from_env({"TELEGRAM_BOT_TOKEN": "123456:fake-token"})), CHAT)
    assert spomyn("stats", "--hash", hashed, "--json").json["chat_id"] == CHAT
    assert spomyn("stats", CHAT, "--hash", hashed).code == 2
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:another-token")
    ran = spomyn("stats", "--hash", hashed)
    assert (ran.code, f"No chat is {hashed} in the log: TELEGRAM_BOT_TOKEN must be" in ran.err) == (1, True)
    monkeypatch.delenv("TELEGRAM_BOT_TOKEN")
    assert spomyn("stats", "--hash", hashed).code == 2


def test_tokens_and_nights_are_told(spomyn, tmp_path):
    spomyn("backfill", written(tmp_path, talk(3)), *RECENT)
    now = SystemClock().now()

    async def more():
        store = SqliteStore(tmp_path / "spomyn.db")
        usage = {"calls": 2, "reading_input_tokens": 900, "reading_output_tokens": 100, "meta_input_tokens": 50}
        await store.set(f"chats/{CHAT}/usage/{now.date().isoformat()}", usage)
        await store.set(f"chats/{CHAT}/usage/2020-01-01", {"calls": 99, "reading_input_tokens": 10**6})
        await store.upsert(
            f"chats/{CHAT}", {"nightly": {"decay": {"at": now, "next_at": None, "day": "2026-11-21", "by": "abc"}}}
        )
        await store.aclose()

    asyncio.run(more())
    told = spomyn("stats", CHAT, "--json").json
    assert told["answers_repeated"] == 0
    assert (told["model_calls"], told["tokens_by_purpose"]) == (2, {"reading": 1000, "meta": 50})
    assert told["nightly"]["decay"]["next_at"] is None
    assert f"night decay: ran {now:%Y-%m-%d}" in spomyn("stats", CHAT).out
    assert "1,050" in spomyn("stats").out


def test_on_firestore_it_is_the_same(on_firestore):
    assert on_firestore("stats", "--json").json["chats"] == {"known": 0, "active": 0}
    assert on_firestore("stats", CHAT).code == 1
