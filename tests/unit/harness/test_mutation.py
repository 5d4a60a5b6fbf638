"""`make mutate`: changes that are wrong code of the same shape, and verdicts that tell whether a test noticed."""

import ast
import os
import subprocess
import sys
from dataclasses import replace

import coverage
import pytest

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.reach import ROOT, WRITTEN_TO, Reach, read_reach
from tests.mutation.running import Copy

SOURCE = '''"""A module."""


async def judged(ids: list[int], seen: set[int], *, limit: int = 3) -> int:
    """How many are new."""
    log.info("asked for %d", min(ids))
    if not ids and len(seen) < limit + 3:
        raise ValueError(f"{limit + 1} is too few")
    await store.delete(ids, key=seen)
    return max(ids, seen) + replace(limit, seen) + len(list(zip(ids, seen, strict=True)))
'''


def changes():
    return {(mutant.kind, mutant.before, mutant.after) for mutant in mutants("a.py", SOURCE)}


def test_operators_statements_awaits_and_arguments_are_changed():
    assert {
        ("not dropped", "not ids", "ids"),
        ("and/or swapped", "not ids and len(seen) < limit + 3", "not ids or len(seen) < limit + 3"),
        ("comparison flipped", "len(seen) < limit + 3", "len(seen) <= limit + 3"),
        ("condition negated", "not ids and len(seen) < limit + 3", "not (not ids and len(seen) < limit + 3)"),
        ("await dropped", "await store.delete(ids, key=seen)", ""),
        ("argument dropped", "store.delete(ids, key=seen)", "store.delete(ids)"),
        ("arguments swapped", "replace(limit, seen)", "replace(seen, limit)"),
        ("function swapped", "max(ids, seen)", "min(ids, seen)"),
        ("constant raised by one", "3", "4"),
        ("operator flipped", "max(ids, seen) + replace(limit, seen)", "max(ids, seen) - replace(limit, seen)"),
    } <= changes()


def test_what_nobody_could_notice_is_left_alone():
    befores = {before for _, before, _ in changes()}
    assert not any(before.startswith("log.") for before in befores)
    assert befores.isdisjoint({"limit + 1", "'asked for %d'", "min(ids)"})
    assert ("arguments swapped", "max(ids, seen)", "max(seen, ids)") not in changes()  # it is the same one
    assert not [each for each in changes() if each[1] == "True" or each[2] == "zip(ids, seen)"]  # an assertion


def test_every_mutant_of_the_product_is_a_module_that_differs():
    for path in sorted((ROOT / "shared/application/forgetting").rglob("*.py"))[::3]:
        source = path.read_text()
        for mutant in mutants(path.name, source):
            assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(source))


MODULE, SEEING = "shared/domain/text/names.py", "tests/unit/domain/text/test_names.py"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("mutation"), {})


@pytest.fixture(scope="module")
def reach(tmp_path_factory: pytest.TempPathFactory) -> Reach:
    """Recorded from the tests of one module, as a whole run is."""
    folder = tmp_path_factory.mktemp("reach")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation.reach", SEEING]
    subprocess.run(command, cwd=ROOT, env=os.environ | {WRITTEN_TO: str(folder)}, check=True, capture_output=True)
    return read_reach(folder)


def returned(path: str) -> Mutant:
    return next(each for each in mutants(path, (ROOT / path).read_text()) if each.kind == "result dropped")


def test_a_test_that_executes_the_line_and_looks_kills_the_mutant(checkout, reach):
    mutant = returned(MODULE)
    assert all(test.startswith(SEEING) for test in reach.tests_of(MODULE, mutant.line, mutant.last_line))
    assert checkout.judge(mutant, reach).outcome == "failed"
    assert (checkout.folder / MODULE).read_text() == (ROOT / MODULE).read_text()


def test_a_line_that_runs_while_its_module_is_imported_belongs_to_all_tests_of_the_module():
    data = coverage.CoverageData(no_disk=True)
    for context, lines in (("", [1, 2]), ("one", [2, 5]), ("other", [6])):
        data.set_context(context)
        data.add_lines({str(ROOT / "module.py"): lines})
    reach = Reach(data, {"one": 1.0, "other": 0.5})
    assert reach.tests_of("module.py", 1, 1) == ["other", "one"]
    assert reach.tests_of("module.py", 1, 2) == ["one"]
    assert reach.tests_of("module.py", 7, 7) == []


def test_a_mutant_that_no_executing_test_notices_survives(checkout, reach):
    mutant = replace(returned(MODULE), source=(ROOT / MODULE).read_text())
    assert checkout.judge(mutant, reach).outcome == "survived"


def test_a_line_that_no_test_executes_is_named_so(checkout, reach):
    verdict = checkout.judge(returned("shared/domain/chats/hours.py"), reach)
    assert (verdict.outcome, verdict.killed) == ("no test reaches it", False)
