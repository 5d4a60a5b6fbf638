"""What only a folder has: files that somebody may look at, or alter."""

import subprocess
import sys
from pathlib import Path

import pytest

from infra.storage.object_folder import ObjectFolder
from shared.domain.errors import ObjectCorrupt, SettingsError
from tests.support.servers.archives import KEY, SMALL, put, read


async def test_a_folder_holds_plain_files(tmp_path):
    archive = ObjectFolder(tmp_path / "archive")
    await put(archive, "# Контекст\n".encode(), "chats/-100/CONTEXT.md")
    assert (tmp_path / "archive/chats/-100/CONTEXT.md").read_text("utf-8") == "# Контекст\n"


async def test_a_folders_file_that_was_altered_is_noticed(tmp_path):
    archive = ObjectFolder(tmp_path)
    await put(archive, SMALL)
    (tmp_path / KEY).write_bytes(SMALL[:-1] + b"x")
    with pytest.raises(ObjectCorrupt, match="export-20261122"):
        await read(archive)


async def test_a_folder_is_empty_after_erasing(tmp_path):
    archive = ObjectFolder(tmp_path)
    await put(archive, SMALL)
    (tmp_path / "chats/-100/.upload-CONTEXT.md~x1").write_bytes(b"half of it")  # of a process that died
    assert await archive.erase("chats/-100/") == 2
    assert [path.name for path in tmp_path.rglob("*")] == [".lock"]


async def test_a_folder_that_cannot_be_is_a_wrong_setting(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SettingsError, match="SPOMYN_ARCHIVE"):
        await put(ObjectFolder(tmp_path / "file"), SMALL)


def test_importing_the_adapters_loads_no_boto3():
    root = Path(__file__).resolve().parents[4]
    modules = "sys, infra.storage.object_store, infra.storage.object_folder, infra.bootstrap"
    code = f"import {modules}; print('botocore' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
