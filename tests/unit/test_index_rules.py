"""Which indexes a query needs, and that the check would notice a missing one."""

import json
from contextlib import nullcontext

import pytest

from shared.application.ports.store import Filter, Order
from tests.conftest import IndexedSqliteStore
from tests.support.faults import DyingStore
from tests.support.google.indexes import FILE, UndeclaredQuery, declared_in, shape_of


def _index(*fields, group="facts", scope="COLLECTION"):
    return {"collectionGroup": group, "queryScope": scope, "fields": list(fields)}


def _up(name):
    return {"fieldPath": name, "order": "ASCENDING"}


def _down(name):
    return {"fieldPath": name, "order": "DESCENDING"}


def _file(*indexes, exempt=()):
    overrides = [{"collectionGroup": group, "fieldPath": field, "indexes": []} for group, field in exempt]
    return declared_in(json.dumps({"indexes": list(indexes), "fieldOverrides": overrides}))


def _served(indexes, where=(), order_by=()):
    return indexes.serving(shape_of("chats/-1/facts", where, order_by)) is not None


IS, HAS, ONE_OF, LATE = (
    Filter("status", "==", "active"),
    Filter("supporters", "array_contains", 7),
    Filter("kind", "in", ["a", "b"]),
    Filter("at", ">=", 1),
)
OLDEST, NEWEST = Order("at"), Order("at", descending=True)


@pytest.mark.parametrize(
    ("where", "order_by"),
    [
        ([], []),
        ([IS], []),
        ([IS, HAS, ONE_OF, Filter("subject", "==", "chat")], []),
        ([LATE], []),
        ([LATE, Filter("at", "<", 9)], [OLDEST]),
        ([LATE], [NEWEST]),
        ([], [NEWEST]),
        ([Filter("m.deep", "==", 1)], []),
        ([IS], [Order("status")]),  # what equals one value is in order
    ],
)
def test_every_field_has_indexes_of_its_own_and_equality_merges_them(where, order_by):
    assert _served(_file(), where, order_by)


@pytest.mark.parametrize(
    ("where", "order_by", "serving"),
    [
        ([IS], [OLDEST], _index(_up("status"), _up("at"))),
        ([IS], [NEWEST], _index(_up("status"), _down("at"))),
        ([IS, LATE], [], _index(_up("status"), _up("at"))),
        ([IS, LATE], [NEWEST], _index(_up("status"), _down("at"))),
        ([HAS], [OLDEST], _index({"fieldPath": "supporters", "arrayConfig": "CONTAINS"}, _up("at"))),
        ([ONE_OF], [OLDEST], _index(_up("kind"), _up("at"))),
    ],
)
def test_equality_beside_an_order_or_a_range_needs_an_index_that_ends_in_that_order(where, order_by, serving):
    assert _served(_file(serving), where, order_by)
    assert not _served(_file(), where, order_by)


def test_an_index_is_read_in_one_direction():
    assert not _served(_file(_index(_up("status"), _up("at"))), [IS], [NEWEST])


def test_an_index_of_another_collection_serves_nothing():
    assert not _served(_file(_index(_up("status"), _up("at"), group="chunks")), [IS], [OLDEST])


def test_an_index_for_one_value_does_not_serve_a_list_that_holds_it():
    assert not _served(_file(_index(_up("supporters"), _up("at"))), [HAS], [OLDEST])


def test_an_index_with_a_field_too_many_does_not_serve():
    assert not _served(_file(_index(_up("status"), _up("kind"), _up("at"))), [IS], [OLDEST])


def test_two_indexes_with_the_same_order_are_merged():
    both = _file(_index(_up("status"), _up("at")), _index(_up("kind"), _up("at")))
    asked = shape_of("facts", [IS, ONE_OF], [OLDEST])
    assert both.serving(asked) == both.composite
    assert _file(_index(_up("status"), _up("at"))).serving(asked) is None


def test_two_orders_and_two_ranges_are_not_served_by_indexes_of_one():
    assert not _served(_file(_index(_up("at"), _up("rank"))), [LATE, Filter("rank", ">", 1)], [OLDEST, NEWEST])
    assert not _served(_file(), [], [OLDEST, Order("rank")])
    assert not _served(_file(), [LATE], [Order("rank")])


@pytest.mark.parametrize(
    ("where", "order_by"),
    [([Filter("payload", "==", 1)], []), ([Filter("payload.deep", ">", 1)], []), ([], [Order("payload")])],
)
def test_a_query_on_an_exempt_field_is_refused(where, order_by):
    exempt = _file(exempt=[("index", "payload")])
    assert exempt.serving(shape_of("chats/-1/index", where, order_by)) is None
    assert exempt.serving(shape_of("chats/-1/other", where, order_by)) is not None


def test_an_exempt_field_is_served_by_a_composite_index():
    assert _served(_file(_index(_up("status"), _up("at")), exempt=[("facts", "status")]), [IS], [OLDEST])


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"indexes": [_index(_up("a"), _up("b"), scope="COLLECTION_GROUP")], "fieldOverrides": []}),
        json.dumps({"indexes": [], "fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "indexes": [{}]}]}),
    ],
)
def test_a_declaration_that_the_check_does_not_understand_is_an_error(text):
    with pytest.raises(ValueError, match=r"asks a collection group|Only exemptions"):
        declared_in(text)


def test_the_repositorys_file_is_understood_and_names_nothing_twice():
    read = json.loads(FILE.read_text("utf-8"))
    indexes = declared_in(FILE.read_text("utf-8"))
    assert len(indexes.composite) == len(read["indexes"])
    assert len(indexes.exempt) == len(read["fieldOverrides"])


@pytest.mark.parametrize("wrap", [lambda store: store, DyingStore], ids=["the fixtures", "a running group"])
@pytest.mark.parametrize(
    ("where", "order_by", "refused"),
    [([IS], [Order("valid_from")], True), ([IS], [Order("last_reinforced_at")], False), ([], [OLDEST], False)],
)
async def test_the_stores_of_tests_refuse_what_no_declared_index_serves(sqlite_store, wrap, where, order_by, refused):
    store = wrap(sqlite_store)
    with pytest.raises(UndeclaredQuery, match="declares no index that serves") if refused else nullcontext():
        await store.query("chats/-1/facts", where=where, order_by=order_by)
    assert isinstance(sqlite_store, IndexedSqliteStore)


async def test_counting_is_checked_too(sqlite_store):
    assert await sqlite_store.count("chats/-1/facts", where=[IS]) == 0
    with pytest.raises(UndeclaredQuery):
        await sqlite_store.count("chats/-1/facts", where=[IS, LATE])
