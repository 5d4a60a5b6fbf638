"""Every command of the operator's command line is described, and described alike."""

import re
from pathlib import Path

import click
import pytest

from infra.cli.root import COMMANDS, main, root

ROOT = Path(__file__).resolve().parents[4]


def leaves(group, path=()):
    """Every command that does something, with the words that lead to it."""
    with click.Context(group) as context:
        for name in group.list_commands(context):
            found = group.get_command(context, name)
            if isinstance(found, click.Group):
                yield from leaves(found, (*path, name))
            else:
                yield (*path, name), found


ALL = dict(leaves(root))


def test_there_are_commands():
    assert {("backfill",), ("facts",), ("stats",), ("regenerate", "talk"), ("dead-letters", "replay")} <= set(ALL)


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_json_and_an_example_in_its_help(words, capsys):
    assert main([*words, "--help"]) == 0
    told = capsys.readouterr().out
    assert "--json" in told
    assert re.search(rf"Example:\n +python -m infra\.cli {' '.join(words)}\b", told)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_says_what_it_does_in_the_list(name, capsys):
    assert main(["--help"]) == 0
    assert re.search(rf"^  {name} +\w", capsys.readouterr().out, re.MULTILINE)


def test_every_command_is_named_in_the_documentation():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    assert [words for words in ALL if f"infra.cli {' '.join(words)}" not in text] == []


def test_an_unknown_command_and_an_unknown_option_are_wrong(capsys):
    assert main(["brew"]) == 2
    assert main(["stats", "--coffee"]) == 2
    assert "No such" in capsys.readouterr().err
