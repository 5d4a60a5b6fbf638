"""`export`, `import` and `restore` as an operator types them."""

import gzip
import json

import pytest

from infra.cli.root import main
from infra.sqlite import SqliteStore
from shared.application.documents import message_path
from tests.support.exports import CHAT, contents, fill
from tests.unit.infra.cli.memory.test_consolidate import CHAT as GROUP
from tests.unit.infra.cli.memory.test_consolidate import TARAS, opened, seed

pytestmark = pytest.mark.wall_clock


@pytest.fixture
def spomyn(tmp_path, monkeypatch, capfdbinary):
    """Runs a command on a store of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    for name, value in {"SPOMYN_STORE": "sqlite:here.db", "SPOMYN_ARCHIVE": "folder:archive"}.items():
        monkeypatch.setenv(name, value)

    def run(*argv, **env):
        with pytest.MonkeyPatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            code = main([str(each) for each in argv])
        output = capfdbinary.readouterr()
        return code, output.out, output.err.decode()

    return run


@pytest.fixture
async def chat(tmp_path, spomyn):
    """A chat in the store; its documents."""
    store = SqliteStore(tmp_path / "here.db")
    await fill(store, 20)
    found = await contents(store)
    await store.aclose()
    return found


async def there(path):
    store = SqliteStore(path)
    found = await contents(store)
    await store.aclose()
    return found


def in_thread(run, *argv, **env):
    """The command has an event loop of its own."""
    import asyncio

    return asyncio.to_thread(run, *argv, **env)


async def test_a_chat_goes_through_a_file_into_another_store(spomyn, chat, tmp_path):
    code, out, _ = await in_thread(spomyn, "export", CHAT, "--to", "family.jsonl.gz", "--json")
    told = json.loads(out)
    assert (code, told["chat_id"], told["documents"], told["to"]) == (0, CHAT, len(chat), "family.jsonl.gz")
    assert told["bytes"] == (tmp_path / "family.jsonl.gz").stat().st_size
    code, out, _ = await in_thread(spomyn, "import", "family.jsonl.gz", SPOMYN_STORE="sqlite:there.db")
    assert code == 0
    assert f"{len(chat)} documents written, 0 were there".encode() in out
    assert await there(tmp_path / "there.db") == chat


async def test_a_chat_goes_through_a_pipe(spomyn, chat):
    code, out, err = await in_thread(spomyn, "export", CHAT, "--to", "-")
    assert code == 0
    assert gzip.decompress(out).count(b"\n") == len(chat) + 2
    assert f"{len(chat)} documents" in err
    assert (await in_thread(spomyn, "export", CHAT, "--to", "-", "--json"))[0] == 2


@pytest.mark.parametrize("origin", ["latest", "the name", "the key"])
async def test_a_chat_comes_back_from_the_archive(spomyn, chat, tmp_path, origin):
    code, out, _ = await in_thread(spomyn, "export", CHAT, "--json")
    key = json.loads(out)["to"]
    assert (code, (tmp_path / "archive" / key).is_file()) == (0, True)
    named = {"latest": "latest", "the name": key.rpartition("/")[2], "the key": key}[origin]
    code, out, _ = await in_thread(spomyn, "restore", CHAT, "--from", named, "--json", SPOMYN_STORE="sqlite:there.db")
    assert code == 0
    found = await there(tmp_path / "there.db")
    assert {k: v for k, v in found.items() if "upkeep/archive" not in k} == chat
    assert json.loads(out)["written"] == len(found)


async def test_what_was_just_archived_is_restored_without_a_change(spomyn, chat, tmp_path):
    for _ in range(2):  # the second export finds the record of the first
        assert (await in_thread(spomyn, "export", CHAT))[0] == 0
        before = await there(tmp_path / "here.db")
        code, out, err = await in_thread(spomyn, "restore", CHAT, "--from", "latest", "--json")
        assert (code, err) == (0, "")
        assert {name: json.loads(out)[name] for name in ("written", "removed")} == {"written": 0, "removed": 0}
        assert await there(tmp_path / "here.db") == before


async def test_what_a_night_archived_is_restored_without_a_change(spomyn, chat, tmp_path):
    assert (await in_thread(spomyn, "night", CHAT, "--now"))[0] == 0
    (key,) = (tmp_path / "archive").rglob("export-*.gz")
    before = await there(tmp_path / "here.db")
    assert (await in_thread(spomyn, "restore", CHAT, "--from", "latest"))[0] == 0
    assert await there(tmp_path / "here.db") == before
    code, out, _ = await in_thread(spomyn, "import", key, "--json", SPOMYN_STORE="sqlite:there.db")
    assert (code, json.loads(out)["written"]) == (0, json.loads(out)["documents"])


async def test_no_export_is_written_to_a_terminal(spomyn, chat, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    code, out, err = await in_thread(spomyn, "export", CHAT, "--to", "-")
    assert (code, out, "pipe it on" in " ".join(err.split())) == (2, b"", True)


async def test_after_forgetting_an_import_says_when_and_what_there_is_instead(spomyn, tmp_path):
    async with opened(tmp_path / "here.db") as store:
        await seed(store, GROUP)
    await in_thread(spomyn, "export", GROUP, "--to", "family.jsonl.gz")
    assert (await in_thread(spomyn, "forget", GROUP, "--member", TARAS, "--yes"))[0] == 0
    code, _, err = await in_thread(spomyn, "import", "family.jsonl.gz", "--replace")
    told = " ".join(err.split())
    assert (code, "Something that the export holds was forgotten on" in told) == (1, True)
    key = told.partition("Restore ")[2].partition(" of the archive")[0]
    assert (await in_thread(spomyn, "restore", GROUP, "--from", key, "--replace"))[0] == 0
    assert (await in_thread(spomyn, "forget", GROUP, "--yes"))[0] == 0
    code, _, err = await in_thread(spomyn, "import", "family.jsonl.gz")
    told = " ".join(err.split())
    assert (code, f"All that the export holds of chat {GROUP} was forgotten on" in told) == (1, True)
    assert "stays forgotten. The archive holds no later one" in told


async def test_what_differs_needs_replace(spomyn, chat, tmp_path):
    await in_thread(spomyn, "export", CHAT, "--to", "family.jsonl.gz")
    store = SqliteStore(tmp_path / "here.db")
    await store.set(message_path(CHAT, 3), {"text": "інше"})
    await store.aclose()
    code, _, err = await in_thread(spomyn, "restore", CHAT, "--from", "family.jsonl.gz")
    assert (code, "chats/-1001/messages/3 differs" in err, "--replace" in err) == (1, True, True)
    code, out, _ = await in_thread(spomyn, "restore", CHAT, "--from", "family.jsonl.gz", "--replace", "--json")
    assert (code, json.loads(out)["written"]) == (0, 1)
    assert await there(tmp_path / "here.db") == chat


async def test_a_half_written_file_is_refused_and_changes_nothing(spomyn, chat, tmp_path):
    await in_thread(spomyn, "export", CHAT, "--to", "family.jsonl.gz")
    whole = (tmp_path / "family.jsonl.gz").read_bytes()
    (tmp_path / "half.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    code, _, err = await in_thread(spomyn, "import", "half.jsonl.gz", SPOMYN_STORE="sqlite:there.db")
    assert (code, "it breaks off" in err) == (1, True)
    assert await there(tmp_path / "there.db") == {}


@pytest.mark.parametrize(
    ("argv", "env", "code", "hint"),
    [
        (("export", -5), {}, 1, "no chat -5"),
        (("export", CHAT), {"SPOMYN_ARCHIVE": ""}, 2, "SPOMYN_ARCHIVE"),
        (("export", CHAT, "--to", "no/such/folder/x.gz"), {}, 1, "cannot be written"),
        (("export", CHAT), {"SPOMYN_ARCHIVE": "s3://bucket", "ARCHIVE_ENDPOINT_URL": "http://127.0.0.1:1",
                            "ARCHIVE_ACCESS_KEY_ID": "a", "ARCHIVE_SECRET_ACCESS_KEY": "b"}, 3, "did not answer"),
        (("export", CHAT), {"ARCHIVE_ACCESS_KEY_ID": "a"}, 2, "ARCHIVE_SECRET_ACCESS_KEY"),
        (("export", CHAT), {"SPOMYN_ARCHIVE": "ftp://x"}, 2, "folder:PATH"),
        (("import", "nowhere.gz"), {}, 1, "cannot be read"),
        (("restore", CHAT, "--from", "latest"), {}, 1, "no export of chat"),
        (("restore", CHAT, "--from", "export-x.jsonl.gz"), {}, 1, "there are: none"),
        (("restore", CHAT, "--from", "../x"), {}, 1, "neither a file nor"),
        (("restore", CHAT), {}, 2, "--from"),
    ],
)  # fmt: skip
async def test_what_cannot_be_is_said_with_the_remedy(spomyn, chat, argv, env, code, hint):
    found, _, err = await in_thread(spomyn, *argv, **env)
    assert (found, hint in " ".join(err.split())) == (code, True), err


async def test_an_export_of_another_chat_is_not_restored(spomyn, chat):
    await in_thread(spomyn, "export", CHAT, "--to", "family.jsonl.gz")
    code, _, err = await in_thread(spomyn, "restore", -7, "--from", "family.jsonl.gz")
    assert (code, "is of chat -1001, not of -7" in err) == (1, True)


async def test_on_firestore_too(spomyn, chat, firestore_emulator, tmp_path):
    project = f"cli-archive-{abs(hash(tmp_path))}"
    env = {"SPOMYN_STORE": "firestore", "GOOGLE_CLOUD_PROJECT": project, "FIRESTORE_EMULATOR_HOST": firestore_emulator}
    await in_thread(spomyn, "export", CHAT, "--to", "family.jsonl.gz")
    code, out, err = await in_thread(spomyn, "import", "family.jsonl.gz", "--json", **env)
    assert code == 0, err
    assert json.loads(out)["written"] == len(chat)
    code, out, _ = await in_thread(spomyn, "export", CHAT, "--to", "again.jsonl.gz", "--json", **env)
    assert (code, json.loads(out)["documents"]) == (0, len(chat))


@pytest.mark.parametrize("name", ["export", "import", "restore"])
def test_the_help_has_an_example(spomyn, name):
    code, out, _ = spomyn(name, "--help")
    assert code == 0
    assert f"python -m infra.cli {name}".encode() in out
