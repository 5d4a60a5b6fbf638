"""`doctor`: looks at every part of a Spomyn and says what is wrong with it and what to do."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence

import click
from dotenv import dotenv_values
from rich.console import Console
from rich.table import Table
from rich.text import Text

from infra.bootstrap import environment
from infra.cli.checks.diagnosis import (
    Check,
    Environment,
    Look,
    ShownSetting,
    judge_settings,
    look_at_archive,
    look_at_dead_letters,
    look_at_queue,
    look_at_store,
    look_at_zones,
    run_checks,
    settings_checks,
)
from infra.cli.checks.diagnosis_services import (
    look_at_clock,
    look_at_disk,
    look_at_indexes,
    look_at_models,
    look_at_telegram,
)
from infra.cli.frame import FAILED, INTERRUPTED, WRONG, open_app, plain_console
from infra.observability import configure_logging
from shared.domain.errors import SettingsError
from shared.settings import Settings

LOOKS: Mapping[str, Look] = {
    "store": look_at_store,
    "indexes": look_at_indexes,
    "queue": look_at_queue,
    "dead letters": look_at_dead_letters,
    "telegram": look_at_telegram,
    "models": look_at_models,
    "archive": look_at_archive,
    "clock": look_at_clock,
    "time zones": look_at_zones,
    "disk": look_at_disk,
}
"""The parts that are looked at, in this order."""

_COLOURS = {"ok": "green", "unchecked": "dim", "warning": "yellow", "error": "bold red"}
_EXAMPLE = "\b\nExample:\n  python -m infra.cli doctor --webhook-url https://webhook-abc.a.run.app"


@click.command("doctor", epilog=_EXAMPLE)
@click.option("--webhook-url", metavar="ADDRESS", help="Where the webhook function is: it is given our secret to try.")
@click.option("--settings", "all_settings", is_flag=True, help="Show all settings, not only those that were chosen.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def command(*, webhook_url: str | None, all_settings: bool, as_json: bool) -> None:
    """Check settings, store, indexes, queue, Telegram, models, archive, clock, time zones and disk.

    Every check is made even when one fails, and nothing is changed: a probe that is written is deleted again. Exit
    code 0 when all is well or only warned of, 1 with errors, 2 when settings are wrong.
    """
    try:
        sys.exit(asyncio.run(_run(webhook_url, all_settings=all_settings, as_json=as_json)))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


async def _run(webhook_url: str | None, *, all_settings: bool, as_json: bool) -> int:
    env = environment(dotenv_values(".env"))
    configure_logging("ERROR")
    shown = judge_settings(env)
    try:
        settings = Settings.from_env(env)
    except SettingsError as error:
        checks, code = [*settings_checks(shown, error), *_checks_without_settings()], WRONG
    else:
        checks, code = await _run_all_checks(settings, settings_checks(shown, settings), webhook_url)
    if as_json:
        click.echo(json.dumps(_result(shown, checks), ensure_ascii=False, indent=2))
    else:
        _tell(plain_console(), [each for each in shown if all_settings or each.chosen or each.problem], checks)
    return code


async def _run_all_checks(
    settings: Settings, checks: Sequence[Check], webhook_url: str | None
) -> tuple[list[Check], int]:
    """All checks, those of the settings first, and the exit code."""
    try:
        async with open_app(settings) as app:
            found = [*checks, *await run_checks(Environment(app, settings, webhook_url), LOOKS)]
    except SettingsError as error:
        return [*checks, Check("settings", "error", str(error), "Correct it."), *_checks_without_settings()], WRONG
    return found, FAILED if any(check.severity == "error" for check in found) else 0


def _checks_without_settings() -> list[Check]:
    """Report settings that cannot be read, and nothing else: Spomyn itself does not start with them."""
    return [Check(part, "unchecked", "The settings are wrong.") for part in LOOKS]


def _result(shown: Sequence[ShownSetting], checks: Sequence[Check]) -> dict[str, object]:
    return {
        "errors": sum(check.severity == "error" for check in checks),
        "warnings": sum(check.severity == "warning" for check in checks),
        "checks": [check._asdict() for check in checks],
        "settings": [each._asdict() for each in shown],
    }


def _tell(console: Console, shown: Sequence[ShownSetting], checks: Sequence[Check]) -> None:
    settings = Table("setting", "value", box=None)
    for each in shown:
        settings.add_row(each.name, Text(each.problem or each.value, "bold red" if each.problem else ""))
    table = Table("part", "", "what it means", "what to do", box=None)
    for check in checks:
        table.add_row(check.part, Text(check.severity, _COLOURS[check.severity]), check.text, check.remedy)
    if shown:
        console.print(settings, "")
    console.print(table)
    errors = sum(check.severity == "error" for check in checks)
    warnings = sum(check.severity == "warning" for check in checks)
    console.print(f"\n{errors} errors, {warnings} warnings.")
