"""`export`, `import` and `restore` as an operator types them."""

import json

import pytest

from tests.support.exports import CHAT
from tests.unit.infra.cli.archive.transfers import in_thread

pytestmark = pytest.mark.wall_clock


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
async def test_what_cannot_be_is_said_with_the_remedy(transfer, chat, argv, env, code, hint):
    found, _, err = await in_thread(transfer, *argv, **env)
    assert (found, hint in " ".join(err.split())) == (code, True), err


async def test_on_firestore_too(transfer, chat, firestore_emulator, tmp_path):
    project = f"cli-archive-{abs(hash(tmp_path))}"
    env = {"SPOMYN_STORE": "firestore", "GOOGLE_CLOUD_PROJECT": project, "FIRESTORE_EMULATOR_HOST": firestore_emulator}
    await in_thread(transfer, "export", CHAT, "--to", "family.jsonl.gz")
    code, out, err = await in_thread(transfer, "import", "family.jsonl.gz", "--json", **env)
    assert code == 0, err
    assert json.loads(out)["written"] == len(chat)
    code, out, _ = await in_thread(transfer, "export", CHAT, "--to", "again.jsonl.gz", "--json", **env)
    assert (code, json.loads(out)["documents"]) == (0, len(chat))


@pytest.mark.parametrize("name", ["export", "import", "restore"])
def test_the_help_has_an_example(transfer, name):
    code, out, _ = transfer(name, "--help")
    assert code == 0
    assert f"python -m infra.cli {name}".encode() in out
