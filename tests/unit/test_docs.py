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

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *DOCS.glob("*.md")]]
MONITORING = "terraform/monitoring.tf"


@pytest.mark.parametrize("page", ["memory.md", "reading.md", "recall.md"])
def test_the_examples_of_a_page_give_what_it_says(page: str) -> None:
    results = doctest.testfile(str(DOCS / page), module_relative=False)
    assert results.attempted
    assert results.failed == 0


def text_of(page: str) -> str:
    """A page; of the alerts what their mails say to do first."""
    text = (ROOT / page).read_text("utf-8")
    return "\n".join(re.findall(r'first += "([^"]+)"', text)) if page == MONITORING else text


def lines_of(page: str) -> list[str]:
    """Every command line of ours that a page shows, in the text and in blocks."""
    return re.findall(r"python -m infra\.cli ([a-z][^`|\n]*)", text_of(page))


def targets_in(page: str) -> list[str]:
    """What follows `make` wherever a page shows it as a command: between backticks, and in blocks."""
    return re.findall(r"(?:`|^ *)make ([a-z][^`\n#]*)", text_of(page), re.MULTILINE)


def commands_in(page: str) -> list[str]:
    """The lines of the page's shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def check_line(line: str) -> None:
    """See that there is such a command, with such options."""
    found: click.Command = root
    words = shlex.split(line)
    while isinstance(found, click.Group):
        with click.Context(found) as context:
            command = found.get_command(context, words.pop(0))
        assert command is not None, line
        found = command
    options = {name for parameter in found.params for name in parameter.opts} | {"--help"}
    assert {word for word in words if word.startswith("--")} <= options, line


@pytest.mark.parametrize("page", [*PAGES, MONITORING])
def test_every_command_line_of_a_page_is_one(page: str) -> None:
    for line in lines_of(page):
        check_line(line)


@pytest.mark.parametrize("page", [*PAGES, MONITORING])
def test_every_target_that_a_page_names_is_one_and_takes_what_it_is_given(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):.* ## ", makefile, re.MULTILINE))
    for line in targets_in(page):
        target, *given = shlex.split(line)
        assert target in targets, line
        assert {each.partition("=")[0] for each in given} <= set(re.findall(r"\$\((?:if \$\()?([A-Z]+)\b", makefile)), (
            line
        )
        if target in root.list_commands(click.Context(root)):
            check_line(f"{target} {' '.join(each.partition('=')[2] for each in given if each.startswith('ARGS='))}")


def test_the_index_leads_through_every_document() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)\)", (DOCS / "index.md").read_text("utf-8")))
    documents = {
        os.path.relpath(path, DOCS)
        for path in [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("terraform/**/*.md")]
    }
    missing = documents - linked - {"index.md"}
    assert not missing, f"docs/index.md leads to every document, in reading order: add {', '.join(sorted(missing))}"


def test_the_index_calls_a_decision_by_its_title() -> None:
    page = (DOCS / "index.md").read_text("utf-8")
    for title, path in re.findall(r"\[([^\]]+)\]\((adr/[^)]+)\)", page):
        assert (DOCS / path).read_text("utf-8").splitlines()[0] == f"# {title}"


def test_the_index_numbers_what_it_leads_through() -> None:
    numbers = re.findall(r"^(\d+)\. ", (DOCS / "index.md").read_text("utf-8"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_to_something(page: str) -> None:
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)", (ROOT / page).read_text("utf-8")):
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), path
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}, anchor


def test_the_pages_of_an_operator_show_commands() -> None:
    assert len(targets_in("docs/deploy.md")) > 20
    assert len(targets_in(MONITORING)) > 3
    assert len(lines_of("docs/operations.md")) > 40


@pytest.mark.usefixtures("logging_restored")
def test_the_script_of_the_page_about_scripts_comes_out_as_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (DOCS / "scripts.md").read_text("utf-8")
    [lines], [shown] = (
        re.findall(r"```json\n(.*?)```", page, re.DOTALL),
        re.findall(r"```text\n(.*?)```", page, re.DOTALL),
    )
    [command] = commands_in("scripts.md")
    monkeypatch.chdir(tmp_path)
    Path("talk.jsonl").write_text(lines, "utf-8")
    assert local(shlex.split(command)[3:]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert printed[: len(shown.splitlines())] == shown.splitlines()
    assert "What was learnt" in printed


@pytest.mark.wall_clock
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
