"""The options of `python -m tests.evals desk GROUP`: to measure, to have readers answer, to play what they said."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.evals.desk import RETENTIONS, evaluate_desk
from tests.evals.desk_session import (
    ask_at_desk,
    collect,
    keep_figures,
    learn_at_desk,
    replay_transcripts,
    worse_than_kept,
)
from tests.evals.extraction import Report

_OPTIONS = ("kept", "desk", "questions", "retention", "collect", "replay")


def add_desk_options(parser: argparse.ArgumentParser) -> None:
    """Let a command line have the options of suite desk."""
    of_desk = parser.add_argument_group("suite desk (tests/data/desk/README.md)")
    of_desk.add_argument(
        "--kept", type=Path, metavar="FILE", help="SQLite file of the talk, as played; --desk writes it"
    )
    of_desk.add_argument("--desk", type=Path, metavar="DIR", help="play the talk into --kept, readers answering in DIR")
    of_desk.add_argument(
        "--questions", type=Path, metavar="DIR", help="put the questions to --kept, readers answering in DIR"
    )
    of_desk.add_argument("--retention", choices=list(RETENTIONS), help="how long messages are kept (default: all)")
    of_desk.add_argument(
        "--collect",
        type=Path,
        metavar="DIR",
        help="keep what was answered in DIR, and in --questions DIR, as transcripts",
    )
    of_desk.add_argument(
        "--replay",
        choices=["show", "keep", "hold"],
        help="play the transcripts; show their figures, keep them as bounds, or hold them to those that were kept",
    )


def names_desk_option(options: argparse.Namespace) -> bool:
    """Return whether one of them is given."""
    return any(getattr(options, name) for name in _OPTIONS)


def run_desk(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Report:
    """Do what the options say.

    Raises:
        NoGroup: There is no such group or file.
    """
    group, retention = options.group, options.retention or "all"
    if options.replay:
        return _replay(group, options.replay)
    if options.collect:
        return Report({"group": group, "kept": collect(group, options.collect, options.questions)})
    if not options.desk and not options.questions:
        return evaluate_desk(group, options.kept)
    if not options.kept:
        parser.error("--desk and --questions need --kept FILE")
    asked = None
    if options.desk:
        asked = learn_at_desk(group, options.desk, options.kept, retention=retention)
    if options.questions:
        asked = ask_at_desk(group, options.questions, options.kept, retention=retention)
    return Report({"group": group, "retention": retention, "done": asked})


def _replay(group: str, what: str) -> Report:
    report = replay_transcripts(group)
    if what == "keep":
        keep_figures(group, report)
    if what == "hold" and (worse := worse_than_kept(group, report)):
        raise SystemExit("\n".join(worse))
    return report
