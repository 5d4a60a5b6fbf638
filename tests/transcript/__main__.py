"""`python -m tests.transcript` writes docs/commands.md."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path

from tests.transcript.page import commands_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "commands.md"


def main() -> None:
    logging.disable(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(asyncio.run(commands_page(Path(folder))), "utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")


if __name__ == "__main__":
    main()
