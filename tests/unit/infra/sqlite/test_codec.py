"""Any document comes back from the SQLite file as it was."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from infra.sqlite import SqliteStore
from shared.application.ports.store import Vector
from tests.support.stores.documents import KEYS, SCALARS, data_of, nested, round_trips

VECTORS = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4).map(Vector)
DOCUMENTS = st.dictionaries(KEYS, VECTORS | st.recursive(SCALARS, nested, max_leaves=12), max_size=6)


@round_trips(200)
@given(data=DOCUMENTS)
async def test_any_document_round_trips_through_sqlite(sqlite_store: SqliteStore, data: dict[str, Any]) -> None:
    await sqlite_store.set("any/document", data)
    assert await data_of(sqlite_store, "any/document") == data
