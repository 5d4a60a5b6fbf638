"""The operator's targets: real make and real Terraform over a little module, a strict gcloud, a strict Bot API.

The module needs no provider but has what ours has: variables of the same names, ephemeral secrets, an output.
"""

import asyncio
import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from shared.settings import SETTINGS
from tests.support.google.gcloud import FakeGcloud
from tests.support.telegram.bot_api import FakeBotApi

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "123456:fake-token"
URL = "https://spomyn-webhook-987.europe-west1.run.app"
VARIABLES = """\
variable "project_id" {
  type = string
}

variable "region" {
  default = "europe-west1"
}

variable "prefix" {
  default = "spomyn"
}

variable "settings" {
  type = map(string)
}

variable "gemini" {
  default = false
}

variable "deletion_protection" {
  default = true
}

variable "telegram_bot_token" {
  type      = string
  ephemeral = true

  validation {
    condition     = var.telegram_bot_token == "123456:fake-token"
    error_message = "telegram_bot_token did not come."
  }
}
"""
MODULE = """\
terraform {
  required_version = ">= 1.11"
}

resource "terraform_data" "memory" {
  input = var.project_id
}

output "webhook_url" {
  value = "https://spomyn-webhook-987.europe-west1.run.app"
}
"""
ENTRIES = [
    {
        "timestamp": f"2026-11-22T13:0{minute}:00.123Z",
        "severity": severity,
        "resource": {"labels": {"service_name": f"spomyn-{function}"}, "type": "cloud_run_revision"},
        **more,
    }
    for minute, severity, function, more in [
        (1, "INFO", "webhook", {"jsonPayload": {"message": "update", "event": "update", "latency_ms": 12.5}}),
        (0, "ERROR", "extract", {"textPayload": "Traceback:\n  \x1b[31mline"}),
        (2, "INFO", "webhook", {"httpRequest": {"requestMethod": "POST", "status": 200, "latency": "0.02s"}}),
    ]
]


@pytest.fixture(autouse=True)
def tools_there():
    """Real make and Terraform; in CI their absence is a failure, elsewhere a skip that names the remedy."""
    for tool in ("make", "terraform"):
        if shutil.which(tool) is None:
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"Install {tool} (Terraform: 1.11).")


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the little module, bundles made, and everything given."""
    for name in ("shared", "infra", "functions"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "build").mkdir()
    for name in ("webhook", "answer", "extract", "maintenance"):
        with zipfile.ZipFile(tmp_path / "build" / f"{name}.zip", "w") as bundle:
            bundle.write(ROOT / "functions" / name / "main.py", "main.py")
    folder = tmp_path / "terraform"
    folder.mkdir()
    (folder / "variables.tf").write_text(VARIABLES)
    (folder / "main.tf").write_text(MODULE)
    return tmp_path


@pytest.fixture
def gcloud(tmp_path):
    fake = FakeGcloud(tmp_path / "bin")
    project = {"lifecycleState": "ACTIVE", "projectId": "my-project", "projectNumber": "987"}
    apis = [f"{name}.googleapis.com" for name in ("cloudresourcemanager", "serviceusage", "logging")]
    fake.update(account=True, adc=True, projects={"my-project": project}, billing={"my-project": True}, apis=apis)
    fake.update(entries=ENTRIES)
    return fake


@pytest.fixture
async def api():
    async with FakeBotApi(TOKEN) as server:
        yield server


@pytest.fixture
def given(checkout, api):
    """Writes `.env` and terraform.tfvars."""

    def write(*lines):
        env = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": "s-1", "TELEGRAM_API_URL": api.url}
        named = {"BOT_USERNAME": "spomyn_bot"}
        (checkout / ".env").write_text("".join(f"{name}={value}\n" for name, value in {**env, **named}.items()))
        chosen = json.dumps({"TELEGRAM_API_URL": api.url, **named})
        variables = ['project_id = "my-project"', f"settings = {chosen}", *lines]
        (checkout / "terraform" / "terraform.tfvars").write_text("\n".join(variables) + "\n")

    write()
    return write


@pytest.fixture
def make(checkout, gcloud, given):
    """Runs targets in the checkout; the packages are there, and the bundles are not made again."""
    python = checkout / "bin" / "python"
    python.write_text(f'#!/bin/sh\n[ "$2" = infra.bundle ] || exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    for name in ("requirements.txt", "requirements-dev.txt", "ready"):
        (checkout / name).touch()
    own = {setting.name for setting in SETTINGS}
    env = {name: text for name, text in os.environ.items() if name not in own and not name.startswith(("TF_", "MAKE"))}
    for name in ("ARGS", "FORCE", "FUNCTION", "MFLAGS", "SINCE", "URL"):  # of the make that runs these tests
        env.pop(name, None)
    path = f"{checkout / 'bin'}:{os.environ['PATH']}"

    async def call(*arguments, typed="", path=path):
        process = await asyncio.create_subprocess_exec(
            *(shutil.which("make"), f"BIN={checkout / 'bin'}", f"READY={checkout / 'ready'}", *arguments),
            cwd=checkout,
            env={**env, "PATH": path, "CHECKPOINT_DISABLE": "1", "NO_COLOR": "1"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate(typed.encode())
        assert b"fake-token" not in out
        return process.returncode, out.decode()

    return call


def made(checkout):
    """What is in Terraform's state."""
    state = checkout / "terraform" / "terraform.tfstate"
    return [each["type"] for each in json.loads(state.read_text())["resources"]] if state.is_file() else []


