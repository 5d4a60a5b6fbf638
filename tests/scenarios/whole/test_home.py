"""A Spomyn at home: what the Containerfile copies and what the systemd unit starts is there, and runs."""

import asyncio
import configparser
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from infra.bundle.requirements import read_lock
from infra.bundle.sources import needs_of, read_modules
from tests.support.hour import handed_on
from tests.support.telegram.bot_api import FakeBotApi
from tests.support.updates import message_update

ROOT = Path(__file__).resolve().parents[3]
UNIT = ROOT / "home/spomyn.service"
CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
COPIED = [name for line in re.findall(r"^COPY (.+)$", CONTAINERFILE, re.MULTILINE) for name in line.split()[:-1]]
CHAT = -1_001_000_000_001
TOKEN = "123456:fake-token-for-a-local-run"


def unit() -> configparser.ConfigParser:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str
    read.read_string(UNIT.read_text("utf-8"))
    return read


def of_container(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command of the image and its own settings, with `folder` in the place of /data."""
    [command] = re.findall(r"^CMD \[(.+)\]$", CONTAINERFILE, re.MULTILINE)
    [settings] = re.findall(r"^ENV (.+)$", CONTAINERFILE, re.MULTILINE)
    own = dict(each.replace("/data", str(folder)).split("=", 1) for each in settings.split())
    return [each.strip().strip('"') for each in command.split('", "')], own


def of_unit(folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command of the unit, with this Python in the place of the clone's."""
    python, *arguments = shlex.split(unit()["Service"]["ExecStart"])
    assert python == f"{unit()['Service']['WorkingDirectory']}/.venv/bin/python"
    return [sys.executable, *arguments], {"SPOMYN_STORE": f"sqlite:{folder}/spomyn.db"}


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with what the image holds, and nothing else of the repository."""
    folder = tmp_path / "spomyn"
    folder.mkdir()
    for name in COPIED:
        (folder / name).symlink_to(ROOT / name)
    return folder


async def started(command: list[str], own: dict[str, str], folder: Path, api: FakeBotApi) -> asyncio.subprocess.Process:
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        **handed_on(folder),
        "SPOMYN_PORT": "0",
        "TELEGRAM_BOT_TOKEN": TOKEN,
        "TELEGRAM_API_URL": api.url,
        **own,
    }
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
    )


@pytest.mark.parametrize("way", [of_container, of_unit])
async def test_the_command_serves_a_group_and_ends_cleanly_when_it_is_stopped(way, copied, tmp_path):
    async with FakeBotApi(TOKEN) as api:
        api.add_chat(CHAT)
        api.push(message_update("@spomyn_bot що ти знаєш?", update_id=7, message_id=5))
        process = await started(*way(tmp_path), copied, api)
        try:
            async with asyncio.timeout(60):
                while not api.sent and process.returncode is None:
                    await asyncio.sleep(0.05)
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            shown, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    assert len(api.sent) == 1
    assert (tmp_path / "spomyn.db").exists()
    if way is of_container:
        assert shown == b""  # else the container's log keeps what the group says
    assert "що ти знаєш".encode() not in errors


async def test_a_wrong_token_ends_with_the_status_that_the_unit_does_not_try_again(copied, tmp_path):
    async with FakeBotApi("654321:another-token") as api:
        process = await started(*of_unit(tmp_path), copied, api)
        await asyncio.wait_for(process.communicate(), 60)
    assert str(process.returncode) == unit()["Service"]["RestartPreventExitStatus"]


def test_the_journal_does_not_keep_what_the_group_says():
    assert unit()["Service"]["StandardOutput"] == "null"


def test_the_image_gets_everything_that_is_copied_and_nothing_secret():
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let_in = [line.removeprefix("!") for line in lines if line.startswith("!")]
    assert "*" in lines
    assert sorted(let_in) == sorted(COPIED)
    for name in COPIED:
        assert (ROOT / name).exists()


def test_the_image_has_every_module_and_package_that_its_program_can_import():
    modules = read_modules(ROOT)
    entries = [ROOT / "infra/local/__main__.py", *(ROOT / "functions").glob("*/main.py")]
    needs = [needs_of(entry, modules) for entry in entries]
    assert {name.partition(".")[0] for each in needs for name in each.own} <= set(COPIED)
    installed = [name for name in re.findall(r"-r (\S+)", CONTAINERFILE) if name in COPIED]
    locked = {name for each in installed for name in read_lock((ROOT / each).read_text("utf-8"))}
    owners = packages_distributions()
    named = {name.partition(".")[0] for each in needs for name in each.outside}
    outside = named - sys.stdlib_module_names - set(COPIED)
    assert {"rich", "dotenv", "google"} <= outside
    for name in outside:
        assert {owner.lower().replace("_", "-") for owner in owners[name]} & locked, name


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    clone = tmp_path / "spomyn"
    (clone / ".venv/bin").mkdir(parents=True)
    (clone / ".venv/bin/python").symlink_to(sys.executable)
    (tmp_path / "run").mkdir(mode=0o700)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path / "run")}
    done = subprocess.run(
        ["systemd-analyze", "--user", "--man=no", "verify", str(UNIT)],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_shows_how_to_start_what_is_here():
    page = (ROOT / "docs/home.md").read_text("utf-8")
    assert f"cp {UNIT.relative_to(ROOT)} " in page
    assert "-v spomyn:/data" in page
    assert "VOLUME /data" in CONTAINERFILE
