"""`python -m tests.house [--list NAME] [--tighten]`: print the code's figures; fail where a bound is broken."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.house.bounds import BOUNDS, Bound, read_bounds, tighten
from tests.house.figures import FIGURES
from tests.house.sources import House


def main(argv: Sequence[str] | None = None, *, root: Path | None = None, bounds: Path = BOUNDS) -> int:
    """Return 0 when each figure keeps its bound, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.house", description="Figures of the code, and their bounds.")
    parser.add_argument("--list", choices=FIGURES, metavar="NAME", help=f"what was counted: {', '.join(FIGURES)}")
    parser.add_argument("--tighten", action="store_true", help="write figures that got better into the bounds")
    options = parser.parse_args(argv)
    house = House(root or Path(__file__).resolve().parents[2])
    if options.list:
        sys.stdout.writelines(f"{offender}\n" for offender in FIGURES[options.list][1](house).offenders)
        return 0
    return _judge({name: find(house).value for name, (_, find) in FIGURES.items()}, bounds, write=options.tighten)


def _judge(values: Mapping[str, int], file: Path, *, write: bool) -> int:
    bounds = read_bounds(file)
    for name, value in values.items():
        print(_row(name, value, bounds[name]))
    better = {name: limit for name, n in values.items() if (limit := bounds[name].tightened(n)) != bounds[name].limit}
    if better and write:
        tighten(better, file)
        print(f"Tightened: {', '.join(better)}.")
    elif better:
        print(f"Better than their bounds: {', '.join(better)}. Tighten them: python -m tests.house --tighten")
    broken = [name for name, value in values.items() if bounds[name].is_broken_by(value)]
    for name in broken:
        print(f"{name} is worse than its bound. See where: python -m tests.house --list {name}", file=sys.stderr)
    return 1 if broken else 0


def _row(name: str, value: int, bound: Bound) -> str:
    limit = f"at {'least' if bound.is_floor else 'most'} {bound.limit}"
    goal = "" if bound.goal is None or bound.goal == bound.limit else f", goal {bound.goal}"
    return f"{value:>6}  {FIGURES[name][0]:<45} {name:<20} {limit}{goal}"


if __name__ == "__main__":
    sys.exit(main())
