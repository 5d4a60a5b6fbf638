"""An export is deterministic, whole, and of documents of known types."""

import tomllib
from pathlib import Path

import pytest

from shared.application.archive.exporting import SPOMYN, export_chat, plain_lines
from shared.domain.errors import ExportRefused, NothingToExport
from tests.support.exports import CHAT, DOCUMENT, HEADER, app_on, fill, packed, plain, source, whole


async def test_a_value_of_an_unknown_type_is_not_exported():
    class Strange:
        async def get(self, path):
            return None

        async def subtree(self, path):
            from shared.application.ports.store import Document

            yield Document(f"{path}/facts/abc", {"place": complex(1, 2)})

    with pytest.raises(ExportRefused, match=r"chats/-1001/facts/abc.*'place' holds a complex"):
        await whole(export_chat(Strange(), app_on(Strange()).clock, CHAT))


async def test_the_same_chat_makes_the_same_bytes(sqlite_store):
    await fill(sqlite_store, 30)
    first, second = [await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT)) for _ in range(2)]
    assert first == second
    assert first[4:8] == bytes(4)  # no time in the gzip header
    lines = plain(first)
    assert lines[0] == HEADER.replace(": ", ":").replace(", ", ",")
    assert lines[1].endswith('"path":""}')
    assert '"documents":43' in lines[-1]


async def test_there_is_no_export_of_nothing(sqlite_store):
    with pytest.raises(NothingToExport, match="-1001"):
        await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT))


def test_the_version_that_writes_is_the_projects():
    project = tomllib.loads((Path(__file__).resolve().parents[4] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == SPOMYN


async def test_lines_come_out_however_the_bytes_come_in():
    lines = [HEADER, DOCUMENT, "x" * 200_000]
    for size in (1, 7, 1 << 20):
        content = packed(lines)
        assert [line.decode() async for line in plain_lines(source(content, size)())] == [f"{x}\n" for x in lines]
