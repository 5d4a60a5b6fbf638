"""A file of another schema is refused with the remedy."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from infra.sqlite import SqliteStore
from shared.domain.errors import SettingsError


@pytest.mark.parametrize(
    "change", ["UPDATE documents_meta SET schema = 99", "DELETE FROM documents_meta", "DROP TABLE documents_meta"]
)
async def test_a_file_of_another_schema_is_a_settings_error(tmp_path: Path, change: str) -> None:
    await SqliteStore(tmp_path / "documents.db").aclose()
    db = sqlite3.connect(tmp_path / "documents.db")
    with db:
        db.execute(change)
    db.close()

    with pytest.raises(SettingsError, match="schema"):
        SqliteStore(tmp_path / "documents.db")
