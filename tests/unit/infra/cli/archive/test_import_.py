"""An import brings a chat into another store, whole or not at all, and nothing that was forgotten."""

import json

import pytest

from tests.support.exports import CHAT
from tests.unit.infra.cli.archive.transfers import in_thread, there
from tests.unit.infra.cli.memory.chats import CHAT as GROUP
from tests.unit.infra.cli.memory.chats import TARAS, opened, seed

pytestmark = pytest.mark.wall_clock


async def test_a_chat_goes_through_a_file_into_another_store(transfer, chat, tmp_path):
    code, out, _ = await in_thread(transfer, "export", CHAT, "--to", "family.jsonl.gz", "--json")
    told = json.loads(out)
    assert (code, told["chat_id"], told["documents"], told["to"]) == (0, CHAT, len(chat), "family.jsonl.gz")
    assert told["bytes"] == (tmp_path / "family.jsonl.gz").stat().st_size
    code, out, _ = await in_thread(transfer, "import", "family.jsonl.gz", SPOMYN_STORE="sqlite:there.db")
    assert code == 0
    assert f"{len(chat)} documents written, 0 were there".encode() in out
    assert await there(tmp_path / "there.db") == chat


async def test_after_forgetting_an_import_says_when_and_what_there_is_instead(transfer, tmp_path):
    async with opened(tmp_path / "here.db") as store:
        await seed(store, GROUP)
    await in_thread(transfer, "export", GROUP, "--to", "family.jsonl.gz")
    assert (await in_thread(transfer, "forget", GROUP, "--member", TARAS, "--yes"))[0] == 0
    code, _, err = await in_thread(transfer, "import", "family.jsonl.gz", "--replace")
    told = " ".join(err.split())
    assert (code, "Something that the export holds was forgotten on" in told) == (1, True)
    key = told.partition("Restore ")[2].partition(" of the archive")[0]
    assert (await in_thread(transfer, "restore", GROUP, "--from", key, "--replace"))[0] == 0
    assert (await in_thread(transfer, "forget", GROUP, "--yes"))[0] == 0
    code, _, err = await in_thread(transfer, "import", "family.jsonl.gz")
    told = " ".join(err.split())
    assert (code, f"All that the export holds of chat {GROUP} was forgotten on" in told) == (1, True)
    assert "stays forgotten. The archive holds no later one" in told


async def test_a_half_written_file_is_refused_and_changes_nothing(transfer, chat, tmp_path):
    await in_thread(transfer, "export", CHAT, "--to", "family.jsonl.gz")
    whole = (tmp_path / "family.jsonl.gz").read_bytes()
    (tmp_path / "half.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    code, _, err = await in_thread(transfer, "import", "half.jsonl.gz", SPOMYN_STORE="sqlite:there.db")
    assert (code, "it breaks off" in err) == (1, True)
    assert await there(tmp_path / "there.db") == {}
