"""A chat comes back from the archive or a file; what differs needs to be told."""

import json

import pytest

from infra.sqlite import SqliteStore
from shared.application.documents import message_path
from tests.support.exports import CHAT
from tests.unit.infra.cli.archive.transfers import in_thread, there

pytestmark = pytest.mark.wall_clock


@pytest.mark.parametrize("origin", ["latest", "the name", "the key"])
async def test_a_chat_comes_back_from_the_archive(transfer, chat, tmp_path, origin):
    code, out, _ = await in_thread(transfer, "export", CHAT, "--json")
    key = json.loads(out)["to"]
    assert (code, (tmp_path / "archive" / key).is_file()) == (0, True)
    named = {"latest": "latest", "the name": key.rpartition("/")[2], "the key": key}[origin]
    code, out, _ = await in_thread(transfer, "restore", CHAT, "--from", named, "--json", SPOMYN_STORE="sqlite:there.db")
    assert code == 0
    found = await there(tmp_path / "there.db")
    assert {k: v for k, v in found.items() if "upkeep/archive" not in k} == chat
    assert json.loads(out)["written"] == len(found)


async def test_what_was_just_archived_is_restored_without_a_change(transfer, chat, tmp_path):
    for _ in range(2):  # the second export finds the record of the first
        assert (await in_thread(transfer, "export", CHAT))[0] == 0
        before = await there(tmp_path / "here.db")
        code, out, err = await in_thread(transfer, "restore", CHAT, "--from", "latest", "--json")
        assert (code, err) == (0, "")
        assert {name: json.loads(out)[name] for name in ("written", "removed")} == {"written": 0, "removed": 0}
        assert await there(tmp_path / "here.db") == before


async def test_what_a_night_archived_is_restored_without_a_change(transfer, chat, tmp_path):
    assert (await in_thread(transfer, "night", CHAT, "--now"))[0] == 0
    (key,) = (tmp_path / "archive").rglob("export-*.gz")
    before = await there(tmp_path / "here.db")
    assert (await in_thread(transfer, "restore", CHAT, "--from", "latest"))[0] == 0
    assert await there(tmp_path / "here.db") == before
    code, out, _ = await in_thread(transfer, "import", key, "--json", SPOMYN_STORE="sqlite:there.db")
    assert (code, json.loads(out)["written"]) == (0, json.loads(out)["documents"])


async def test_what_differs_needs_replace(transfer, chat, tmp_path):
    await in_thread(transfer, "export", CHAT, "--to", "family.jsonl.gz")
    store = SqliteStore(tmp_path / "here.db")
    await store.set(message_path(CHAT, 3), {"text": "інше"})
    await store.aclose()
    code, _, err = await in_thread(transfer, "restore", CHAT, "--from", "family.jsonl.gz")
    assert (code, "chats/-1001/messages/3 differs" in err, "--replace" in err) == (1, True, True)
    code, out, _ = await in_thread(transfer, "restore", CHAT, "--from", "family.jsonl.gz", "--replace", "--json")
    assert (code, json.loads(out)["written"]) == (0, 1)
    assert await there(tmp_path / "here.db") == chat


async def test_an_export_of_another_chat_is_not_restored(transfer, chat):
    await in_thread(transfer, "export", CHAT, "--to", "family.jsonl.gz")
    code, _, err = await in_thread(transfer, "restore", -7, "--from", "family.jsonl.gz")
    assert (code, "is of chat -1001, not of -7" in err) == (1, True)
