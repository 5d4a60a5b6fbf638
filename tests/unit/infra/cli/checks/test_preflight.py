"""`preflight`: everything that would keep a deployment from working is said at once, in one sentence each.

Terraform is the real one, over the repository's own variables.tf; gcloud is a strict stand-in on PATH.
"""

import asyncio
import shutil

import pytest

from infra.cli.checks.preflight_bot import BUNDLES
from infra.cli.root import main
from tests.unit.infra.cli.checkout import wrong

pytestmark = [pytest.mark.usefixtures("terraform_there"), pytest.mark.wall_clock]

BACKEND = 'terraform {\n  backend "gcs" {\n    # bucket = "not-this"\n    bucket = "my-state"\n  }\n}\n'


# --- All is well ---------------------------------------------------------------------------------


async def test_an_empty_project_with_everything_given_is_ready_and_nothing_is_changed(
    run_preflight, checkout, gcloud, api
):
    (checkout / "terraform" / "backend.tf").write_text(BACKEND)
    code, told = await run_preflight()
    assert (code, wrong(told)) == (0, {})
    assert set(told) == {
        *("variables", "project", "credentials", "billing", "state", "names", "bot", "models", "bundles"),
    }
    assert told["state"] == ["ok: It is kept in my-state."]
    assert told["bot"] == ["ok: The token is that of @spomyn_bot."]
    assert len(told["models"]) == 6  # each is there, two write a word, one gives vectors
    verbs = {word for call in gcloud.calls for word in call if word in ("create", "enable", "update", "delete", "link")}
    assert verbs == set()
    assert {call.method for call in api.calls} == {"getMe", "getWebhookInfo"}


async def test_people_get_a_line_each_and_a_sum(given, gcloud, capsys):
    code = await asyncio.to_thread(main, ["preflight"])
    out = capsys.readouterr().out
    assert code == 0
    assert "ok        project: my-project is there.\n" in out
    assert "warning   state: Terraform's state is kept in this folder only" in out
    assert out.endswith("0 errors, 1 warnings.\n")


# --- What is given -------------------------------------------------------------------------------


async def test_everything_that_is_missing_is_said_at_once(run_preflight, checkout):
    (checkout / ".env").unlink()
    (checkout / "terraform" / "terraform.tfvars").write_text('region = "europe-west99"\nregoin = 1\n')
    shutil.rmtree(checkout / "build")
    code, told = await run_preflight()
    assert code == 1
    assert sorted(each.partition(" ")[2].partition(" ")[0] for each in told["variables"]) == [
        *("project_id", "region", "regoin"),
    ]
    assert told["settings"] == [
        "error: TELEGRAM_BOT_TOKEN is not set. Put it into .env: @BotFather gives it.",
        "error: TELEGRAM_WEBHOOK_SECRET is not set. Put it into .env: make one with `openssl rand -hex 32`.",
        (
            "error: GEMINI_API_KEY is not set. "
            "Put it into .env: aistudio.google.com gives one; or set gemini = false in terraform/terraform.tfvars."
        ),
    ]
    assert told["project"] == ["unchecked: There is no project_id."]
    assert told["bundles"] == [f"error: {name}.zip is not made yet. Run `make bundle`." for name in BUNDLES]


async def test_a_mistake_of_ours_in_one_look_is_said_and_the_others_are_made(run_preflight, gcloud):
    gcloud.update(billing={"my-project": None})
    code, told = await run_preflight()
    assert code == 1
    (said,) = told["preflight"]
    assert said.startswith("error: A look failed by a mistake of ours: AttributeError(")
    assert {"credentials", "state", "names", "bot", "models"} <= set(told)


# --- The tools -----------------------------------------------------------------------------------


async def test_without_the_tools_everything_else_is_still_looked_at(run_preflight, given, monkeypatch):
    given(TELEGRAM_WEBHOOK_SECRET="")
    monkeypatch.setenv("PATH", "/nowhere")
    code, told = await run_preflight()
    assert code == 1
    assert "Terraform is not installed: install 1.11 or newer" in told["terraform"][0]
    assert "gcloud is not installed: install the Google Cloud CLI" in told["gcloud"][0]
    assert "TELEGRAM_WEBHOOK_SECRET is not set" in told["settings"][0]
    assert told["bundles"] == ["ok: They are made of the sources as they are."]
