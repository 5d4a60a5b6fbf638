"""Files of Telegram: whole, within the limit, and with an address that nobody sees."""

from __future__ import annotations

import logging
import traceback

import pytest

from shared.domain.errors import ChatUnavailable, FileGone, FileTooLarge
from tests.support.telegram.gateways import (
    CALLS,
)

SENDS = ("sendMessage", "sendPhoto", "sendDocument")
REPEATABLE = pytest.mark.parametrize("method", [method for method in CALLS if method not in SENDS])


async def test_a_file_comes_whole_from_the_same_server(gateway, api):
    body = bytes(range(256)) * 500
    api.files.add("voice", body, path="voice/файл 1.oga")
    assert await gateway.download("voice", limit_bytes=len(body)) == body
    assert api.files.downloads == ["voice/файл 1.oga"]


async def test_a_file_above_the_limit_is_not_even_asked_for(gateway, api):
    with pytest.raises(FileTooLarge):
        await gateway.download("photo", limit_bytes=5)
    assert api.files.downloads == []


@pytest.mark.parametrize("told", [None, 3])
async def test_a_file_that_is_larger_than_telegram_tells_is_given_up_on_the_way(gateway, api, told):
    api.files.add("video", b"x" * 500_000, size=told)
    with pytest.raises(FileTooLarge):
        await gateway.download("video", limit_bytes=100_000)


async def test_a_file_that_telegram_does_not_hand_out_is_too_large(gateway, api):
    api.files.add("film", b"", size=20_000_001)
    with pytest.raises(FileTooLarge):
        await gateway.download("film", limit_bytes=10**9)
    for method in ("getFile", "download"):
        api.fail_next(method, status=413, body=b"<html>413 Request Entity Too Large</html>")
        with pytest.raises(FileTooLarge):
            await gateway.download("photo", limit_bytes=1000)


async def test_a_file_that_nobody_knows_is_gone(gateway, api):
    api.files.add("pathless", b"x", path="")
    api.files.add("expired", b"x", gone=True)
    for file_id in ("unknown", "pathless", "expired"):
        with pytest.raises(FileGone):
            await gateway.download(file_id, limit_bytes=1000)


@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 429}, {"cut": "before"}, {"delay": 0.5}], ids=str)
async def test_a_file_that_does_not_come_is_unavailable(gateway, api, fault):
    api.fail_next("download", **fault)
    with pytest.raises(ChatUnavailable):
        await gateway.download("photo", limit_bytes=1000)
    assert await gateway.download("photo", limit_bytes=1000) == b"not really a photo"


@pytest.mark.parametrize("body", [b'{"ok": true, "result": true}', b'{"ok": true, "result": {"file_path": 7}}'])
async def test_an_answer_that_is_no_file_is_unavailability(gateway, api, body):
    api.fail_next("getFile", body=body)
    with pytest.raises(ChatUnavailable):
        await gateway.download("photo", limit_bytes=1000)


async def test_a_local_bot_api_servers_file_is_read_from_its_folder(gateway, api, tmp_path):
    stored = tmp_path / "video.mp4"
    stored.write_bytes(b"long film")
    api.files.add("film", b"", path=str(stored), size=None)
    assert await gateway.download("film", limit_bytes=9) == b"long film"
    with pytest.raises(FileTooLarge):
        await gateway.download("film", limit_bytes=8)
    stored.unlink()
    with pytest.raises(FileGone):
        await gateway.download("film", limit_bytes=9)
    assert api.files.downloads == []


async def test_the_address_of_a_file_appears_in_no_log_and_no_error(gateway, api, caplog):
    caplog.set_level(logging.DEBUG)
    await gateway.download("photo", limit_bytes=1000)
    api.fail_next("download", cut="before")
    with pytest.raises(ChatUnavailable) as caught:
        await gateway.download("photo", limit_bytes=1000)
    assert "fake-token" not in caplog.text + "".join(traceback.format_exception(caught.value))
