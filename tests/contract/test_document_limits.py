"""Every store refuses the same documents, at the same byte: Firestore's limits (attacks a4, d1, d4).

The emulator keeps two of the limits by itself; there the adapter's count is compared with its own.
"""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.api_core.exceptions import InvalidArgument
from hypothesis import given
from hypothesis import strategies as st

from infra.firestore import FirestoreStore
from infra.sqlite import SqliteStore
from shared.application.ports.limits import (
    COMPOSITE,
    FIRESTORE,
    MAX_DEPTH,
    MAX_VALUE_BYTES,
    UNINDEXED,
    Limits,
    check_document,
    depth_of,
    document_bytes,
    index_entries,
    surely_fits,
)
from shared.application.ports.store import ArrayUnion, Create, DocumentStore, Increment, Set, Upsert, Vector
from shared.domain.conversation.messages import Message
from shared.domain.errors import UnstorableDocument
from tests.simulation.peers.store import MemoryStore
from tests.support.google.indexes import declared
from tests.support.google.limits import ServerLimits
from tests.support.stores.messages import new_message_fields

PATH = "things/ї"
LIMITED = Limits(bytes=2_000, value_bytes=1_900, index_entries=50, depth=5)


class LimitedFirestore(ServerLimits, FirestoreStore):
    """The emulator with the server's limits."""


def project_of(tmp_path) -> str:
    """A project of its own isolates each test."""
    return "test-" + hashlib.sha256(f"{tmp_path} {os.getpid()}".encode()).hexdigest()[:20]


@pytest.fixture(params=["sqlite", "memory", "firestore", "sqlite limited", "memory limited", "firestore limited"])
async def limited(request, tmp_path):
    """Every adapter with Firestore's limits, and with small ones."""
    name, _, small = request.param.partition(" ")
    limits = LIMITED if small else FIRESTORE
    if name == "sqlite":
        store: Any = SqliteStore(tmp_path / "limited.db", limits=limits)
    elif name == "memory":
        store = MemoryStore(limits=limits)
    else:
        host = request.getfixturevalue("firestore_emulator")
        store = LimitedFirestore(project_of(tmp_path), emulator_host=host, timeout=60, limits=limits)
    yield store, limits
    await store.aclose()


