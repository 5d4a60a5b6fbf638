"""`python -m tests.mutation [SUBJECT ...]`: change the code in small wrong ways and see whether the tests notice."""

from __future__ import annotations

import argparse
import os
import random  # noqa: TID251 - the seed is an argument
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.reach import ROOT, WRITTEN_TO, Reach, read_reach
from tests.mutation.running import Copy, Verdict
from tests.support.google.emulator import EmulatorMissing, running_emulator

RECORDED = ROOT / "build/mutation"
_EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    subjects = tomllib.loads(Path(__file__).with_name("subjects.toml").read_text())
    parser.add_argument(
        "subject", nargs="*", default=["shared"], help=f"files, folders, or one of {', '.join(subjects)}"
    )
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn")
    parser.add_argument("--mutants", type=int, default=50, metavar="N", help="how many")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many live at once")
    parser.add_argument("--record", action="store_true", help="run all tests first: which lines does each execute")
    parser.add_argument(
        "--at-least", type=float, default=0.0, metavar="SHARE", help="exit with 1 when fewer are killed"
    )
    parser.add_argument("--tests", default="", metavar="ARGS", help="pytest's arguments: record only these tests")
    options = parser.parse_args()
    if options.record or options.tests or not RECORDED.exists():
        _record(shlex.split(options.tests))
    reach = read_reach(RECORDED)
    drawn = draw(_paths([path for each in options.subject for path in subjects.get(each, [each])]), options)
    verdicts = _judged(drawn, reach, options.jobs)
    sys.exit(_told(verdicts, options.at_least))


def draw(paths: Sequence[Path], options: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that the seed chooses among all of the files."""
    every = [made for path in paths for made in mutants(str(path.relative_to(ROOT)), path.read_text())]
    return random.Random(options.seed).sample(every, min(options.mutants, len(every)))


def _paths(named: Sequence[str]) -> list[Path]:
    found = [
        path for name in named for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    ]
    return sorted(path for path in found if path.name != "__init__.py" or path.read_text().count("def "))


def _record(tests: Sequence[str]) -> None:
    RECORDED.mkdir(parents=True, exist_ok=True)
    for old in RECORDED.glob("lines*"):
        old.unlink()
    print("Running the tests once, to learn which lines each executes. All of them take a while.", flush=True)
    environment = os.environ | {WRITTEN_TO: str(RECORDED)}
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.reach", "-n", "2", *tests]
    subprocess.run(command, cwd=ROOT, env=environment, check=False)


def _judged(drawn: Sequence[Mutant], reach: Reach, jobs: int) -> list[Verdict]:
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mutation-")))
        try:
            environment = {"FIRESTORE_EMULATOR_HOST": stack.enter_context(running_emulator())}
        except EmulatorMissing:
            environment = {}
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(folder / str(number), environment))

        def judge(mutant: Mutant) -> Verdict:
            copy = copies.get()
            try:
                return copy.judge(mutant, reach)
            finally:
                copies.put(copy)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        for done in as_completed([pool.submit(judge, mutant) for mutant in drawn]):
            verdicts.append(done.result())
            print(f"{len(verdicts):4}/{len(drawn)} {verdicts[-1].outcome}: {verdicts[-1].mutant}", flush=True)
    return verdicts


def _told(verdicts: Sequence[Verdict], at_least: float) -> int:
    known = {tuple(each[key] for key in ("path", "before", "after")): each["why"] for each in _equivalents()}
    named = {v: known.get((v.mutant.path, v.mutant.before, v.mutant.after)) for v in verdicts if not v.killed}
    survived = [verdict for verdict, why in named.items() if why is None]
    real = len(verdicts) - len(named) + len(survived)
    share = (real - len(survived)) / real if real else 1.0
    print(f"\n{real - len(survived)} of {real} killed ({share:.0%})")
    for verdict, why in named.items():
        print(
            f"  equivalent ({why}): {verdict.mutant}"
            if why
            else f"  {verdict.outcome}, {verdict.tests} tests: {verdict.mutant}"
        )
    return int(share < at_least)


def _equivalents() -> list[dict[str, str]]:
    listed: list[dict[str, str]] = tomllib.loads(_EQUIVALENT.read_text()).get("equivalent", [])
    return listed


if __name__ == "__main__":
    main()
