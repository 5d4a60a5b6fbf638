"""An export goes into a pipe, and never onto a terminal."""

import gzip

import pytest

from tests.support.exports import CHAT
from tests.unit.infra.cli.archive.transfers import in_thread

pytestmark = pytest.mark.wall_clock


async def test_a_chat_goes_through_a_pipe(transfer, chat):
    code, out, err = await in_thread(transfer, "export", CHAT, "--to", "-")
    assert code == 0
    assert gzip.decompress(out).count(b"\n") == len(chat) + 2
    assert f"{len(chat)} documents" in err
    assert (await in_thread(transfer, "export", CHAT, "--to", "-", "--json"))[0] == 2


async def test_no_export_is_written_to_a_terminal(transfer, chat, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    code, out, err = await in_thread(transfer, "export", CHAT, "--to", "-")
    assert (code, out, "pipe it on" in " ".join(err.split())) == (2, b"", True)
