"""A bundle holds what its function can come to, and nothing that it cannot."""

import ast
import re
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from infra.bundle.making import FUNCTIONS, NEVER_REACHED
from infra.bundle.requirements import NOT_IMPORTED
from infra.bundle.sources import DATA, read_modules
from tests.support.servers.deployment import ROOT, made_bundles
from tests.support.servers.reach import Place, Reach

each_function = pytest.mark.parametrize("function", FUNCTIONS)


def bundles():
    return {bundle.function: bundle for bundle in made_bundles()}


@cache
def imports_in(content):
    """Every import of a file: the dotted name, and whether it stands in a function."""
    return tuple(_imports_below(ast.parse(content), in_function=False))


def _imports_below(node, *, in_function):
    in_function = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    if isinstance(node, ast.Import):
        yield from ((alias.name, in_function) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from ((f"{node.module}.{alias.name}", in_function) for alias in node.names)
    elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        for below in node.orelse:
            yield from _imports_below(below, in_function=in_function)
    elif not isinstance(node, ast.expr):
        for below in ast.iter_child_nodes(node):
            yield from _imports_below(below, in_function=in_function)


def found_among(name, files):
    """Whether an imported name is a module in `files`, or in one."""
    parts = name.split(".")
    return any(
        f"{'/'.join(parts[:depth])}{end}" in files
        for depth in range(len(parts), max(0, len(parts) - 2), -1)
        for end in (".py", "/__init__.py")
    )


@cache
def files_of(name):
    return frozenset(file for file in map(str, metadata.distribution(name).files) if file.endswith(".py"))


def installed_files(bundle):
    return {file for pin in bundle.requirements for file in files_of(pin.name)}


def all_imports(bundle):
    python = {path: content for path, content in bundle.files.items() if path.endswith(".py")}
    return [(path, *found) for path, content in python.items() for found in imports_in(content)]


def package_of(path):
    return next(folder for folder in path.parents if (folder / "__init__.py").exists())


@each_function
def test_a_bundle_holds_the_data_beside_each_module_that_reads_data(function):
    files = bundles()[function].files
    readers = [path for path, content in files.items() if path.endswith(".py") and b"files(__package__" in content]
    readers += [path for path, content in files.items() if b"(__package__, " in content]
    folders = {str(Path(reader).parent) for reader in readers}
    below = (path for each in folders for path in (ROOT / each).rglob("*.toml"))
    wanted = {
        path.relative_to(ROOT).as_posix() for path in below if package_of(path).relative_to(ROOT).as_posix() in folders
    }
    assert folders
    assert wanted <= set(files)


@each_function
def test_every_import_is_in_the_bundle_the_standard_library_or_the_requirements(function):
    bundle = bundles()[function]
    files = installed_files(bundle) | set(bundle.files)
    missing = set()
    for path, name, in_function in all_imports(bundle):
        top = name.partition(".")[0]
        allowed = top in NEVER_REACHED[function] and in_function
        if not (top in sys.stdlib_module_names or allowed or found_among(name, files)):
            missing.add((path, name))
    assert missing == set()


@each_function
def test_every_requirement_is_imported_or_needed_by_one_that_is(function):
    bundle = bundles()[function]
    names = {name for _, name, _ in all_imports(bundle)}
    used = {NOT_IMPORTED[name.partition(".")[0]] for name in names if name.partition(".")[0] in NOT_IMPORTED}
    for pin in bundle.requirements:
        used |= {pin.name for name in names if found_among(name, files_of(pin.name))}
    grown: set[str] = set()
    while used != grown:
        grown = set(used)
        lines = (line for name in grown for line in metadata.distribution(name).requires or ())
        used |= {canonicalize_name(Requirement(line).name) for line in lines} & {p.name for p in bundle.requirements}
    assert {pin.name for pin in bundle.requirements} - used == set()


def test_an_import_graph_made_by_another_tool_finds_no_module_that_is_left_out():
    graph = grimp.build_graph("functions", "shared", "infra", exclude_type_checking_imports=True, cache_dir=None)
    for function in FUNCTIONS:
        upstream = graph.find_upstream_modules(f"functions.{function}.main")
        assert upstream <= bundles()[function].modules


def test_nothing_that_is_deployed_imports_modules_by_name():
    """Or a module that is only named in a text would be missed."""
    loads = {
        path
        for bundle in bundles().values()
        for path, content in bundle.files.items()
        if re.search(rb"\bimportlib\.import_module\b|\bimport_module\(|__import__\(", content)
    }
    assert loads == set()


def test_what_is_left_out_is_reached_by_no_call():
    """The adapters of the archive and of charts are made everywhere, and load their libraries when they are used."""
    paths = {name: module.path for name, module in read_modules(ROOT).items()}
    entries = {f"functions.{name}.main": ROOT / "functions" / name / "main.py" for name in FUNCTIONS}
    reach = Reach(paths | entries)
    for function in FUNCTIONS:
        places = reach.places(f"functions.{function}.main")
        root = ("infra.intake", "webhook_runtime") if function == "webhook" else ("infra.bootstrap", "build_app")
        assert Place(*root) in places
        used = {
            field
            for field in ("archive", "charts")
            for place in places
            if place.module.startswith("shared.application") and reach.uses(place, field)
        }
        assert used == ({"archive", "charts"} if function == "maintenance" else set())


def test_no_bundle_holds_what_is_only_for_operators_and_this_machine():
    for bundle in bundles().values():
        folders = {"/".join(path.split("/")[:2]) for path in bundle.files}
        assert folders & {"infra/cli", "infra/local", "infra/bundle", "infra/telegram/export"} == set()


def test_the_webhook_has_nothing_that_answers():
    """No model, no way into the chats, nothing that makes or sends an answer: it cannot come to wait for one."""
    bundle = bundles()["webhook"]
    answering = (
        *("infra.gemini", "infra.offline", "infra.telegram.gateway", "infra.telegram.sdk", "infra.bootstrap"),
        *("shared.application.answering", "shared.application.commands", "shared.application.recall"),
        *("shared.application.delivery.sending", "shared.application.delivery.ledger", "shared.application.reading"),
        *("shared.application.intake.answering", "shared.application.intake.responding", "shared.prompts"),
        "shared.application.intake.gestures",
    )
    assert [
        name for name in bundle.modules if any(name == each or name.startswith(f"{each}.") for each in answering)
    ] == []
    packages = {pin.name for pin in bundle.requirements}
    assert (
        packages & {"python-telegram-bot", "google-genai", "httpx", "pydantic", "simpleeval", "boto3", "numpy"} == set()
    )


def test_each_function_has_less_than_the_lock():
    packages = {function: {pin.name for pin in bundle.requirements} for function, bundle in bundles().items()}
    for function in ("webhook", "answer", "extract"):
        assert packages[function] & {"matplotlib", "pillow", "boto3", "botocore"} == set()
    assert {"matplotlib", "boto3"} <= packages["maintenance"]
    assert "simpleeval" in packages["answer"] - packages["extract"] - packages["webhook"]


def test_all_data_of_the_packages_is_of_a_kind_that_is_deployed():
    files = [path for package in ("shared", "infra") for path in (ROOT / package).rglob("*") if path.is_file()]
    strange = [path for path in files if path.suffix not in (".py", ".pyc", *DATA)]
    assert strange == []
    prompts = {path.name for path in (ROOT / "shared/prompts").glob("*.md")}
    assert {Path(path).name for path in bundles()["extract"].files if path.startswith("shared/prompts/")} >= prompts
