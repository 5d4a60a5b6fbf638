"""`consolidate` and `context`: the passes shown, the diff, hand edits, failures of one chat."""

import asyncio
import json
from datetime import timedelta

import pytest

from infra.cli.root import main
from infra.system import SystemClock
from shared.application.chats.context_codec import context_path
from shared.application.documents import chat_path, message_path
from tests.unit.infra.cli.memory.chats import CHAT, OTHER, TALK, opened, seed

pytestmark = pytest.mark.wall_clock


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A store with a chat in it, as the command will open it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPOMYN_STORE", f"sqlite:{tmp_path / 'spomyn.db'}")
    for name in ("GEMINI_API_KEY", "TELEGRAM_BOT_TOKEN", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "spomyn.db"
    asyncio.run(_seeded(path))
    return path


async def _seeded(path):
    async with opened(path) as store:
        for chat_id in (CHAT, OTHER):
            await seed(store, chat_id)


def stored(path, chat_id=CHAT):
    async def read():
        async with opened(path) as store:
            return await store.get(context_path(chat_id))

    return asyncio.run(read())


def test_a_chat_is_consolidated_and_its_context_printed(file, capsys):
    assert main(["consolidate", str(CHAT)]) == 0
    out = capsys.readouterr().out
    assert "+## " in out
    assert "забронювати квитки до Львова" in out
    document = stored(file).data
    assert document["revision"] == 1
    assert main(["context", str(CHAT)]) == 0
    assert capsys.readouterr().out == document["text"]
    assert main(["consolidate", str(CHAT)]) == 0
    assert "stays as it is" in capsys.readouterr().out
    assert stored(file).data == document


def test_a_dry_run_shows_the_diff_and_writes_nothing(file, capsys):
    assert main(["consolidate", str(CHAT), "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "+## " in out
    assert "Nothing was written" in out
    assert stored(file) is None


def test_verbose_shows_the_three_passes_with_their_quotes(file, capsys):
    assert main(["consolidate", str(CHAT), "--verbose", "--dry-run"]) == 0
    out = capsys.readouterr().out
    for heading in ("Suggested: ", "Refused: ", "Settled: ", "In CONTEXT.md: "):
        assert heading in out
    assert "#2 “Я забронюю квитки до Львова завтра”" in out


def test_json_is_one_document_on_standard_output(file, capsys):
    assert main(["consolidate", str(CHAT), "--json", "--verbose"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["chat_id"], told["changed"], told["revision"], told["made_by"]) == (CHAT, True, 1, "offline")
    assert {quote["message_id"] for each in told["suggested"] for quote in each["quotes"]} <= {1, 2, 3}
    assert main(["context", str(CHAT), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == told["text"]
    assert main(["context", str(CHAT), "--history", "--json"]) == 0
    assert [each["revision"] for each in json.loads(capsys.readouterr().out)] == [1]


def test_all_chats_are_consolidated_and_one_that_fails_costs_no_other(file, capsys):
    async def spoil():
        async with opened(file) as store:
            await store.set(context_path(OTHER), {"schema": 1, "text": "", "revision": 1, "items": [{"section": "?"}]})
            await store.set("chats/nonsense", {"active": True})

    asyncio.run(spoil())
    assert main(["consolidate", "--all"]) == 1
    out = capsys.readouterr().out
    assert f"chat {OTHER} failed: ContextFileUnreadable" in out
    assert "Chats consolidated: 1, changed: 1, failed: 2" in out
    assert stored(file).data["revision"] == 1
    assert main(["consolidate", "--all", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [each["chat_id"] for each in told["chats"]] == [CHAT]
    assert [each["chat_id"] for each in told["failed"]] == [OTHER, "nonsense"]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["consolidate"], 2),
        (["consolidate", str(CHAT), "--all"], 2),
        (["consolidate", "-999"], 1),
        (["context", "-999"], 1),
        (["context", str(CHAT)], 1),
        (["context", str(CHAT), "--edit", "nowhere.md"], 2),
        (["context", str(CHAT), "--history", "--revision", "1"], 2),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(file, capsys, argv, code):
    assert main(argv) == code
    assert "Error" in capsys.readouterr().err


async def _aged(path, days):
    """As if everything had been said so many days ago."""
    async with opened(path) as store:
        for number in range(1, len(TALK) + 1):
            at = SystemClock().now() - timedelta(days=days)
            await store.update(message_path(CHAT, number), {"sent_at": at, "received_at": at})


def test_context_sends_nobody_to_consolidate_for_talk_that_is_too_old(file, capsys):
    assert main(["context", str(CHAT)]) == 1
    assert f"`consolidate {CHAT}` makes it" in capsys.readouterr().err
    asyncio.run(_aged(file, 8))
    assert main(["context", str(CHAT)]) == 1
    told = capsys.readouterr().err
    assert "said in the last 7 days" in told
    assert "`consolidate" not in told
    assert main(["consolidate", str(CHAT)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "said in the last 7 days, and the newest message is of" in shown
    assert main(["consolidate", str(CHAT), "--json"]) == 0
    assert "comes when people talk again" in json.loads(capsys.readouterr().out)["note"]


def test_consolidate_says_why_there_is_nothing_to_read(file, capsys):
    main(["consolidate", str(CHAT)])
    asyncio.run(_private(file))
    capsys.readouterr()
    for command in ("consolidate", "context"):
        main([command, str(OTHER)])
        output = capsys.readouterr()
        assert "private mode" in output.out + output.err


async def _private(path):
    async with opened(path) as store:
        await store.update(chat_path(OTHER), {"private_mode": True})


def test_a_hand_edited_document_takes_the_place_and_is_kept(file, capsys):
    assert main(["consolidate", str(CHAT)]) == 0
    text = stored(file).data["text"]
    edited = file.parent / "CONTEXT.md"
    edited.write_text(text.replace("\n---", "\n- Рядок від руки\n\n---"), "utf-8")
    capsys.readouterr()
    assert main(["context", str(CHAT), "--edit", str(edited), "--revision", "1"]) == 0
    assert "- Рядок від руки\n" in capsys.readouterr().out
    assert main(["consolidate", str(CHAT)]) == 0
    assert "- Рядок від руки\n" in stored(file).data["text"]
    capsys.readouterr()
    assert main(["context", str(CHAT), "--edit", str(edited), "--revision", "1"]) == 1
    assert "Revision 2 is there now, not 1" in capsys.readouterr().err
    assert main(["context", str(CHAT), "--revision", "1"]) == 0
    assert capsys.readouterr().out == text
    assert main(["context", str(CHAT), "--revision", "9"]) == 1
    assert "no revision 9" in capsys.readouterr().err
    assert main(["context", str(CHAT), "--history"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "offline" in first
    assert "hand" in second


@pytest.mark.parametrize(("content", "reason"), [(b"x" * 2_049, "2049 bytes"), (b"\xff\xfe\x00", "not UTF-8")])
def test_a_document_that_is_too_large_or_no_text_is_refused(file, capsys, content, reason):
    edited = file.parent / "CONTEXT.md"
    edited.write_bytes(content)
    assert main(["context", str(CHAT), "--edit", str(edited)]) == 1
    assert reason in capsys.readouterr().err
    assert stored(file) is None


@pytest.mark.parametrize("name", ["consolidate", "context"])
def test_the_help_has_an_example(capsys, name):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Example:" in out
    assert f"python -m infra.cli {name} -1001234567890" in out


def test_it_works_on_firestore_as_well(firestore_emulator, tmp_path, monkeypatch, capsys):
    from infra.firestore import FirestoreStore

    monkeypatch.chdir(tmp_path)
    project = f"test-cli-{tmp_path.name[-20:].strip('-_').replace('_', '-')}"
    for name, value in {
        "SPOMYN_STORE": "firestore",
        "GOOGLE_CLOUD_PROJECT": project,
        "FIRESTORE_EMULATOR_HOST": firestore_emulator,
    }.items():
        monkeypatch.setenv(name, value)

    async def seeded():
        store = FirestoreStore(project, emulator_host=firestore_emulator)
        await seed(store, CHAT)
        await store.aclose()

    asyncio.run(seeded())
    assert main(["consolidate", str(CHAT)]) == 0
    assert "забронювати квитки до Львова" in capsys.readouterr().out
    assert main(["context", str(CHAT)]) == 0
    assert "забронювати квитки до Львова" in capsys.readouterr().out
