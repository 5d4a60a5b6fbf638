"""The command line of a local run."""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from dotenv import dotenv_values

from infra.bootstrap import environment
from infra.local.events import Event
from infra.local.outcome import ReplayOutcome
from infra.local.script import ScriptError, read_script
from infra.local.script.replay import replay
from infra.local.serving import serve
from infra.local.typed import HELP
from infra.local.view import TerminalView, terminal_view
from infra.observability import configure_logging
from infra.system import SystemClock
from shared.domain.errors import SettingsError, SpomynError
from shared.settings import Settings

_DESCRIPTION = """\
Spomyn on this machine: the webhook, answer, extract and maintenance functions on http://127.0.0.1:SPOMYN_PORT, and a
console where you speak for the members of a chat. With TELEGRAM_BOT_TOKEN it polls the bot's real groups instead. With
GEMINI_API_KEY Gemini answers, otherwise the offline model quotes memory. Settings come from the environment and .env.
"""
_EPILOG = f"""\
At the console, or in lines piped in:

{HELP}

In --script and in piped lines time is simulated: a script's clock follows its lines' dates, and before the bot is
asked something the clock goes forward until the chat counts as idle, so that what was said is already learnt, as after
a pause in a real chat (a model of a script reads about forty messages at once); a line whose date has passed by then
comes at once. At the end everything left is
extracted. A script runs in a fresh store, the console (and what is piped in) in SPOMYN_STORE. Files that the bot sends
are saved in the folder "files" beside the store (those of a script only with --keep). With nothing on standard input
the servers run until a signal.

FILE is result.json of a Telegram Desktop export, or JSON lines, each with "name" or "user_id" and one of

  "text": "…"                 a message; also "message_id", "is_admin", "reply_to", "quote", "forwarded", "topic",
                              "private", "via_bot", "sender_chat", "external_reply"; "media" with "caption"
  "edit": ID, "text": "…"     the message says this now
  "press": N                  button N of what was shown last, or of "message_id"
  "react": "👍"               to "message_id"; "" takes it back
  "member": "left"            or "joined", "banned", "administrator", "member"
  "night": true               all jobs of the night run now

and, where wanted, "date", "username", "is_bot" and a "comment".
"""


def main(argv: Sequence[str]) -> int:
    """Run; the exit code: 0, 1 when something failed, 2 when the command line, a setting or the script is wrong."""
    options = _parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        return _run(options, environment(dotenv_values(".env")))
    except (SettingsError, ScriptError) as error:
        return _print_failure(error, 2)
    except SpomynError as error:
        return _print_failure(error, 1)
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m infra.local",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--script", metavar="FILE", type=Path, help="replay a script, print what came of it, and leave")
    parser.add_argument("--json", action="store_true", help="print the outcome of a script or piped lines as JSON")
    parser.add_argument("--keep", metavar="PATH", type=Path, help="with --script: keep its SQLite file here")
    return parser


def _run(options: argparse.Namespace, env: Mapping[str, str]) -> int:
    if options.script is None:
        return _run_console(env, as_json=options.json)
    configure_logging(env.get("LOG_LEVEL") or "ERROR")
    settings = Settings.from_env(env)
    if options.keep is not None and options.keep.exists():
        raise ScriptError(f"{options.keep} exists, and a replay starts from nothing: name a new file.")
    script = read_script(options.script, clock=SystemClock())
    view = terminal_view()
    listener = _ignore if options.json else view.show
    return _show(asyncio.run(replay(settings, script, listener, keep=options.keep)), view, as_json=options.json)


def _run_console(env: Mapping[str, str], *, as_json: bool) -> int:
    # Somebody watches: facts should appear seconds after a pause. In a real group, pauses are longer.
    window, idle = ("5", "30") if env.get("TELEGRAM_BOT_TOKEN") else ("1", "3")
    eager = {"EXTRACTION_WINDOW_SECONDS": window, "EXTRACTION_IDLE_SECONDS": idle, "LOG_LEVEL": "WARNING"}
    eager["READING_WAIT_SECONDS"] = "0"
    settings = Settings.from_env(eager | {name: value for name, value in env.items() if value.strip()})
    configure_logging(settings.log_level)
    view = terminal_view(stderr=as_json)
    outcome = asyncio.run(serve(settings, view))
    return 0 if outcome is None else _show(outcome, view, as_json=as_json)


def _ignore(_: Event) -> None:
    pass


def _show(outcome: ReplayOutcome, view: TerminalView, *, as_json: bool) -> int:
    if as_json:
        sys.stdout.write(json.dumps(outcome.to_json(), ensure_ascii=False, indent=2) + "\n")
    else:
        view.summary(outcome)
    if outcome.unextracted:
        sys.stderr.write(f"{outcome.unextracted} messages could not be extracted; the log above says why.\n")
        return 1
    return 0


def _print_failure(error: Exception, code: int) -> int:
    sys.stderr.write(f"{error}\n")
    return code
