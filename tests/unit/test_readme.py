"""The README is short, says the same in both languages, and takes its figures from where it says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGLISH, UKRAINIAN = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.uk.md"))
STORY = re.compile(r"<!-- told -->.*?<!-- end -->", re.DOTALL)
FIGURE = re.compile(r"^\| (\*\*.+?) \|.*\]\(([^)#]+)#([^)]+)\) \|$", re.MULTILINE)


def sections(page: str) -> list[tuple[str, str]]:
    """The page without its story: each heading's marks, and what stands below it."""
    headed = re.split(r"^(#+) .*\n", STORY.sub("", page), flags=re.MULTILINE)[1:]
    return list(zip(headed[::2], headed[1::2], strict=True))


def links(section: str) -> list[str]:
    """What a section links to, whatever language it is for."""
    found = [link.replace(".uk.", ".") for link in re.findall(r"\]\(([^)]+)\)", section)]
    return [link.replace(".en.", ".") for link in found]


def commands(section: str) -> list[str]:
    """The shell lines of a section and what it shows as code, but for words of the language."""
    code = re.findall(r"`([^`\n]+)`", section) + re.findall(r"^ *```sh\n(.*?)```", section, re.DOTALL | re.MULTILINE)
    return sorted(re.sub(r"story\.(en|uk)\.", "story.", each).strip() for each in code if not SPOKEN.search(each))


SPOKEN = re.compile(r"^\w+\*?: ")
"""A line that somebody says at the console."""


def figures(section: str) -> list[str]:
    """The numbers of a section, but for those in its code and its links."""
    words = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", section, flags=re.DOTALL)
    return sorted(re.findall(r"[$]?(?:\d[\d,]*)?\.?\d+", words))


def spoken(section: str) -> int:
    return sum(bool(SPOKEN.search(each)) for each in re.findall(r"`([^`\n]+)`", section))


def test_the_readme_is_at_most_8_kb() -> None:
    assert len(ENGLISH.encode()) <= 8_000
    assert len(UKRAINIAN) <= 8_000  # its letters take two bytes each


def test_both_have_the_same_headings() -> None:
    marks = [marks for marks, _ in sections(ENGLISH)]
    assert marks == [marks for marks, _ in sections(UKRAINIAN)]
    assert len(marks) > 6


@pytest.mark.parametrize("told", [links, commands, figures, spoken])
def test_every_section_has_the_same_links_commands_and_figures_in_both(told) -> None:
    english, ukrainian = ([told(section) for _, section in sections(page)] for page in (ENGLISH, UKRAINIAN))
    english[0], ukrainian[0] = (
        (english[0][1:], ukrainian[0][1:]) if told is links else (english[0], ukrainian[0])
    )  # the first link of each is the other page
    assert english == ukrainian


def test_each_leads_to_the_other() -> None:
    assert links(ENGLISH.replace("README.uk.md", "OTHER"))[0] == "OTHER"
    assert links(UKRAINIAN.replace("README.md", "OTHER"))[0] == "OTHER"


def test_its_three_figures_stand_where_it_says() -> None:
    found = FIGURE.findall(ENGLISH)
    assert len(found) == 3
    for shown, page, anchor in found:
        text = (ROOT / page).read_text("utf-8")
        parts = re.split(r"^#+ (.+)\n", text, flags=re.MULTILINE)
        named = {
            re.sub(r"[^\w -]", "", head).lower().replace(" ", "-"): body
            for head, body in zip(parts[1::2], parts[2::2], strict=True)
        }
        for figure in re.findall(r"\*\*([^* ]+)[^*]*\*\*", shown):
            assert figure in named[anchor], f"{figure} is not in {page}#{anchor}: say in both READMEs what is there now"


def test_it_leads_to_the_promises_and_to_the_way_through_the_documents() -> None:
    assert {"docs/promises.md", "docs/privacy.md", "docs/security.md", "docs/index.md"} <= set(links(ENGLISH))


def test_the_gate_and_the_readme_name_the_same_commands() -> None:
    gate = (ROOT / ".ci/run").read_text("utf-8")
    [block] = re.findall(r"^```sh\n(make run\n.*?)```", ENGLISH, re.DOTALL | re.MULTILINE)
    assert block == "make run\nmake test\n"
    assert "make test " in gate
