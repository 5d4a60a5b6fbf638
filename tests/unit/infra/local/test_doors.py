"""Who may call a local run: who names this machine, and the workers only who knows the folder's secret."""

from __future__ import annotations

import httpx
import pytest
from starlette.responses import PlainTextResponse

from infra.local.doors import SECRET_FILE, Doors, is_of_this_machine, local_secret
from shared.domain.errors import SettingsError

SECRET = "a-secret-of-this-folder"


def client(host: str = "localhost:8080", **headers: str) -> httpx.AsyncClient:
    site = Doors(PlainTextResponse("in"), secret=SECRET, guarded=("/extract", "/maintenance"))
    transport = httpx.ASGITransport(site)
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", headers={"host": host, **headers})


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:65535"])
async def test_this_machine_is_let_in_by_its_names(host):
    async with client(host) as caller:
        assert (await caller.get("/webhook")).text == "in"


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "localhost.", ""),
        *("[::1]", "[::1]:8080", "0.0.0.0", "127.0.0.2", "2130706433", "localhost:8080:1", "a@localhost", " localhost"),
    ],
)
async def test_any_other_name_is_told_which_ones_are_answered(host):
    async with client(host) as caller:
        refused = await caller.post("/webhook", json={})
    assert refused.status_code == 421
    assert "127.0.0.1" in refused.text
    assert "localhost" in refused.text
    assert is_of_this_machine([host]) is False


def test_two_names_are_none():
    assert not is_of_this_machine(["localhost", "localhost"])
    assert not is_of_this_machine([])


@pytest.mark.parametrize("path", ["/extract", "/maintenance/forget", "/maintenance/"])
@pytest.mark.parametrize("shown", [None, "", "Bearer", "Bearer wrong", SECRET, f"Basic {SECRET}", f"Bearer {SECRET}x"])
async def test_a_worker_wants_the_secret_itself(path, shown):
    async with client(**({} if shown is None else {"authorization": shown})) as caller:
        refused = await caller.post(path, json={})
    assert refused.status_code == 401
    assert SECRET_FILE in refused.text
    assert SECRET not in refused.text


async def test_who_shows_it_gets_to_the_workers_but_not_under_another_name():
    async with client(authorization=f"Bearer {SECRET}") as caller:
        assert (await caller.post("/extract", json={})).text == "in"
    async with client("evil.example", authorization=f"Bearer {SECRET}") as caller:
        assert (await caller.post("/extract", json={})).status_code == 421


def test_a_folder_keeps_its_secret_and_another_has_another(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    made = local_secret(tmp_path / "a")
    assert (tmp_path / "a" / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    assert local_secret(tmp_path / "a") == made
    assert local_secret(tmp_path / "b") != made


def test_a_file_without_a_secret_is_said_in_one_sentence(tmp_path):
    (tmp_path / SECRET_FILE).write_text("\n")
    with pytest.raises(SettingsError, match="delete it"):
        local_secret(tmp_path)
    with pytest.raises(SettingsError, match="cannot be used"):
        local_secret(tmp_path / "none")
