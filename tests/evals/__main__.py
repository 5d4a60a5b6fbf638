"""`python -m tests.evals SUITE --cases FILE [--json] [--failures]`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tests.evals.extraction import Report, evaluate_extraction, evaluate_injection, evaluate_model_output

SUITES = {"extraction": evaluate_extraction, "injection": evaluate_injection, "model_output": evaluate_model_output}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evals", description="Measure the memory on cases.")
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("--cases", type=Path, required=True, help="JSON lines, one case a line")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--failures", action="store_true", help="list each miss with its text")
    options = parser.parse_args()
    lines = options.cases.read_text(encoding="utf-8").splitlines()
    report = SUITES[options.suite]([json.loads(line) for line in lines if line.strip()])
    show(report, as_json=options.json, failures=options.failures)


def show(report: Report, *, as_json: bool, failures: bool) -> None:
    if as_json:
        shown = {**report.metrics, "failures": report.failures} if failures else report.metrics
        print(json.dumps(shown, ensure_ascii=False, sort_keys=False))
        return
    _table(report.metrics)
    if failures:
        print("\n".join(report.failures) or "no failures")


def _table(metrics: dict[str, Any], indent: str = "") -> None:
    for name, value in metrics.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            _table(value, indent + "  ")
        else:
            print(f"{indent}{name:<24}{value}")


if __name__ == "__main__":
    main()
