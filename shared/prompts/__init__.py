"""The prompts: one Markdown file a task, its version in the first line, `$name` places.

The version is recorded with what a prompt made, so that it can be made again when the prompt changes.
"""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's text and version."""

    version: int
    text: str


@cache
def prompt(name: str) -> Prompt:
    """The prompt in `<name>.md`.

    Raises:
        FileNotFoundError: There is none.
        ValueError: Its first line is not `version: <number>`.
    """
    from importlib.resources import files

    first, _, text = files(__package__).joinpath(f"{name}.md").read_text("utf-8").partition("\n")
    label, _, number = first.partition(":")
    if label.strip() != "version" or not number.strip().isdigit():
        raise ValueError(f"{name}.md must begin with `version: <number>`")
    return Prompt(int(number), text.strip())
