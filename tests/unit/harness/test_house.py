"""The figures of the code, each over a little tree that oversteps it, and the bounds that only get stricter."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from shared.application.app import App
from tests.house import __main__ as house
from tests.house.bounds import Bound, read_bounds
from tests.house.figures import FIGURES
from tests.house.imports import allowed_imports
from tests.house.ports import PORTS
from tests.house.sources import House

TAKES_APP = "def stay(app: App) -> None: keep(app)\n"
BROKEN: dict[str, Mapping[str, str]] = {
    "full-folders": {f"tests/unit/test_{n}.py": "" for n in range(16)},
    "long-modules": {"infra/long.py": "\n" * 301},
    "excess-lines": {"infra/long.py": "\n" * 301},
    "repeated-classes": {"shared/a.py": "class Run: ...\n", "infra/b.py": "class _Run: ...\n"},
    "raw-reads": {"shared/application/a.py": "found.data['kind']\n"},
    "overlong-lines": {"shared/a.py": "# " + "-" * 119},
    "lines": {"shared/a.py": "a = 1\n"},
    "exemptions": {"shared/a.py": "import a  # noqa: F401\n"},
    "verbless-docstrings": {"infra/a.py": '"""How it is."""\n'},
    "participles": {"functions/a.py": "async def _told() -> None: ...\n"},
    "whole-app": {"shared/application/a.py": TAKES_APP},
    "ports": {"shared/application/a.py": "def stay(a: Clock, b: DocumentStore, c: Ids | None) -> None: ...\n"},
    "imports": {"shared/domain/a.py": "import redis\n"},
    "mirror-domain": {"shared/domain/a/b.py": "def go(): ...\ndef come(): ...\n"},
    "mirror-application": {"shared/application/a/b.py": "class A:\n    def go(self): ...\n    def come(self): ...\n"},
    "mirror-infra": {"infra/a.py": "async def go():\n    def come(): ...\n"},
}
"""For each figure files that make it worse by one than of an empty tree."""


@pytest.fixture
def build(tmp_path):
    def write(files: Mapping[str, str]) -> House:
        for name, text in files.items():
            path = tmp_path / "tree" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return House(tmp_path / "tree")

    return write


@pytest.fixture
def strict(tmp_path):
    """The bounds as if each goal were reached, in a file."""
    path = tmp_path / "bounds.toml"
    floors = {name: name.startswith("mirror") for name in FIGURES}
    path.write_text(
        "".join(f"[{name}]\nat_{'least = 85' if floor else 'most = 0'}\n" for name, floor in floors.items())
    )
    return path


def offenders(house_: House, name: str) -> list[str]:
    return list(FIGURES[name][1](house_).offenders)


# --- The bounds ---


@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_that_is_worse_than_its_bound_fails_by_name(build, strict, capsys, name):
    tree = build({"shared/__init__.py": "", "tests/unit/test_x.py": ""})
    assert house.main([], root=tree.root, bounds=strict) == 0
    build(BROKEN[name])
    assert house.main([], root=tree.root, bounds=strict) == 1
    assert f"--list {name}" in capsys.readouterr().err


@pytest.mark.parametrize("name", FIGURES)
def test_a_list_names_what_was_counted(build, capsys, name):
    tree = build(BROKEN[name])
    assert house.main(["--list", name], root=tree.root) == 0
    [where] = capsys.readouterr().out.splitlines()
    assert any(Path(path).parent.as_posix() in where for path in BROKEN[name])


def test_the_file_bounds_exactly_the_figures():
    assert set(read_bounds()) == set(FIGURES) == set(BROKEN)


def test_a_figure_that_got_better_is_told_and_tightens_its_bound_alone(build, strict, capsys):
    tree = build({"shared/application/a.py": TAKES_APP})
    limits = strict.read_text().replace("[lines]\nat_most = 0", "[lines]\nat_most = 1")
    strict.write_text(limits.replace("[whole-app]\nat_most = 0", "# why\n[whole-app]\nat_most = 3"))

    assert house.main([], root=tree.root, bounds=strict) == 0
    assert "Better than their bounds: whole-app, mirror" in capsys.readouterr().out
    assert house.main(["--tighten"], root=tree.root, bounds=strict) == 0
    assert "# why\n[whole-app]\nat_most = 1\n" in strict.read_text()
    build({"shared/application/b.py": TAKES_APP})
    before = strict.read_text()
    assert house.main(["--tighten"], root=tree.root, bounds=strict) == 1
    assert strict.read_text() == before


@pytest.mark.parametrize(
    ("bound", "value", "limit"),
    [
        (Bound(9, 3, is_floor=False), 5, 5),
        (Bound(9, 3, is_floor=False), 2, 3),
        (Bound(9, 3, is_floor=False), 10, 9),
        (Bound(2, 3, is_floor=False), 0, 2),
        (Bound(9, None, is_floor=False), 2, 2),
        (Bound(50, 85, is_floor=True), 60, 60),
        (Bound(50, 85, is_floor=True), 90, 85),
        (Bound(50, 85, is_floor=True), 49, 50),
    ],
)
def test_a_limit_gets_stricter_until_its_goal_and_never_looser(bound, value, limit):
    assert bound.tightened(value) == limit


def test_a_bound_is_broken_on_its_worse_side_only():
    ceiling, floor = Bound(9, 3, is_floor=False), Bound(50, 85, is_floor=True)
    assert [ceiling.is_broken_by(value) for value in (2, 9, 10)] == [False, False, True]
    assert [floor.is_broken_by(value) for value in (90, 50, 49)] == [False, False, True]


@pytest.mark.parametrize("text", ["goal = 0", "at_most = 1\nat_least = 1", "at_most = 1\nwhy = 2"])
def test_a_bound_that_says_nothing_or_too_much_is_refused(tmp_path, text):
    path = tmp_path / "bounds.toml"
    path.write_text(f"[raw-reads]\n{text}\n")
    with pytest.raises(ValueError, match="raw-reads"):
        read_bounds(path)


# --- The figures ---


def test_what_is_as_it_should_be_is_not_counted(build):
    full = {f"shared/domain/facts/m{n}.py": "\n" * 300 for n in range(15)}
    tree = build(
        full
        | {
            "shared/domain/facts/__init__.py": "class Fact: ...\nclass _Claim: ...\n" + "#" * 120,
            "shared/application/facts/codec.py": "d.data['a']\n",
            "shared/application/facts/fact_codec.py": "d.data['a']\n",
            "shared/application/chats.py": "names[0]\nfields['a']\nnames.get(key)\n",
            "shared/application/ports/store.py": "def go(): ...\ndef come(): ...\n",
            "shared/domain/one.py": "def go(): ...\n",
            "shared/domain/two.py": "def need(): ...\ndef is_told(): ...\n",
            "tests/unit/domain/test_two.py": "",
            "infra/words.py": "class A:\n    @property\n    def told(self): ...\ndef _changed() -> bool: ...\n",
            "tests/unit/infra/test_words.py": "",
            "infra/secret.py": "import redis  # noqa: F401\n" + "#" * 121,
        }
    )
    rules = FIGURES.keys() - {"lines"}  # every line is one
    assert {name: offenders(tree, name) for name in rules} == {name: [] for name in rules}


def test_docstrings_of_constants_and_fields_begin_with_what_they_are_too(build):
    constant, field = 'A = 1\n"""Of something."""\n', '    b: int = 1\n    """How much."""\n'
    tree = build({"infra/a.py": f'{constant}C = 2\n"""The size."""\nclass D:\n    """It."""\n\n{field}'})
    assert offenders(tree, "verbless-docstrings") == ["infra/a.py:1: Of something.", "infra/a.py:5: How much."]


def test_a_function_is_a_verb_or_names_a_thing(build):
    names = ("_who", "without", "retold", "_at", "tell", "_text", "after_midnight", "need")
    tree = build({"infra/a.py": "".join(f"def {name}() -> str: ...\n" for name in names)})
    assert [each.split()[-1] for each in offenders(tree, "participles")] == ["_who", "without", "retold", "_at"]


def test_raw_reads_are_seen_whatever_the_document_is_called(build):
    reads = [
        "data['a']",
        "x.data['a']",
        "data.get('a')",
        "(await f()).data.get('a', 0)",
        "data[f'a{n}']",
        "data['a'] = 1",
        "x.data[name]",
        "f(n).data.get(name)",
        "'a' in x.data",
        "name not in data",
        "[name for name in x.data]",
        "any(n for n in (x.data if x else ()))",
        "for name in x.data: f(name)",
        "message.media['file_id']",
        "payload.get('chat_id')",
    ]
    tree = build({"infra/a.py": "\n".join(reads)})
    assert {where.partition(" ")[0] for where in offenders(tree, "raw-reads")} == {
        f"infra/a.py:{n}:" for n in range(1, len(reads) + 1)
    }


def test_every_way_out_of_a_check_is_an_exemption(build):
    tree = build(
        {
            "shared/a.py": "# ruff: noqa: E501\nx = 1  # noqa\ny = 1  # type: ignore[misc]\n# mypy: ignore-errors\n",
            "shared/b.py": "",
            "pyproject.toml": '[tool.ruff.lint.per-file-ignores]\n"shared/b*" = ["E501"]\n"tests/**" = ["S"]\n',
        }
    )
    assert offenders(tree, "exemptions") == [
        "shared/a.py:1: # ruff: noqa: E501",
        "shared/a.py:2: # noqa",
        "shared/a.py:3: # type: ignore[misc]",
        "shared/a.py:4: # mypy: ignore-errors",
        "shared/b.py: E501 by shared/b*",
    ]


def test_a_mirror_is_a_test_of_the_same_name_in_the_same_place(build):
    tree = build(
        {
            "infra/a/b.py": "def go(): ...\ndef come(): ...\n",
            "infra/c.py": "def go(): ...\ndef come(): ...\n",
            "infra/d.py": "def go(): ...\ndef come(): ...\n",
            "tests/unit/infra/test_b.py": "",
            "tests/unit/infra/test_c.py": "",
        }
    )
    assert FIGURES["mirror-infra"][1](tree).value == 33
    assert offenders(tree, "mirror-infra") == [
        "infra/a/b.py: no tests/unit/infra/a/test_b.py",
        "infra/d.py: no tests/unit/infra/test_d.py",
    ]


@pytest.mark.parametrize(
    ("text", "misfits"),
    [
        ("def go(app: App):\n    a(app.store, app.clock)", "go takes App for clock and store"),
        ("def go(app: App): ...", "go takes App for nothing"),
        ("async def go(app: Intake):\n    def later(): return app.store", "go takes App for store"),
        ("def go(app: App, clock: Clock):\n    a(app)", "go takes Clock beside App"),
        ("def go(a: Clock, *, b: DocumentStore, c: Ids | None): ...", "go takes Clock, DocumentStore, Ids"),
        ("def go(app: App):\n    come(app)\ndef come(app: App):\n    app.a(app.b, app.c)", None),
        ("def go(app: App):\n    app.a(app.b, app.c)", None),
        ("def go(app: App):\n    Kept(app)", None),
        ("def go(app: App):\n    kept = app", None),
        ("def go(app: App): ...\nTABLE = {'go': go}", None),
        ("def load():\n    from shared.a import go as run\n    return run\ndef go(app: App): ...", None),
        ("class Keeper:\n    def __init__(self, a: Clock, b: Ids, c: Policy): ...", None),
        ("class Form(Protocol):\n    def __call__(self, app: App): ...", None),
        ("def go(a: Clock, b: Ids, make: Callable[[Policy], None]): ...", None),
    ],
)
def test_ports_fit_who_needs_them(build, text, misfits):
    assert offenders(build({"shared/a.py": text}), "ports") == ([f"shared/a.py:1: {misfits}"] if misfits else [])


def test_what_is_needed_through_calls_counts_however_far_and_round_about(build):
    first = "from shared.b import come\ndef go(app: App):\n    run = partial(come, app)\n    return app.store"
    second = "from shared.a import go\ndef come(app: App):\n    go(app=app)\n    return app.clock"
    tree = build({"shared/a.py": first, "shared/b.py": second})
    assert offenders(tree, "ports") == [
        "shared/a.py:2: go takes App for clock and store",
        "shared/b.py:2: come takes App for clock and store",
    ]
    build({"shared/b.py": second + ", app.ids"})
    assert offenders(House(tree.root), "ports") == []


def test_the_ports_are_what_an_app_holds():
    held = " ".join(App.__annotations__.values())
    assert set(re.findall(r"[A-Z]\w+", held)) - {"None"} == PORTS


# --- What shared may import ---


@pytest.mark.parametrize("layer", ["domain", "prompts", "locales", "settings"])
@pytest.mark.parametrize(
    "module", ["redis", "tempfile", "threading", "os", "time", "socket", "google.cloud", "asyncio"]
)
def test_a_pure_layer_imports_nothing_that_reaches_the_outside(build, layer, module):
    tree = build({f"shared/{layer}/facts/a.py": f"import {module}\n"})
    assert offenders(tree, "imports") == [f"shared/{layer}/facts/a.py:1: {module}"]


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("import re, redis, tempfile, threading", ["redis", "tempfile", "threading"]),
        ("import redis as re", ["redis"]),
        ("from redis import re", ["redis.re"]),
        ("def go():\n    import threading", ["threading"]),
        ("if TYPE_CHECKING:\n    from tempfile import TemporaryFile", ["tempfile.TemporaryFile"]),
        ("import logging.handlers", ["logging.handlers"]),
        ("from pathlib import Path, PurePath", ["pathlib.Path"]),
        ("import pathlib", ["pathlib"]),
        ("__import__('redis')", ["__import__"]),
        ("from collections.abc import Mapping", []),
        ("from shared.domain.text import words\nimport shared.domain", []),
        ("from . import words", []),
    ],
)
def test_an_import_is_known_in_all_its_ways(build, line, refused):
    tree = build({"shared/application/a.py": line + "\n"})
    assert [where.rpartition(" ")[2] for where in offenders(tree, "imports")] == refused


def test_a_new_layer_may_import_nothing_before_it_has_a_list(build):
    tree = build({"shared/tools/a.py": "import re\n", "shared/a.py": "import re, json\n"})
    assert offenders(tree, "imports") == ["shared/a.py:1: json", "shared/tools/a.py:1: re"]


def test_the_lists_name_nothing_that_nobody_imports():
    tree = House(Path(__file__).resolve().parents[3])
    text = "\n".join(line for module in tree.modules("shared") for line in module.lines if "import " in line)
    for name in frozenset().union(*allowed_imports().values()):
        module, _, member = name.rpartition(".")
        assert f"import {name}" in text or f"from {name} import" in text or f"from {module} import {member}" in text, (
            name
        )


def test_it_imports_nothing_of_the_product():
    script = "import sys; import tests.house.__main__; print([m for m in sys.modules if m.split('.')[0] in %r])"
    done = subprocess.run(
        [sys.executable, "-c", script % (("shared", "infra", "functions"),)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
