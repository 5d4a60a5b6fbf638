"""The file itself: deterministic, bounded, and whole or refused."""

import tomllib
from pathlib import Path

from shared.application.archive.lines import SPOMYN, plain_lines
from tests.support.exports import DOCUMENT, HEADER, packed, source


def test_the_version_that_writes_is_the_projects():
    project = tomllib.loads((Path(__file__).resolve().parents[4] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == SPOMYN


async def test_lines_come_out_however_the_bytes_come_in():
    lines = [HEADER, DOCUMENT, "x" * 200_000]
    for size in (1, 7, 1 << 20):
        content = packed(lines)
        assert [line.decode() async for line in plain_lines(source(content, size)())] == [f"{x}\n" for x in lines]
