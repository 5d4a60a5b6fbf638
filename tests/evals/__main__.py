"""`python -m tests.evals SUITE [--cases FILE ...] [--json] [--failures]`; `all` runs every suite."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.evals.dedup import evaluate_dedup
from tests.evals.extraction import Report, evaluate_extraction, evaluate_injection, evaluate_model_output

SUITES = {
    "dedup": evaluate_dedup,
    "extraction": evaluate_extraction,
    "injection": evaluate_injection,
    "model_output": evaluate_model_output,
}
OWN_CASES = Path(__file__).parent / "cases"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description="Measure the memory on cases.")
    parser.add_argument("suite", choices=[*SUITES, "all"], help="what to measure; all: every suite on its own cases")
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
    if options.suite == "all" and options.cases:
        parser.error("all runs the project's own cases; name one suite to measure other files")
    if options.suite == "all":
        show_all(as_json=options.json, failures=options.failures)
    else:
        show(measured(options.suite, options.cases), as_json=options.json, failures=options.failures)


def measured(suite: str, files: Sequence[Path] | None = None) -> Report:
    """One suite over files, by default over the project's own."""
    lines = [line for file in files or own_cases(suite) for line in file.read_text(encoding="utf-8").splitlines()]
    return SUITES[suite]([json.loads(line) for line in lines if line.strip()])


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
