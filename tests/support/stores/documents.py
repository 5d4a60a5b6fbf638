"""Documents of any form, and every call of a store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from shared.application.ports.store import Delete, Document, DocumentStore, Increment


async def data_of(store: DocumentStore, path: str) -> dict[str, Any] | None:
    document = await store.get(path)
    return None if document is None else document.data


async def below(store: DocumentStore, path: str) -> list[str]:
    return sorted([document.path async for document in store.subtree(path)])


EVERY_CALL: list[Callable[[DocumentStore], Any]] = [
    lambda store: store.get("a/b"),
    lambda store: store.get_many(["a/b"]),
    lambda store: store.create("a/b", {}),
    lambda store: store.set("a/b", {}),
    lambda store: store.upsert("a/b", {"n": Increment(1)}),
    lambda store: store.update("a/b", {"n": 1}),
    lambda store: store.delete("a/b"),
    lambda store: store.query("a"),
    lambda store: store.count("a"),
    lambda store: below(store, "a/b"),
    lambda store: store.batch([Delete("a/b")]),
    lambda store: store.transaction(lambda transaction: transaction.get("a/b")),
]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYS = TEXT.filter(lambda key: key and not (key.startswith("__") and key.endswith("__")))


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | st.datetimes(timezones=st.just(UTC))
)


def nested(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    maps = st.dictionaries(KEYS, values, max_size=4)
    return maps | st.lists(SCALARS | maps, max_size=4)


def round_trips(examples: int) -> Callable[[Any], Any]:
    shared_fixture = [HealthCheck.function_scoped_fixture]
    return settings(max_examples=examples, deadline=None, database=None, suppress_health_check=shared_fixture)


def ids(documents: list[Document]) -> list[str]:
    return [document.id for document in documents]
