"""What the documents say of where things are, is so: who knows only docs/architecture.md finds them."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HISTORY = {"CHANGELOG.md"}
"""Tells of modules by the names that they had."""

PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if path.name not in HISTORY
}
ARCHITECTURE = PAGES["docs/architecture.md"]
CODE = r"(?:shared|infra|functions|tests)/"
SYMBOLS = re.compile(rf"((?:`\w+`(?:, |\s+and\s+))*`\w+`)\s+in\s+`({CODE}[\w/]+\.py)`")
"""`one` and `other` in `shared/…/module.py`."""

QUESTIONS = (
    "where a rule is learnt",
    "where a message is sent",
    "where a member is forgotten",
    "where the context's budget is set",
)


def section(heading: str) -> str:
    """The text of the page about the architecture below a heading, up to the next one."""
    [text] = re.findall(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", ARCHITECTURE, re.DOTALL | re.MULTILINE)
    return str(text)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named(text: str) -> list[tuple[str, str]]:
    """Each symbol that a text names, with the module in which it says that it is."""
    return [(symbol, path) for symbols, path in SYMBOLS.findall(text) for symbol in re.findall(r"`(\w+)`", symbols)]


@cache
def defined(path: str) -> frozenset[str]:
    """What a module itself defines, not what it imports."""
    names: set[str] = set()
    for node in ast.parse((ROOT / path).read_text("utf-8")).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Assign() | ast.AnnAssign():
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return frozenset(names)


CONSENT = (
    "shared/application/chats/",
    "shared/application/conversation/consent_gate.py",
    "shared/application/forgetting/",
)
"""What stores who opted out, decides by it, and changes it."""


def consent_reads(text: str) -> list[int]:
    """The lines in which code looks for itself who opted out; what it hands on under that name is no look."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "opted_out" and isinstance(node.ctx, ast.Load)
    ]


@cache
def sources() -> dict[str, str]:
    """The text of each module of the product."""
    paths = [path for layer in ("shared", "infra", "functions") for path in (ROOT / layer).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def naming(name: str) -> dict[str, str]:
    """The modules in whose text a name stands: to parse all, for what can be in none of the others, takes seconds."""
    return {path: text for path, text in sources().items() if name in text}


def test_who_opted_out_is_asked_in_one_place() -> None:
    found = {path: consent_reads(text) for path, text in naming("opted_out").items()}
    elsewhere = {path: lines for path, lines in found.items() if lines and not path.startswith(CONSENT)}
    assert elsewhere == {}, "ask `may_speak`, `may_retell` or `silent_members` of conversation/consent_gate.py"
    assert found["shared/application/conversation/consent_gate.py"]


def test_the_gate_of_the_memory_is_asked_in_one_place() -> None:
    callers = [path for path in naming("reject_reason") if path.startswith("shared/application/")]
    assert callers == ["shared/application/facts/gate.py"]


RUNNERS = {
    "receive_update": {"shared/application/intake/dealing.py"},
    "run_answer": {"shared/application/intake/running.py", "functions/answer/main.py"},
    "run_extraction": {"shared/application/intake/running.py", "functions/extract/main.py"},
    "run_job": {"shared/application/intake/running.py", "functions/maintenance/main.py", "infra/local/night.py"},
}
"""The modules that may call what takes in an update, or does a task: one decides what becomes of it for all. A deployed
function runs its one kind, and the console does one job that no queue asked for."""


@pytest.mark.parametrize("name", RUNNERS)
def test_what_becomes_of_an_update_or_a_task_is_decided_in_one_place(name: str) -> None:
    importers = {
        path
        for path, text in naming(name).items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and name in {each.name for each in node.names}
    }
    assert importers == RUNNERS[name]


def folders(layer: str) -> set[str]:
    return {path.parent.name for path in (ROOT / layer).glob("*/__init__.py")}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_newcomer_finds_it_in_the_table_of_where_things_are(question: str) -> None:
    [answer] = [row[1] for row in rows("Where things are") if row[0] == question]
    assert named(answer)
    assert all(symbol in defined(path) for symbol, path in named(answer))


@pytest.mark.parametrize("page", PAGES)
def test_a_symbol_is_in_the_module_that_a_page_names(page: str) -> None:
    missing = [f"{symbol} in {path}" for symbol, path in named(PAGES[page]) if symbol not in defined(path)]
    assert missing == [], f"{page} says where things were: name their place of today"


@pytest.mark.parametrize("page", PAGES)
def test_a_path_that_a_page_names_exists(page: str) -> None:
    paths = re.findall(rf"`({CODE}[\w./-]*)`", PAGES[page])
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_modules_by_their_whole_path(page: str) -> None:
    modules = re.findall(r"`([\w./-]+\.py)(?:::\w+)?`", PAGES[page])
    assert [module for module in modules if not re.match(CODE, module)] == []


def test_the_walks_name_what_they_pass_through() -> None:
    for walk, least in (("One update", 6), ("One task", 9), ("One night", 9), ("Forgetting", 4), ("Sending", 5)):
        assert len(named(section(walk))) >= least, walk


def test_the_table_of_subjects_has_every_folder_and_says_in_which_layers_it_is() -> None:
    domain, application = "shared/domain", "shared/application"
    in_domain, in_application = folders(domain), folders(application) - {"ports"}
    told = {subject: (rules, cases) for subject, _, rules, cases, _ in rows("The subjects")}
    assert told == {
        subject: (
            f"`{domain}/{subject}/`" if subject in in_domain else "",
            f"`{application}/{subject}/`" if subject in in_application else "",
        )
        for subject in in_domain | in_application
    }


@pytest.mark.parametrize("layer", ["shared/domain", "shared/application", "infra"])
def test_what_stands_beside_the_folders_of_a_layer_serves_all_and_is_named(layer: str) -> None:
    loose = {path.relative_to(ROOT).as_posix() for path in (ROOT / layer).glob("*.py")} - {f"{layer}/__init__.py"}
    told = section("The layers" if layer == "infra" else "The subjects").replace("*", "")
    assert loose == set(re.findall(rf"`({layer}/\w+\.py)`", told))


def test_the_subjects_stand_in_the_order_that_the_linter_holds() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [order] = [
        contract["layers"]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["name"] == "Subjects of the use cases"
    ]
    told = [row[0] for row in rows("The subjects") if row[3]]
    assert told == [subject for subject in order if subject in told]


def test_each_subject_names_what_to_begin_with_and_it_is_in_its_own_folder() -> None:
    for subject, *_, entry in rows("The subjects"):
        [(symbol, path)] = named(entry)
        assert path.split("/")[2] == subject
        assert symbol in defined(path)
