"""The command group; a command's module is imported when the command is asked for."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence
from typing import Any

import click

COMMANDS: dict[str, str] = {
    "backfill": "archive.backfill",
    "dead-letters": "dead_letters",
    "facts": "memory.facts",
    "regenerate": "memory.regenerate",
    "stats": "memory.stats",
    "doctor": "checks.doctor",
    "consolidate": "memory.consolidate",
    "context": "memory.context",
    "export": "archive.export",
    "forget": "memory.forget",
    "forget-again": "memory.forget_again",
    "import": "archive.import_",
    "logs": "logs",
    "menu": "menu",
    "night": "memory.night",
    "preflight": "checks.preflight",
    "restore": "archive.restore",
    "webhook": "webhook",
}
"""Names of commands, and the modules of this package that define them under the attribute `command`."""

_HELP = """\
Look after a Spomyn: its memory, its archive, its health.

Settings come from the environment and .env, as for `make run`; both stores are served. Every command has --json and
an example in its --help.

\b
Exit codes:
  0  done
  1  something could not be done; the message says what
  2  the command line or a setting is wrong
  3  a service did not answer: try again later
"""


class _Lazy(click.Group):
    """A group whose commands are imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = importlib.import_module(f"infra.cli.{module}").command
        return command


root = _Lazy("spomyn", help=_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})


def main(argv: Sequence[str], **more: Any) -> int:
    """Run one command; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        root.main(list(argv), prog_name="python -m infra.cli", **more)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0
