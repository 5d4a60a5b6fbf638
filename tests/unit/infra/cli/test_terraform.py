"""Terraform's variables and state as they are read before anything is planned, and what is wrong with them."""

import asyncio

import pytest

from infra.cli.root import main
from infra.cli.terraform import Terraform, terraform_environment, without_validations
from tests.unit.infra.cli.checkout import ROOT, TOKEN

pytestmark = [pytest.mark.usefixtures("terraform_there"), pytest.mark.wall_clock]


async def test_a_broken_file_of_variables_is_named_with_its_line(checkout):
    (checkout / "terraform" / "terraform.tfvars").write_text("project_id = \n")
    read = await Terraform(terraform_environment({})).variables()
    assert read.values == {}
    assert "terraform.tfvars, line 1" in read.problems[0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ('regoin = "us-east1"', "regoin is no variable of ours: see terraform/variables.tf for its right name."),
        ("functions = { webhook = { memroy = 1 } }", "functions.webhook.memroy is no variable of ours"),
        ("secret_versions = { gemini_api_key = 2 }", "secret_versions.gemini_api_key is no variable of ours"),
        ('telegram_bot_token = "123456:x"', "terraform.tfvars holds telegram_bot_token: a secret stands only in .env"),
        ("region = us-east1", "A text stands without quotes (terraform.tfvars, line 3): write it like"),
    ],
)
async def test_what_would_not_be_read_as_it_was_meant_is_an_error(run_preflight, given, wrong, told):
    given(wrong)
    code, checks = await run_preflight()
    assert code == 1
    [said] = checks["variables"]
    assert said.startswith(f"error: {told}")
    assert "123456:x" not in said


async def test_names_that_maps_and_sizes_may_have_are_read(run_preflight, given):
    given('labels = { team = "x" }', "functions = { webhook = { max_instances = 3 } }", "backups = { daily_days = 3 }")
    code, checks = await run_preflight()
    assert (code, checks["variables"]) == (
        0,
        ["ok: They are whole: my-project, europe-west1, names begin with spomyn."],
    )


async def test_variables_come_from_the_environment_and_from_files_as_for_terraform_itself(checkout, monkeypatch):
    monkeypatch.setenv("TF_VAR_project_id", "another-project")
    monkeypatch.setenv("TF_VAR_region", "us-central1")
    (checkout / "terraform" / "own.auto.tfvars").write_text('project_id = "my-project"\n')
    read = await Terraform(terraform_environment(SECRETS)).variables()
    assert (read.problems, read.unread) == ((), ())
    assert [read.values[name] for name in ("project_id", "region", "prefix")] == ["my-project", "us-central1", "spomyn"]
    assert read.values["telegram_bot_token"] is None  # ephemeral: no plan holds it


SECRETS = {"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_WEBHOOK_SECRET": "s-1", "GEMINI_API_KEY": "a-key"}


async def test_an_old_terraform_is_refused_before_it_is_used(run_preflight, gcloud, tmp_path):
    old = tmp_path / "bin" / "terraform"
    old.write_text("""#!/bin/sh\necho '{"terraform_version": "1.9.8"}'\n""")
    old.chmod(0o755)
    code, told = await run_preflight()
    assert code == 1
    assert "Terraform is of version 1.9.8: older than 1.11" in told["terraform"][0]


async def test_a_terraform_that_does_not_run_is_an_error_and_no_trace(run_preflight, checkout, tmp_path, capsys):
    broken = tmp_path / "bin" / "terraform"
    broken.write_text(
        """#!/bin/sh\ncase $2 in version) echo '{"terraform_version": "1.12.0"}';; *) echo no >&2; exit 1; esac\n"""
    )
    broken.chmod(0o755)
    code, told = await run_preflight()
    assert (code, told["variables"]) == (1, ["error: Terraform fails: no"])
    assert await asyncio.to_thread(main, ["logs"]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_validations_that_ask_for_more_can_be_told_by_their_form():
    """Those are cut out of the variables' files: they are written as `terraform fmt` writes."""
    declared = "\n".join(file.read_text("utf-8") for file in (ROOT / "terraform").glob("variables*.tf"))
    assert declared.count("validation {") > 10
    assert "validation {" not in without_validations(declared, ("",))
    assert "condition" not in without_validations(declared, ("",))
