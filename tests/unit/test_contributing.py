"""CONTRIBUTING.md names files that are there, and tells how to make one change of each kind in a few lines."""

import re
import tomllib
from pathlib import Path

import pytest

from shared.locales import say

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
NAMED = sorted(
    set(
        re.findall(
            r"`((?:shared|infra|functions|tests|docs|terraform)(?:/[\w.-]+)+|\.?\w+\.(?:md|toml|example))`", PAGE
        )
    )
)
CHANGES = ("A command", "A job", "A fact row", "A setting", "An adapter")
SYMBOLS = {
    "COMMANDS": "shared/application/commands/table.py",
    "NIGHTLY": "shared/application/night/fan_out.py",
    "ACTIONS": "shared/application/commands/buttons.py",
    "TASKS": "shared/application/intake/jobs.py",
    "Settings": "shared/settings/__init__.py",
    "policy_from": "infra/policy.py",
}


def change(title: str) -> str:
    [section] = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return section


@pytest.mark.parametrize("path", NAMED)
def test_what_it_names_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("layer", ["application", "domain"])
def test_its_table_of_layers_has_the_subjects_in_the_order_of_the_linter(layer: str) -> None:
    [told] = re.findall(rf"^\| `shared/{layer}` \|.*\| ([\w, ]+) \|$", PAGE, re.MULTILINE)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [order] = [each["layers"] for each in contracts if each.get("containers") == [f"shared.{layer}"]]
    folders = {path.parent.name for path in (ROOT / "shared" / layer).glob("*/__init__.py")} - {"ports"}
    assert told.split(", ") == [subject for subject in order if subject in folders]


@pytest.mark.parametrize("title", CHANGES)
def test_a_change_takes_less_than_ten_lines_and_names_code_and_tests(title: str) -> None:
    section = change(title)
    assert len([line for line in section.splitlines() if line]) < 10
    assert re.search(r"`(?:shared|infra)/[\w/]+\.py`", section)
    assert re.search(r"`tests/[\w/]+\.py`", section)


@pytest.mark.parametrize(("symbol", "path"), SYMBOLS.items())
def test_a_table_that_it_names_is_in_the_file_that_it_names(symbol: str, path: str) -> None:
    assert re.search(rf"`{symbol}\b", PAGE)
    assert f"`{path}`" in PAGE
    assert re.search(rf"^(?:def |class )?{symbol}\b", (ROOT / path).read_text("utf-8"), re.MULTILINE)


def test_the_texts_of_a_command_are_where_it_says() -> None:
    for language in ("uk", "en"):
        assert say(language, "about_gryadrecap")
        assert "about_gryadrecap" in (ROOT / f"shared/locales/{language}/commands.toml").read_text("utf-8")