async def test_a_deployment_is_planned_made_registered_and_destroyed(make, checkout, api, given):
    given("deletion_protection = false")
    code, out = await make("plan")
    assert code == 0, out
    assert "0 errors, 1 warnings." in out
    assert "1 to add" in out
    assert "Next: make deploy" in out
    assert made(checkout) == []

    code, out = await make("deploy")  # the secrets are given again, though the plan is saved
    assert code == 0, out
    assert "1 added" in out
    assert "Next: make webhook" in out
    assert made(checkout) == ["terraform_data"]
    assert not list((checkout / "terraform").glob("*.tfplan"))

    code, out = await make("webhook")
    assert (code, api.webhook["url"]) == (0, URL), out

    given()
    code, out = await make("destroy", typed="my-project\n")
    assert (code, made(checkout)) == (2, ["terraform_data"])
    assert "The memory is protected" in out
    assert "deletion_protection = false" in out

    given("deletion_protection = false")
    code, out = await make("destroy", typed="yes\n")
    assert code == 2
    assert "Type the project's id to go on: Error: That is not the project's id: nothing was destroyed." in out
    assert made(checkout) == ["terraform_data"]

    code, out = await make("destroy", typed="my-project\n")
    assert (code, made(checkout)) == (0, []), out
    assert not list((checkout / "terraform").glob("*.tfplan"))
    code, out = await make("destroy", typed="my-project\n")
    assert (code, "There is nothing to destroy" in out) == (2, True)


async def test_without_a_plan_deploy_plans_and_asks(make, checkout):
    code, out = await make("deploy", typed="y\n")
    assert 'Make this? Only "yes" does: Nothing was changed.' in out
    assert (code, made(checkout)) == (2, [])
    assert not list((checkout / "terraform").glob("*.tfplan"))


@pytest.mark.parametrize(
    "name", [".env", "build/extract.zip", "terraform/main.tf", "terraform/terraform.tfvars", "firestore.indexes.json"]
)
async def test_a_plan_older_than_what_it_was_made_of_is_not_made(make, checkout, name):
    plan = checkout / "terraform" / "deploy.tfplan"
    plan.write_bytes(b"")
    os.utime(plan, (2**32, 2**32))  # newer than every source
    (checkout / name).touch()
    os.utime(checkout / name, (2**33, 2**33))
    code, out = await make("deploy")
    assert (code, out.splitlines()[0]) == (2, f"Error: {name} is newer than the plan: run make plan again.")


async def test_what_preflight_finds_keeps_from_planning(make, checkout, gcloud):
    gcloud.update(billing={"my-project": False})
    code, out = await make("plan")
    assert code == 2
    assert "The project my-project has no billing account." in out
    assert not (checkout / "terraform" / ".terraform").exists()
    assert not list((checkout / "terraform").glob("*.tfplan"))


async def test_the_webhook_of_somebody_else_is_taken_by_force(make, api):
    api.webhook = {"url": "https://other.example.org/"}
    code, out = await make("preflight", "FORCE=1")
    assert code == 0, out
    assert "warning   bot: Updates of @spomyn_bot go to other.example.org now" in out


