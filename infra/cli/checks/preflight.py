"""`preflight`: says before anything is made what would keep a deployment from working, all of it at once."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from dotenv import dotenv_values
from rich.console import Console
from rich.text import Text

from infra.bootstrap import environment
from infra.cli import gcloud
from infra.cli.checks.diagnosis import Check
from infra.cli.checks.preflight_bot import deployed_settings, look_at_bot, look_at_bundles, look_at_key
from infra.cli.checks.preflight_google import (
    Target,
    look_at_billing,
    look_at_credentials,
    look_at_names,
    look_at_project,
    look_at_state,
    look_at_terraform,
)
from infra.cli.frame import FAILED, INTERRUPTED, plain_console
from infra.cli.terraform import FOLDER, SECRETS, Terraform, Variables, terraform_environment
from infra.observability import configure_logging
from infra.system import SystemClock
from shared.domain.errors import SettingsError

PATIENCE = 300.0
"""Seconds that one look may take: the first `terraform init` downloads its provider, some hundred megabytes."""

_COLOURS = {"ok": "green", "unchecked": "dim", "warning": "yellow", "error": "bold red"}
_EXAMPLE = "\b\nExample:\n  python -m infra.cli preflight\n  python -m infra.cli preflight --force"


@click.command("preflight", epilog=_EXAMPLE)
@click.option("--force", is_flag=True, help="Take the bot's updates from whoever gets them now.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def command(*, force: bool, as_json: bool) -> None:
    """Check tools, variables, project, billing, state, names, token, models and bundles before a deployment.

    Run it in the checkout; it reads terraform/terraform.tfvars, TF_VAR_* and .env. Every check is made even when one
    fails, and nothing is made or changed in the cloud (`terraform init` may run). Exit code 0 when all is well or only
    warned of, 1 with errors.
    """
    try:
        checks = asyncio.run(run_preflight(environment(dotenv_values(".env")), force=force))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    errors, warnings = (sum(check.severity == word for check in checks) for word in ("error", "warning"))
    if as_json:
        found = [check._asdict() for check in checks]
        click.echo(json.dumps({"errors": errors, "warnings": warnings, "checks": found}, ensure_ascii=False, indent=2))
    else:
        _tell(plain_console(), checks, f"{errors} errors, {warnings} warnings.")
    sys.exit(FAILED if errors else 0)


async def run_preflight(env: Mapping[str, str], *, force: bool) -> list[Check]:
    """All checks.

    Args:
        env: The environment and `.env`.
        force: Take the updates from whoever gets them.
    """
    configure_logging("ERROR")
    terraform = Terraform(terraform_environment(env))
    checks, variables = await _variables(terraform)
    found, target = await _project(variables)
    values = variables.values
    wrong, settings = deployed_settings(env, values)
    looks = _google_looks(terraform, target, whole=not (variables.problems or variables.unread))
    if values:  # else nobody knows which bot is meant
        hosts = target.webhook_host if target else ("", "")
        looks.append(look_at_bot(settings, SystemClock(), hosts=hosts, force=force))
        looks.append(look_at_key(settings, SystemClock(), wanted=values.get("gemini", True)))
    looked = await asyncio.gather(*map(_check_patiently, looks))
    bundles = look_at_bundles(Path(), FOLDER / str(values.get("bundles", "../build")))
    return [*_drop_repeated(checks, wrong), *found, *wrong, *(check for each in looked for check in each), *bundles]


def _drop_repeated(checks: Sequence[Check], wrong: Sequence[Check]) -> list[Check]:
    """Terraform's complaints without those of secrets that are complained of as settings."""
    said = tuple(name.lower() for name in SECRETS if any(check.text.startswith(name) for check in wrong))
    return [check for check in checks if not check.text.startswith(said)]


async def _variables(terraform: Terraform) -> tuple[list[Check], Variables]:
    try:
        return await look_at_terraform(terraform)
    except SettingsError as error:
        return [Check("terraform", "error", str(error))], Variables({}, (str(error),))


async def _project(variables: Variables) -> tuple[list[Check], Target | None]:
    """The project, when the variables name one that can be reached."""
    try:
        gcloud.find_gcloud()
        if not variables.values.get("project_id"):
            return [Check("project", "unchecked", "There is no project_id.")], None
        target = Target.of(variables.values)
        checks, number = await look_at_project(target.project)
    except SettingsError as error:
        return [Check("gcloud", "error", str(error))], None
    return checks, target.with_number(number) if number is not None else None


def _google_looks(terraform: Terraform, target: Target | None, *, whole: bool) -> list[Awaitable[list[Check]]]:
    if target is None:
        return []
    names = [look_at_names(terraform, target)] if whole else []
    return [look_at_credentials(), look_at_billing(target.project), look_at_state(target, FOLDER), *names]


async def _check_patiently(look: Awaitable[list[Check]]) -> list[Check]:
    try:
        async with asyncio.timeout(PATIENCE):
            return await look
    except TimeoutError:
        return [Check("network", "error", f"Something did not answer within {PATIENCE:g} s.", "Check the network.")]
    except SettingsError as error:
        return [Check("settings", "error", str(error), "Correct it.")]
    except Exception as error:  # noqa: BLE001 - a bug in one look hides nothing of the others
        return [Check("preflight", "error", f"A look failed by a mistake of ours: {error!r}.", "Report it.")]


def _tell(console: Console, checks: Sequence[Check], last: str) -> None:
    for check in checks:
        line: list[Any] = [Text(f"{check.severity:<9} ", _COLOURS[check.severity]), f"{check.part}: {check.text}"]
        console.print(Text.assemble(*line, f" {check.remedy}" if check.remedy else ""), soft_wrap=True)
    console.print(last)
