"""A query finds any value by itself."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from infra.sqlite import SqliteStore
from shared.application.ports.store import Delete, Filter, Set, Vector
from tests.support.stores.documents import SCALARS, ids, round_trips

VECTORS = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=4).map(Vector)


@round_trips(100)
@given(values=st.lists(SCALARS | VECTORS, min_size=1, max_size=6), data=st.data())
async def test_any_value_of_sqlite_is_found_by_itself(
    sqlite_store: SqliteStore, values: list[Any], data: st.DataObject
) -> None:
    await sqlite_store.batch([Set(f"any/{n}", {"value": value}) for n, value in enumerate(values)])
    wanted = data.draw(st.sampled_from(values))

    matched = await sqlite_store.query("any", where=[Filter("value", "==", wanted)])

    assert str(values.index(wanted)) in ids(matched) or wanted in [document.data["value"] for document in matched]
    await sqlite_store.batch([Delete(f"any/{n}") for n in range(len(values))])