async def test_the_webhook_needs_an_address(make, api):
    code, out = await make("webhook")
    assert code == 2
    assert "Terraform knows no address: run make deploy first" in out
    code, out = await make("webhook", "URL=http://plain.example.org/")
    assert (code, "is not an https address" in out) == (2, True)
    code, out = await make("webhook", f"URL={URL}", "ARGS=--check")
    assert (code, "no webhook is set" in out) == (2, True)
    assert api.webhook == {}


async def test_the_webhook_of_this_deployment_is_checked_and_deleted(make, checkout, api):
    await make("deploy", typed="yes\n")
    api.webhook = {"url": "https://other.example.org/"}
    code, out = await make("webhook", "ARGS=--check")
    assert (code, f"Updates go to https://other.example.org/, not to {URL}. Run `make webhook`" in out) == (2, True)
    code, out = await make("webhook", "ARGS=--delete")
    assert (code, "Nothing was deleted" in out) == (2, True)
    code, out = await make("webhook")
    assert (code, "Until now they went to other.example.org." in out) == (0, True)
    code, out = await make("webhook", "ARGS=--delete")
    assert (code, api.webhook) == (0, {}), out


@pytest.mark.parametrize("since", ["yesterday", "6", "1w", "-1h", "0h", "1h --limit=2"])
async def test_logs_of_no_time_are_not_asked_for(make, gcloud, since):
    code, out = await make("logs", f"SINCE='{since}'")
    assert (code, f"{since!r} is no time: write it like 30m, 6h or 2d." in out) == (2, True), out
    assert gcloud.calls == []


async def test_where_nothing_or_too_much_was_logged_it_is_said(make, gcloud):
    _, out = await make("logs", "ARGS=--limit 2 --severity info")
    assert out.endswith("Only the newest 2 lines: ask for more with --limit, or for less time.\n")
    gcloud.update(entries=[])
    assert await make("logs", "SINCE=30m") == (0, "Nothing was logged within 30m.\n")


async def test_logs_are_shown_a_line_each(make, gcloud):
    code, out = await make("logs")
    assert code == 0, out
    assert out.splitlines() == [
        "2026-11-22 13:00:00 ERROR spomyn-extract Traceback: [31mline",
        "2026-11-22 13:01:00 INFO spomyn-webhook update event=update latency_ms=12.5",
        "2026-11-22 13:02:00 INFO spomyn-webhook POST 200 0.02s",
    ]
    code, out = await make("logs", "FUNCTION=extract", "SINCE=6h", "ARGS=--severity ERROR --limit 5")
    assert (code, len(out.splitlines())) == (0, 1)
    read = gcloud.calls[-1]
    assert "severity>=ERROR" in read[2]
    assert read[3:6] == ["--project=my-project", "--freshness=6h", "--limit=5"]


async def test_logs_that_cannot_be_read_say_what_to_do(make, gcloud):
    gcloud.update(account=False)
    code, out = await make("logs")
    assert (code, "Run `gcloud auth login`." in out) == (2, True)


async def test_without_the_tools_each_target_says_what_to_install(make, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    for tool in ("sh", "find", "rm"):
        (bare / tool).symlink_to(shutil.which(tool))
    for target in ("destroy", "webhook"):
        code, out = await make(target, path=str(bare))
        assert (code, "Terraform is not installed: install 1.11 or newer" in out) == (2, True), out
    (bare / "terraform").symlink_to(shutil.which("terraform"))
    code, out = await make("logs", path=str(bare))
    assert (code, "gcloud is not installed: install the Google Cloud CLI" in out) == (2, True), out


async def test_help_lists_every_target(make):
    text = (ROOT / "Makefile").read_text("utf-8")
    phony = {name for line in text.splitlines() if line.startswith(".PHONY:") for name in line.split()[1:]}
    _, out = await make("help")
    assert {line.split()[1] for line in out.splitlines()} == phony


@pytest.mark.parametrize("chosen", ["", "-n 2", "-n 0 -k rules"])
async def test_tests_run_on_all_cores_unless_something_else_is_asked_for(make, checkout, chosen):
    _, out = await make("--dry-run", "test", f"ARGS={chosen}")
    assert out.split() == [f"{checkout / 'bin'}/python", "-m", "pytest", "-n", "logical", *chosen.split()]
