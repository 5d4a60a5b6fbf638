"""What the documents show is what happens."""

import doctest
import os
import re
import shlex
from pathlib import Path

import click
import pytest

from infra.cli.root import main as cli
from infra.cli.root import root
from infra.local.cli import main as local

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["memory.md", "recall.md"])
def test_the_examples_of_a_page_give_what_it_says(page: str) -> None:
    results = doctest.testfile(str(DOCS / page), module_relative=False)
    assert results.attempted
    assert results.failed == 0


def lines_of(page: str) -> list[str]:
    """Every command line of ours that a page shows, in the text and in blocks."""
    text = (DOCS / page).read_text("utf-8")
    return re.findall(r"python -m infra\.cli [^`\n]+", text)


def commands_in(page: str) -> list[str]:
    """The lines of the page's shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("line", lines_of("operations.md"))
def test_every_command_line_of_the_runbook_is_one(line: str) -> None:
    found: click.Command = root
    words = shlex.split(line.removeprefix("python -m infra.cli "))
    while isinstance(found, click.Group):
        with click.Context(found) as context:
            command = found.get_command(context, words.pop(0))
        assert command is not None
        found = command
    options = {name for parameter in found.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


@pytest.mark.usefixtures("logging_restored")
def test_what_the_runbook_lets_one_try_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests").symlink_to(DOCS.parent / "tests")
    run = {"infra.local": local, "infra.cli": cli}
    for line in commands_in("operations.md"):
        words = shlex.split(line)
        if words[0] == "export":
            for setting in words[1:]:
                monkeypatch.setitem(os.environ, *setting.split("=", 1))
        else:
            assert words[:2] == ["python", "-m"]
            assert run[words[2]](words[3:]) == 0, line
