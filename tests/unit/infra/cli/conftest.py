"""The command line over a store of its own, in this process."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from infra.cli.checks.preflight_bot import BUNDLES
from infra.cli.root import main
from shared.settings import SETTINGS
from tests.support.gemini.server import FakeGemini
from tests.support.google.gcloud import FakeGcloud
from tests.support.telegram.bot_api import FakeBotApi
from tests.unit.infra.cli.checkout import APIS, PROJECT, ROOT, TOKEN, by_part, write_bundle

_OWN = ("SPOMYN_STORE", "SPOMYN_QUEUE", "GEMINI_API_KEY", "TELEGRAM_BOT_TOKEN", "GOOGLE_CLOUD_PROJECT", "LOG_LEVEL")


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def logs(logging_restored: None) -> None:
    """Commands set up logs."""


@pytest.fixture
def spomyn(tmp_path, monkeypatch, capsys) -> Callable[..., Ran]:
    """Runs a command over a SQLite file in a folder of its own; only these settings."""
    for name in _OWN:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("FIRESTORE_EMULATOR_HOST", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SPOMYN_STORE", f"sqlite:{tmp_path}/spomyn.db")
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def on_firestore(spomyn, firestore_emulator, tmp_path, monkeypatch) -> Callable[..., Ran]:
    """The same over the emulator; a project of its own, tasks in a local file."""
    monkeypatch.setenv("SPOMYN_STORE", "firestore")
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_emulator)
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", f"test-cli-{abs(hash(str(tmp_path))) % 10**9}")
    return spomyn


@pytest.fixture
def terraform_there():
    """Real Terraform; in CI its absence is a failure, elsewhere a skip that names the remedy."""
    if shutil.which("terraform") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("Install Terraform 1.11 or newer.")


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder with what is looked at: variables, bundles made of sources, secrets in `.env`."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    for name in [name for name in os.environ if name.startswith(("TF_", "GOOGLE_"))]:
        monkeypatch.delenv(name)
    for path in ("shared/a.py", "infra/b.py", *(f"functions/{name}/main.py" for name in BUNDLES)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(f"# {path}\n")
    (tmp_path / "build").mkdir()
    for name in BUNDLES:
        write_bundle(tmp_path, name)
    (tmp_path / "terraform").mkdir()
    for file in (ROOT / "terraform").glob("variables*.tf"):
        shutil.copy(file, tmp_path / "terraform")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def gcloud(tmp_path, monkeypatch):
    fake = FakeGcloud(tmp_path / "bin")
    fake.update(
        account=True,
        adc=True,
        projects={"my-project": PROJECT},
        billing={"my-project": True},
        apis=[f"{api}.googleapis.com" for api in APIS],
        functions=[],
        queues=[],
        deleted_queues=[],
        databases={},
        buckets={"my-state": True},
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return fake


@pytest.fixture
async def api():
    async with FakeBotApi(TOKEN) as server:
        yield server


@pytest.fixture
async def gemini():
    async with FakeGemini("a-key") as server:
        yield server


@pytest.fixture
def given(checkout, api, gemini):
    """Writes `.env` and terraform.tfvars; all that is needed but for what is changed."""

    def write(*lines, settings=(), **secrets):
        chosen = {
            "BOT_USERNAME": "spomyn_bot",
            "TELEGRAM_API_URL": api.url,
            "GOOGLE_GEMINI_BASE_URL": gemini.url,
            **dict(settings),
        }
        env = {
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_WEBHOOK_SECRET": "s-1",
            "GEMINI_API_KEY": "a-key",
            "BOT_USERNAME": "spomyn_bot",
            **secrets,
        }
        (checkout / ".env").write_text("".join(f"{name}={value}\n" for name, value in env.items() if value))
        variables = ['project_id = "my-project"', f"settings = {json.dumps(chosen)}", *lines]
        (checkout / "terraform" / "terraform.tfvars").write_text("\n".join(variables) + "\n")

    write()
    return write


@pytest.fixture
def run_preflight(terraform_there, given, gcloud, capsys):
    """Runs the command; its exit code and the checks by part, as "severity: text remedy"."""

    async def call(*arguments):
        code = await asyncio.to_thread(main, ["preflight", "--json", *arguments])
        captured = capsys.readouterr()
        assert "fake-token" not in captured.out + captured.err
        return code, by_part(json.loads(captured.out)["checks"])

    return call
