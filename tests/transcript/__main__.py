"""`python -m tests.transcript` writes docs/commands.md, and the transcripts and pictures of both READMEs."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import tempfile
from pathlib import Path

from tests.transcript.page import commands_page
from tests.transcript.pictures import conversation, memory
from tests.transcript.story import told

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "commands.md"
READMES = {"en": ROOT / "README.md", "uk": ROOT / "README.uk.md"}
_TOLD = re.compile(r"(?<=<!-- told -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)


async def readme(language: str) -> dict[Path, str]:
    """Return the README of a language with the story as it happens now, and its pictures, each by its path."""
    story, page = await told(language), READMES[language]
    shown = f"\n```text\n{story.console()}\n```\n\n"
    return {
        page: _TOLD.sub(lambda _: shown, page.read_text("utf-8")),
        ROOT / f"docs/pictures/conversation.{language}.svg": conversation(story, language),
        ROOT / f"docs/pictures/memory.{language}.svg": memory(story, language),
    }


def main() -> None:
    logging.disable(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        written = {PAGE: asyncio.run(commands_page(Path(folder)))}
    for language in READMES:
        written |= asyncio.run(readme(language))
    for path, text in written.items():
        path.write_text(text, "utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)} written\n")


if __name__ == "__main__":
    main()
