"""`logs`: what the functions wrote to Cloud Logging, a line each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import click
from dotenv import dotenv_values
from rich.console import Console

from infra.bootstrap import environment
from infra.cli import frame
from infra.cli.checks.preflight_google import FUNCTIONS, Target
from infra.cli.frame import Failed, Session
from infra.cli.gcloud import GcloudRefused, ask
from infra.cli.terraform import Terraform, terraform_environment
from shared.domain.text.plain import one_line

_ELSEWHERE = frozenset(("message", "logger", "severity", "time"))
"""Fields of a line that are shown otherwise, or not."""

_SHOWN = 400
_SEVERITIES = ("DEFAULT", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def _check_time(_: click.Context, __: click.Parameter, since: str) -> str:
    """Return the value if gcloud takes it as `--freshness`.

    Raises:
        BadParameter: It is no time of that form.
    """
    if not re.fullmatch(r"[1-9][0-9]{0,5}[smhd]", since):
        raise click.BadParameter(f"{since!r} is no time: write it like 30m, 6h or 2d.")
    return since


@frame.command(
    "logs",
    example="""\
python -m infra.cli logs --since 2h
python -m infra.cli logs webhook --severity WARNING""",
)
@click.argument("function", required=False, type=click.Choice(FUNCTIONS))
@click.option(
    "--since",
    default="1h",
    show_default=True,
    metavar="TIME",
    callback=_check_time,
    help="How far back, like 30m, 6h or 2d.",
)
@click.option(
    "--severity", type=click.Choice(_SEVERITIES, case_sensitive=False), default="DEFAULT", help="This and worse."
)
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=1_000, show_default=True, help="Lines at most, the newest."
)
async def command(session: Session, *, function: str | None, since: str, severity: str, limit: int) -> None:
    """Show what the functions logged, the oldest first: all of them, or FUNCTION.

    Run it in the checkout: project, region and names are Terraform's variables. It asks gcloud, logged in as you are.
    """
    values = (await Terraform(terraform_environment(environment(dotenv_values(".env")))).variables()).values
    if not values.get("project_id"):
        raise Failed("Terraform's variables name no project: put project_id into terraform/terraform.tfvars.")
    where = log_filter(Target.of(values), [function] if function else FUNCTIONS, severity)
    project = f"--project={values['project_id']}"
    try:
        entries = await ask("logging", "read", where, project, f"--freshness={since}", f"--limit={limit}")
    except GcloudRefused as error:
        remedy = "Run `gcloud auth login`." if error.logged_out else "Ask for the role Logs Viewer."
        raise Failed(f"The logs cannot be read: {error} {remedy}") from error
    lines = list(reversed(entries))

    def tell(console: Console) -> None:
        for entry in lines:
            console.print(line_of(entry), soft_wrap=True)
        if not lines:
            console.print(f"Nothing was logged within {since}.")
        if len(lines) == limit:
            session.progress.print(f"Only the newest {limit} lines: ask for more with --limit, or for less time.")

    session.show(lines, tell)


def log_filter(target: Target, functions: Sequence[str], severity: str) -> str:
    """Return the filter for Cloud Logging: a function's log is that of the Cloud Run service behind it."""
    names = " OR ".join(f'"{target.prefix}-{each}"' for each in functions)
    return (
        f'resource.type="cloud_run_revision" AND resource.labels.service_name=({names}) AND '
        f'resource.labels.location="{target.region}" AND severity>={severity}'
    )


def line_of(entry: Mapping[str, Any]) -> str:
    """Time (UTC), severity, function, message and fields of one entry, on one line."""
    logged = entry.get("jsonPayload", {})
    function = entry.get("resource", {}).get("labels", {}).get("service_name", "")
    fields = " ".join(f"{name}={value}" for name, value in logged.items() if name not in _ELSEWHERE)
    said = logged.get("message") or entry.get("textPayload") or _request(entry.get("httpRequest", {}))
    time = str(entry.get("timestamp", ""))[:19].replace("T", " ")
    return one_line(f"{time} {entry.get('severity', 'DEFAULT')} {function} {said} {fields}", _SHOWN)


def _request(request: Mapping[str, Any]) -> str:
    """Cloud Run's own line about a request."""
    wanted = ("requestMethod", "status", "latency")
    return " ".join(str(request[name]) for name in wanted if name in request)
