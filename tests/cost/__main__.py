"""`python -m tests.cost [--measure]`: count again, and write the tables and the chart of `docs/cost.md`.

With `--measure` the processor time of each piece is taken from this run too; otherwise it stays as it was measured
last, so that the page changes only when what is counted does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

from tests.cost import chart
from tests.cost.life import Life, live
from tests.cost.page import bills, rendered

ROOT = Path(__file__).resolve().parents[2]
PAGE, CHART = ROOT / "docs/cost.md", ROOT / "docs/cost.svg"
MEASURED = Path(__file__).parent / "measured.json"


def measured() -> dict[str, float]:
    """Processor seconds of one time of each piece, as they were measured last."""
    found: dict[str, float] = json.loads(MEASURED.read_text("utf-8"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.cost", description="Count, and write docs/cost.md.")
    parser.add_argument("--measure", action="store_true", help="take processor times from this run, too")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        life = asyncio.run(live(Path(folder)))
    if options.measure:
        _keep(life)
    cpu = measured()
    PAGE.write_text(rendered(PAGE.read_text("utf-8"), life, cpu), "utf-8")
    chart.draw(bills(life, cpu, free=False), CHART)
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} and {CHART.relative_to(ROOT)} are as counted.\n")


def _keep(life: Life) -> None:
    times = {name: round(piece.cpu_seconds / piece.times, 4) for name, piece in sorted(life.pieces.items())}
    MEASURED.write_text(json.dumps(times, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
