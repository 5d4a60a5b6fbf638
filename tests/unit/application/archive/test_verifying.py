"""What is no whole export is refused, with the place of what is wrong."""

import gzip

import pytest

from shared.application.archive.exporting import MAX_LINE, export_chat
from shared.application.archive.importing import import_chat
from shared.application.archive.verifying import verify_export
from shared.domain.errors import ExportRefused
from tests.support.exports import CHAT, DOCUMENT, HEADER, app_on, contents, fill, packed, plain, signed, source, whole

UNKNOWN = '{"data":{"a":{"$geo":1}},"path":"facts/abc"}'
LAST = plain(signed([HEADER, DOCUMENT]))[-1]


async def test_a_small_file_with_an_endless_line_is_refused():
    bomb = gzip.compress(b"x" * (MAX_LINE + 200_000))
    assert len(bomb) < 10_000
    with pytest.raises(ExportRefused, match=f"longer than {MAX_LINE}"):
        await verify_export(source(bomb))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "line 0: it is damaged or half-written: it breaks off"),
        (b"no gzip", "line 0: it is damaged"),
        (packed([]), "the last line is missing"),
        (signed([HEADER]), "line 2: it holds no document"),
        (packed([HEADER, DOCUMENT]), "line 2: the last line is missing: the export is half-written"),
        (signed([HEADER, DOCUMENT]) + b"more", "something follows its end"),
        (signed([HEADER, DOCUMENT]) * 2, "something follows its end"),
        (packed([HEADER, DOCUMENT, LAST, DOCUMENT]), "line 4: something follows the last line"),
        (signed([HEADER.replace("-export", "-x"), DOCUMENT]), "line 1: it is no export of Spomyn"),
        (signed(["[]", DOCUMENT]), "line 1: it is no export"),
        (signed([HEADER.replace('"version": 1', '"version": 2'), DOCUMENT]), "line 1: it is of version 2"),
        (signed([HEADER.replace("-1001", '"x"'), DOCUMENT]), "line 1: the header is not of its form"),
        (signed([HEADER.replace("-1001", "true"), DOCUMENT]), "line 1: the header is not of its form"),
        (signed([HEADER, DOCUMENT, DOCUMENT]), "line 4: a document is there twice"),
        (signed([HEADER, DOCUMENT, "nonsense"]), "line 3: Expecting value"),
        (packed([HEADER, b"\xff"]), "line 2: it is no UTF-8 text"),
        (signed([HEADER, UNKNOWN]), r"line 2: facts/abc: 'a' is of the unknown type \$geo"),
        (signed([HEADER, '{"data":{},"path":"facts"}']), "line 2: 'facts' is no path"),
        (signed([HEADER, '{"data":{},"path":"../chats/-5"}']), "line 2: '../chats/-5' is no path"),
        (signed([HEADER, '{"data":{},"path":"a/b/"}']), "line 2: 'a/b/' is no path"),
        (signed([HEADER, '{"data":{},"path":"a/__b__"}']), "is no path"),
        (signed([HEADER, '{"data":{},"path":"a/b","c":1}']), "line 2: it is neither a document nor the end"),
        (signed([HEADER, '{"data":[],"path":"a/b"}']), "line 2: it is neither"),
        (packed([HEADER, DOCUMENT, '{"documents":1,"sha256":"' + "0" * 64 + '"}']), "line 3: the checksum differs"),
        (packed([HEADER, DOCUMENT, LAST.replace(": 1", ": 2")]), "2 documents are promised and 1 are there"),
    ],
)  # fmt: skip
async def test_what_is_no_whole_export_is_refused_with_its_place(content, problem, sqlite_store):
    with pytest.raises(ExportRefused, match=problem):
        await import_chat(app_on(sqlite_store), source(content))
    assert await contents(sqlite_store) == {}


async def test_all_that_is_wrong_is_told_but_not_without_end(sqlite_store):
    lines = [HEADER, *(f'{{"data":{{"a":{{"$x":1}}}},"path":"facts/{n}"}}' for n in range(50))]
    with pytest.raises(ExportRefused) as refused:
        await verify_export(source(signed(lines)))
    assert len(refused.value.problems) == 20
    assert refused.value.problems[19].startswith("line 21: facts/19: ")


async def test_a_path_steers_no_terminal():
    with pytest.raises(ExportRefused) as refused:
        await verify_export(source(signed([HEADER, '{"data":{"a":{"$x":1}},"path":"facts/\\u001b[2J"}'])))
    assert "\x1b" not in str(refused.value)


async def test_every_cut_is_noticed(sqlite_store):
    await fill(sqlite_store, 10)
    content = await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT))
    for length in range(0, len(content), 97):
        with pytest.raises(ExportRefused):
            await verify_export(source(content[:length]))


async def test_every_flipped_bit_is_noticed(sqlite_store):
    """But for the bytes of the gzip header that mean nothing (flags of the writer, its system)."""
    await fill(sqlite_store, 10)
    content = await whole(export_chat(sqlite_store, app_on(sqlite_store).clock, CHAT))
    for at in range(10, len(content), 41):
        flipped = content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]
        with pytest.raises(ExportRefused):
            await verify_export(source(flipped))
