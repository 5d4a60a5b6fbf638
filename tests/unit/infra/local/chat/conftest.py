"""A terminal over a store of its own."""

from __future__ import annotations

import pytest

from tests.unit.infra.local.chat.terminals import Terminal


@pytest.fixture
def terminal(sqlite_store, tmp_path):
    return Terminal(sqlite_store, tmp_path / "files")