def of_bytes(size: int) -> dict[str, Any]:
    """A document of exactly so many bytes at `PATH`, in two strings."""
    rest = size - document_bytes(PATH, {"one": "", "two": ""})
    return {"one": "a" * (rest // 2), "two": "b" * (rest - rest // 2)}


def nested(depth: int) -> dict[str, Any]:
    """A document with a field of this depth, of lists and maps in turn."""
    value: Any = 1
    for level in range(depth):
        value = {"m": value} if level % 2 else [value]
    return {"field": value}


def entries(count: int) -> dict[str, Any]:
    """A document with so many index entries, in a list beside one number."""
    return {"number": 1, "list": [{"n": n} if n % 7 == 0 else n for n in range(count - 2)]}


async def refused(store: DocumentStore, data: dict[str, Any], complaint: str) -> None:
    """Every way to write the whole document refuses it, names it and writes nothing, beside others neither."""
    for write in (Create, Set, Upsert):
        with pytest.raises(UnstorableDocument, match=complaint) as caught:
            await store.batch([Set("things/beside", {}), write(PATH, data)])
        assert PATH in caught.value.paths
        assert PATH in str(caught.value)
    with pytest.raises(UnstorableDocument, match=complaint):
        await store.create(PATH, data)
    with pytest.raises(UnstorableDocument, match=complaint):
        await store.transaction(lambda tx: writing(tx, Set(PATH, data)))
    assert await store.get_many(["things/beside", PATH]) == [None, None]


async def writing(tx, write):
    tx.write(write)


async def test_a_document_is_taken_up_to_the_last_byte_and_refused_from_the_next_on(limited):
    store, limits = limited
    await refused(store, of_bytes(limits.bytes + 1), f"{limits.bytes + 1:,} bytes")
    whole = of_bytes(limits.bytes)
    assert await store.create(PATH, whole)
    assert (await store.get(PATH)).data == whole


async def test_a_value_and_the_depth_of_a_field_and_the_entries_have_their_own_limits(limited):
    store, limits = limited
    await refused(store, {"v": "a" * (limits.value_bytes + 1)}, "value|longer")
    await refused(store, nested(limits.depth + 1), "nested|invalid nested entity")
    await refused(store, entries(limits.index_entries + 1), f"{limits.index_entries + 1:,} index entries")
    for fitting in ({"v": "a" * limits.value_bytes}, nested(limits.depth), entries(limits.index_entries)):
        await store.set(PATH, fitting)
        assert (await store.get(PATH)).data == fitting


async def test_what_grows_by_changes_is_refused_when_the_whole_is_too_large(limited):
    store, limits = limited
    half = "a" * (limits.bytes // 2)
    await store.set(PATH, {"one": half, "list": []})
    for change in ({"two": half}, {"list": ArrayUnion((half,))}):
        with pytest.raises(UnstorableDocument):
            await store.upsert(PATH, change)
        with pytest.raises(UnstorableDocument):
            await store.update(PATH, change)
        with pytest.raises(UnstorableDocument):
            await store.transaction(lambda tx, change=change: writing(tx, Upsert(PATH, change)))
    assert (await store.get(PATH)).data == {"one": half, "list": []}
    await store.upsert(PATH, {"one": "", "two": half, "count": Increment(1)})
    assert (await store.get(PATH)).data["two"] == half


async def test_the_emulator_itself_draws_two_of_the_lines_where_we_do(firestore_emulator, tmp_path):
    wide = Limits(*[10**9] * len(Limits._fields))
    store = FirestoreStore(project_of(tmp_path), emulator_host=firestore_emulator, limits=wide)
    try:
        for taken in (nested(MAX_DEPTH), {"v": "a" * MAX_VALUE_BYTES}, {"l": [{"v": b"a" * MAX_VALUE_BYTES}]}):
            await store.set(PATH, taken)
            check_document(PATH, taken)
        for over in (nested(MAX_DEPTH + 1), {"v": "a" * (MAX_VALUE_BYTES + 1)}, {"v": b"a" * (MAX_VALUE_BYTES + 1)}):
            with pytest.raises(UnstorableDocument) as caught:
                await store.set(PATH, over)
            assert isinstance(caught.value.__cause__.__cause__, InvalidArgument), "the emulator's own refusal"
            with pytest.raises(UnstorableDocument):
                check_document(PATH, over)
    finally:
        await store.aclose()


def test_the_table_of_exempt_fields_is_that_of_the_declared_indexes():
    assert declared().exempt == UNINDEXED
    groups = [index.group for index in declared().composite]
    assert {group: groups.count(group) for group in groups} == COMPOSITE


def test_what_is_exempt_has_no_entries_and_a_map_has_those_of_its_fields():
    assert index_entries("chats/1/index/a", {"payload": list(range(100_000))}) == 0
    assert index_entries("chats/1/other/a", {"m": {"a": 1, "l": [1, 2, 3]}, "v": Vector((1.0,)), "n": None}) == 7
    assert index_entries("chats/1/facts/a", {}) == COMPOSITE["facts"]


@pytest.mark.parametrize(("value", "depth"), [(1, 0), ([], 1), ({"a": [{}]}, 3), (Vector((1.0,)), 0), ("[[", 0)])
def test_depth_counts_maps_and_lists(value, depth):
    assert depth_of(value) == depth


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = (
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(-1e9, 1e9)
    | texts | st.binary(max_size=6) | st.datetimes(timezones=st.just(UTC)) | st.just(Vector((0.5, -0.25)))
)  # fmt: skip
keys = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5).filter(
    lambda k: not k.startswith("__")
)
maps = st.recursive(
    st.dictionaries(keys, scalars, max_size=4),
    lambda inner: st.dictionaries(keys, inner | st.lists(inner | scalars.filter(lambda v: not isinstance(v, Vector)))),
    max_leaves=20,
)


@given(maps, st.integers(60, 900), st.integers(4, 60), st.integers(0, 12))
def test_what_surely_fits_does_fit(data, size, count, depth):
    limits = Limits(size, size - 10, count, depth)
    if surely_fits(PATH, data, limits):
        assert document_bytes(PATH, data) <= size
        assert index_entries(PATH, data) <= count
        assert max(map(depth_of, data.values()), default=0) <= depth


@given(maps, maps)
def test_a_document_of_two_parts_has_the_bytes_of_both(one, other):
    other = {f"{key}~": value for key, value in other.items() if f"{key}~" not in one}
    alone = document_bytes(PATH, {})
    sum_of_both = document_bytes(PATH, one) + document_bytes(PATH, other) - alone
    assert document_bytes(PATH, one | other) == sum_of_both


@given(maps)
def test_only_the_path_with_its_exact_size_is_taken(data):
    size = document_bytes(PATH, data)
    check_document(PATH, data, Limits(bytes=size))
    with pytest.raises(UnstorableDocument):
        check_document(PATH, data, Limits(bytes=size - 1))


def test_an_ordinary_message_surely_fits_and_so_needs_no_exact_count():
    written = Message(-1, 7, datetime(2026, 1, 1, tzinfo=UTC), 101, "Оля", "olia", "ї" * 4096)
    fields = new_message_fields(written, now=written.sent_at, retention=timedelta(days=90))
    assert surely_fits("chats/-1/messages/7", fields)
