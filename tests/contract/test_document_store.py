"""The contract of the DocumentStore port, sentence by sentence, over every adapter."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from shared.application.ports.store import (
    DELETE_FIELD,
    MAX_BATCH_WRITES,
    ArrayUnion,
    Create,
    Delete,
    Document,
    DocumentStore,
    Filter,
    Increment,
    Order,
    Set,
    StoreUsage,
    Transaction,
    Upsert,
    Vector,
)
from shared.domain.errors import PathTaken, UnstorableDocument
from tests.support.stores.documents import below, data_of, ids

NOON = datetime(2026, 11, 3, 12, 0, 0, 123456, tzinfo=UTC)


async def fill(store: DocumentStore, collection: str, documents: dict[str, dict[str, Any]]) -> None:
    await store.batch([Set(f"{collection}/{name}", data) for name, data in documents.items()])


async def found(store: DocumentStore, *where: Filter) -> list[str]:
    return ids(await store.query("things", where=where))


# --- One document ------------------------------------------------------------------------------


async def test_an_absent_document_is_none(store: DocumentStore) -> None:
    assert await store.get("chats/1") is None


async def test_what_is_set_is_what_is_read(store: DocumentStore) -> None:
    data = {
        "none": None,
        "yes": True,
        "no": False,
        "zero": 0,
        "big": 2**63 - 1,
        "small": -(2**63),
        "float": 0.1,
        "whole_float": 2.0,
        "text": "спомин 🫧 \x00\x01\x02 \"quoted\" 'single' \\ \n end",
        "empty": "",
        "at": NOON,
        "list": [1, "two", None, {"three": [4, {"five": NOON}]}],
        "map": {"nested": {"deeper": {"deepest": [True]}}, "empty": {}, "empty_list": []},
        "vector": Vector([0.1, -2.5, 1e-300]),
        "bytes": bytes(range(256)) + "спомин".encode(),
        "no_bytes": b"",
        "deep_bytes": {"list": [b"\x00", {"map": b"\xff"}]},
    }

    await store.set("chats/1", data)

    read = await store.get("chats/1")
    assert read == Document("chats/1", data)
    assert read.id == "1"
    assert {name: type(value) for name, value in read.data.items()} == {k: type(v) for k, v in data.items()}


async def test_a_datetime_of_any_zone_reads_back_as_the_same_instant_in_utc(store: DocumentStore) -> None:
    kyiv = timezone(timedelta(hours=2))

    await store.set("chats/1", {"at": NOON.astimezone(kyiv)})

    assert (await data_of(store, "chats/1"))["at"].isoformat() == NOON.isoformat()


async def test_fields_may_have_odd_names(store: DocumentStore) -> None:
    odd = ["a.b", "it's", 'say "hi"', "back`tick", "back\\slash", "$t", "$", "%24", "tab\there", "ім'я", "~*/[]", "a b"]
    await store.set("chats/1", {name: {name: 1} for name in odd})

    await store.upsert("chats/1", {name: {name: 2} for name in odd[:6]})
    await store.update("chats/1", {name: {name: 2} for name in odd[6:]})

    assert await data_of(store, "chats/1") == {name: {name: 2} for name in odd}


async def test_ids_may_be_any_text_without_a_slash(store: DocumentStore) -> None:
    for name in ("-100", "name with space", "ключ", "it's", "0-9"):
        assert await store.create(f"chats/{name}/messages/{name}", {"name": name})
        assert (await data_of(store, f"chats/{name}/messages/{name}")) == {"name": name}


async def test_many_documents_come_in_the_order_asked_for(store: DocumentStore) -> None:
    await fill(store, "things", {"a": {"n": 1}, "b": {"n": 2}})

    read = await store.get_many(["things/b", "things/x", "things/a", "things/b"])

    assert [each and each.data["n"] for each in read] == [2, None, 1, 2]
    assert await store.get_many([]) == []


async def test_create_refuses_a_repeat_and_keeps_the_first(store: DocumentStore) -> None:
    assert await store.create("updates/7", {"by": "first"}) is True
    assert await store.create("updates/7", {"by": "second"}) is False
    assert await data_of(store, "updates/7") == {"by": "first"}


async def test_of_concurrent_creates_exactly_one_wins(store: DocumentStore) -> None:
    won = await asyncio.gather(*(store.create("updates/7", {"by": n}) for n in range(5)))

    assert sorted(won) == [False, False, False, False, True]
    assert await data_of(store, "updates/7") == {"by": won.index(True)}


async def test_set_replaces_the_whole_document(store: DocumentStore) -> None:
    await store.set("chats/1", {"a": 1, "b": 2})
    await store.set("chats/1", {"c": 3})

    assert await data_of(store, "chats/1") == {"c": 3}


async def test_delete_leaves_what_lies_under_the_document_and_may_be_repeated(store: DocumentStore) -> None:
    await store.set("chats/1", {})
    await store.set("chats/1/messages/2", {"text": "kept"})

    await store.delete("chats/1")
    await store.delete("chats/1")

    assert await store.get("chats/1") is None
    assert await data_of(store, "chats/1/messages/2") == {"text": "kept"}


# --- Changing fields ---------------------------------------------------------------------------


async def test_upsert_replaces_named_fields_whole_and_keeps_the_others(store: DocumentStore) -> None:
    await store.set("chats/1", {"map": {"a": 1, "b": 2}, "list": [1, 2], "kept": True})

    await store.upsert("chats/1", {"map": {"c": 3}, "list": [3]})

    assert await data_of(store, "chats/1") == {"map": {"c": 3}, "list": [3], "kept": True}


async def test_upsert_empties_a_map(store: DocumentStore) -> None:
    await store.set("chats/1", {"map": {"a": 1}})
    await store.upsert("chats/1", {"map": {}})

    assert await data_of(store, "chats/1") == {"map": {}}


@pytest.mark.parametrize("changes", [{}, {"a": 1}, {"gone": DELETE_FIELD}])
async def test_upsert_makes_the_document(store: DocumentStore, changes: dict[str, Any]) -> None:
    await store.upsert("chats/1", changes)

    assert await data_of(store, "chats/1") == {name: value for name, value in changes.items() if name != "gone"}


async def test_update_changes_named_fields_only(store: DocumentStore) -> None:
    await store.set("chats/1", {"map": {"a": 1}, "kept": True})

    assert await store.update("chats/1", {"map": {"b": {"c": 2}}}) is True
    assert await store.update("chats/1", {}) is True

    assert await data_of(store, "chats/1") == {"map": {"b": {"c": 2}}, "kept": True}


@pytest.mark.parametrize("changes", [{}, {"a": 1}, {"a": Increment(1)}])
async def test_update_of_an_absent_document_does_nothing(store: DocumentStore, changes: dict[str, Any]) -> None:
    assert await store.update("chats/1", changes) is False
    assert await store.get("chats/1") is None


@pytest.mark.parametrize("method", ["update", "upsert"])
async def test_transforms_change_what_is_there(store: DocumentStore, method: str) -> None:
    await store.set("chats/1", {"n": 1, "f": 1, "list": ["a"], "gone": 1, "text": "not a number", "kept": NOON})

    await getattr(store, method)(
        "chats/1",
        {
            "n": Increment(2),
            "f": Increment(0.5),
            "absent": Increment(-3),
            "text": Increment(4),
            "list": ArrayUnion(("a", "b", "b", {"at": NOON})),
            "new_list": ArrayUnion((1, 1, 2)),
            "gone": DELETE_FIELD,
            "never": DELETE_FIELD,
            "plain": "value",
        },
    )

    assert await data_of(store, "chats/1") == {
        "n": 3,
        "f": 1.5,
        "absent": -3,
        "text": 4,
        "list": ["a", "b", {"at": NOON}],
        "new_list": [1, 2],
        "plain": "value",
        "kept": NOON,
    }


async def test_transforms_work_on_a_document_that_upsert_makes(store: DocumentStore) -> None:
    await store.upsert("chats/1/usage/today", {"calls": Increment(1), "models": ArrayUnion(("m",))})
    await store.upsert("chats/1/usage/today", {"calls": Increment(1), "models": ArrayUnion(("m",))})

    assert await data_of(store, "chats/1/usage/today") == {"calls": 2, "models": ["m"]}


async def test_a_batch_tells_what_the_increments_of_each_write_came_to(store: DocumentStore) -> None:
    await store.set("chats/1", {"n": 1, "f": 0.5, "text": "no number"})
    changes = {"z": ArrayUnion(("m",)), "n": Increment(-3), "f": Increment(0.25), "text": Increment(4), "plain": "x"}
    more = {"n": Increment(10), "odd name": Increment(1), "a": ArrayUnion(("m",)), "kept": DELETE_FIELD}

    assert await store.batch(
        [Upsert("chats/1", changes), Set("chats/2", {"n": 1}), Upsert("chats/3", more), Delete("chats/4")]
    ) == [{"n": -2, "f": 0.75, "text": 4}, {}, {"n": 10, "odd name": 1}, {}]
    assert await store.batch([]) == []


async def test_of_many_who_add_at_once_each_is_told_another_sum(store: DocumentStore) -> None:
    told = await asyncio.gather(*(store.batch([Upsert("chats/1", {"n": Increment(5)})]) for _ in range(20)))
    assert sorted(each["n"] for (each,) in told) == [5 * number for number in range(1, 21)]


async def test_a_union_with_nothing_makes_an_absent_list_empty_and_keeps_a_present_one(store):
    await store.upsert("chats/1", {"list": ArrayUnion(())})
    assert (await store.get("chats/1")).data == {"list": []}
    await store.upsert("chats/1", {"list": ArrayUnion(("a",))})
    await store.upsert("chats/1", {"list": ArrayUnion(())})
    assert (await store.get("chats/1")).data == {"list": ["a"]}


async def test_a_union_tells_true_from_one(store: DocumentStore) -> None:
    await store.set("chats/1", {"list": [1]})
    await store.upsert("chats/1", {"list": ArrayUnion((True,))})

    assert [type(value) for value in (await data_of(store, "chats/1"))["list"]] == [int, bool]


# --- What no document can hold -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"text": "\ud800"}, "text"),
        ({"map": {"inner": "x\udfff"}}, "map.inner"),
        ({"list": ["fine", "\ud83d"]}, "list"),
        ({"\ud800": 1}, ""),
        ({"at": datetime(2026, 1, 1)}, "at"),
        ({"n": 2**63}, ""),
        ({"n": float("nan")}, "n"),
        ({"n": float("inf")}, "n"),
        ({"list": [[1]]}, ""),
        ({"list": [Vector([1.0])]}, ""),
        ({"x": object()}, "x"),
        ({"x": {1, 2}}, "x"),
        ({"x": b"x" * (1 << 20)}, ""),
        ({"x": Increment(1)}, "x"),
        ({"x": {"y": DELETE_FIELD}}, "x.y"),
        ({"": 1}, ""),
        ({"__reserved__": 1}, "__reserved__"),
        ({"v": Vector([0.5] * 2049)}, "v"),
        ({"text": "x" * (1 << 20)}, ""),
    ],
)
async def test_what_no_document_can_hold_is_refused_by_name(store: DocumentStore, data: Any, named: str) -> None:
    with pytest.raises(UnstorableDocument) as refused:
        await store.set("chats/1", data)

    assert str(refused.value).startswith("chats/1: ")
    assert named in str(refused.value)
    assert refused.value.paths == ("chats/1",)
    assert await store.get("chats/1") is None


async def test_every_way_of_writing_refuses_what_no_document_can_hold(store: DocumentStore) -> None:
    async def write(transaction: Transaction) -> None:
        transaction.write(Set("chats/1", {"text": "\ud800"}))

    await store.set("chats/2", {"n": 1})
    ways = [
        lambda: store.create("chats/1", {"text": "\ud800"}),
        lambda: store.upsert("chats/1", {"text": "\ud800"}),
        lambda: store.update("chats/2", {"text": "\ud800"}),
        lambda: store.update("chats/2", {"text": "x" * (1 << 20)}),
        lambda: store.batch([Set("chats/1", {}), Set("chats/2", {"text": "\ud800"})]),
        lambda: store.batch([Set("chats/1", {}), Set("chats/2", {"text": "x" * (1 << 20)})]),
        lambda: store.transaction(write),
    ]
    for way in ways:
        with pytest.raises(UnstorableDocument):
            await way()

    assert await store.get("chats/1") is None
    assert await data_of(store, "chats/2") == {"n": 1}


@pytest.mark.parametrize("path", ["", "chats", "chats/", "/chats", "chats/1/messages", "chats//messages/1", "a/\ud800"])
async def test_a_wrong_path_is_a_value_error(store: DocumentStore, path: str) -> None:
    with pytest.raises(ValueError):
        await store.get(path)
    with pytest.raises(ValueError):
        await store.set(path, {})


@pytest.mark.parametrize("collection", ["", "chats/1", "chats/", "a//b"])
async def test_a_wrong_collection_is_a_value_error(store: DocumentStore, collection: str) -> None:
    with pytest.raises(ValueError):
        await store.query(collection)


# --- Filters -----------------------------------------------------------------------------------

THINGS: dict[str, dict[str, Any]] = {
    "bool": {"value": True},
    "early": {"value": NOON},
    "float": {"value": 1.5},
    "late": {"value": NOON + timedelta(microseconds=1)},
    "list": {"value": [1, "a", NOON, {"k": 1}]},
    "map": {"value": {"k": 1, "text": "deep", "at": NOON}},
    "missing": {"other": 1},
    "null": {"value": None},
    "one": {"value": 1},
    "text": {"value": "a"},
    "two": {"value": 2},
    "two_text": {"value": "б"},
}


@pytest.mark.parametrize(
    ("op", "value", "expected"),
    [
        ("==", 1, ["one"]),
        ("==", 1.0, ["one"]),
        ("==", 1.5, ["float"]),
        ("==", True, ["bool"]),
        ("==", False, []),
        ("==", "a", ["text"]),
        ("==", "1", []),
        ("==", None, ["null"]),
        ("==", NOON, ["early"]),
        ("==", NOON.astimezone(timezone(timedelta(hours=5))), ["early"]),
        ("==", NOON.isoformat(), []),
        ("==", [1, "a", NOON, {"k": 1}], ["list"]),
        ("==", {"at": NOON, "text": "deep", "k": 1}, ["map"]),
        ("==", {"k": 1}, []),
        (">", 1, ["float", "two"]),
        (">=", 1, ["float", "one", "two"]),
        ("<", 2, ["float", "one"]),
        ("<=", 1.5, ["float", "one"]),
        (">", NOON, ["late"]),
        ("<=", NOON, ["early"]),
        (">=", "", ["text", "two_text"]),
        ("<", "б", ["text"]),
        (">=", False, ["bool"]),
        ("<", True, []),
        ("in", [1, "a", "absent"], ["one", "text"]),
        ("in", [True, NOON], ["bool", "early"]),
        ("in", [], []),
        ("array_contains", 1, ["list"]),
        ("array_contains", "a", ["list"]),
        ("array_contains", True, []),
        ("array_contains", NOON, ["list"]),
        ("array_contains", {"k": 1}, ["list"]),
        ("array_contains", "b", []),
    ],
)
async def test_a_filter_matches_values_of_its_own_type(
    store: DocumentStore, op: Any, value: Any, expected: list[str]
) -> None:
    await fill(store, "things", THINGS)
    where = [Filter("value", op, value)]

    assert ids(await store.query("things", where=where)) == expected
    assert await store.count("things", where=where) == len(expected)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ([Filter("value.text", "==", "deep")], ["map"]),
        ([Filter("value.k", ">", 0)], ["map"]),
        ([Filter("value.at", "<=", NOON)], ["map"]),
        ([Filter("value.absent", "==", None)], []),
        ([Filter("value", "==", "a"), Filter("other", "==", 1)], []),
        ([Filter("value", ">", 1), Filter("value", "<", 2)], ["float"]),
    ],
)
async def test_filters_reach_into_maps_and_all_must_pass(
    store: DocumentStore, filters: list[Filter], expected: list[str]
) -> None:
    await fill(store, "things", THINGS)

    assert await found(store, *filters) == expected


async def test_texts_that_differ_behind_a_nul_are_different(store: DocumentStore) -> None:
    await fill(store, "things", {"1": {"value": "a\x00b"}, "2": {"value": "a\x00c"}, "3": {"value": "a"}})

    assert await found(store, Filter("value", "==", "a\x00b")) == ["1"]
    assert await found(store, Filter("value", ">", "a")) == ["1", "2"]


async def test_a_filter_finds_a_field_of_an_odd_name(store: DocumentStore) -> None:
    await fill(store, "things", {"1": {"it's": 1, 'a"b': {"$t": 2}}, "2": {"it's": 2}})

    assert await found(store, Filter("it's", "==", 1), Filter('a"b.$t', "==", 2)) == ["1"]


@pytest.mark.parametrize(
    "where",
    [
        Filter("value", "<", None),
        Filter("value", "array_contains", None),
        Filter("value", "in", list(range(31))),
        Filter("", "==", 1),
        Filter("a..b", "==", 1),
        Filter("value", "==", "\ud800"),
    ],
)
async def test_a_filter_that_cannot_be_asked_is_a_value_error(store: DocumentStore, where: Filter) -> None:
    with pytest.raises(ValueError):
        await store.query("things", where=[where])
    with pytest.raises(ValueError):
        await store.count("things", where=[where])


# --- Order, pages and count --------------------------------------------------------------------

RANKED = {
    "a": {"rank": 1, "at": NOON, "kind": "x"},
    "b": {"rank": 2, "at": NOON, "kind": "x"},
    "c": {"rank": 1, "at": NOON + timedelta(seconds=1), "kind": "y"},
    "d": {"rank": 2, "at": NOON, "kind": "x"},
    "e": {"rank": None, "at": NOON, "kind": "x"},
    "f": {"kind": "x"},
    "g": {"rank": 0.3, "at": NOON - timedelta(days=1), "kind": "x"},
}


async def test_without_an_order_documents_come_by_id(store: DocumentStore) -> None:
    await fill(store, "things", {name: {} for name in ("b", "10", "a", "9", "B", "я")})
    await store.set("things/a/deeper/c", {})
    await store.set("others/z", {})

    assert ids(await store.query("things")) == ["10", "9", "B", "a", "b", "я"]


ORDERS = [
    ([], ["a", "b", "c", "d", "e", "f", "g"]),
    ([Order("rank")], ["e", "g", "a", "c", "b", "d"]),
    ([Order("rank", descending=True)], ["d", "b", "c", "a", "g", "e"]),
    ([Order("rank"), Order("at", descending=True)], ["e", "g", "c", "a", "d", "b"]),
    ([Order("rank", descending=True), Order("at")], ["b", "d", "a", "c", "g", "e"]),
    ([Order("at", descending=True)], ["c", "e", "d", "b", "a", "g"]),
    ([Order("kind"), Order("rank")], ["e", "g", "a", "b", "d", "c"]),
]


@pytest.mark.parametrize(("order_by", "expected"), ORDERS)
async def test_documents_come_in_order_and_those_without_the_field_are_left_out(
    store: DocumentStore, order_by: list[Order], expected: list[str]
) -> None:
    await fill(store, "things", RANKED)

    assert ids(await store.query("things", order_by=order_by)) == expected


async def test_a_query_brings_only_the_fields_it_is_asked_for(store: DocumentStore) -> None:
    await fill(
        store, "things", {"a": {"kind": "x", "rank": 1, "o dd": {"deep": 1}}, "b": {"kind": "x"}, "c": {"kind": "y"}}
    )
    where = [Filter("kind", "==", "x")]

    found = await store.query("things", where=where, fields=["rank", "o dd"])
    assert found == [Document("things/a", {"rank": 1, "o dd": {"deep": 1}}), Document("things/b", {})]
    ranged = await store.query("things", where=[Filter("rank", ">", 0)], fields=["kind"])
    assert ranged == [Document("things/a", {"kind": "x"})]
    assert await store.query("things", where=where, fields=[]) == [Document("things/a", {}), Document("things/b", {})]


async def test_the_fields_that_a_query_is_asked_for_are_names_and_no_paths_into_maps(store: DocumentStore) -> None:
    await fill(store, "things", {"a": {"a": {"b": 1, "c": 2}, "a.b": 3, "`": 4, "n": None}, "b": {"a": {"b": 5}}})

    found = await store.query("things", fields=["a.b", "`", "n", "n"])
    assert found == [Document("things/a", {"a.b": 3, "`": 4, "n": None}), Document("things/b", {})]
    whole = await store.query("things", fields=["a"])
    assert whole == [Document("things/a", {"a": {"b": 1, "c": 2}}), Document("things/b", {"a": {"b": 5}})]


async def test_what_a_query_leaves_out_changes_neither_its_order_nor_its_pages(store: DocumentStore) -> None:
    ranks = {"a": 3, "b": 1, "c": 2, "d": 5, "e": 4}
    await fill(store, "things", {name: {"rank": rank, "kind": name} for name, rank in ranks.items()})
    by_rank = [Order("rank")]

    found = await store.query("things", order_by=by_rank, fields=["kind"])
    assert [document.data for document in found] == [{"kind": name} for name in "bcaed"]
    page = await store.query("things", order_by=by_rank, fields=["rank"], limit=2)
    assert ids(await store.query("things", order_by=by_rank, fields=["kind"], after=page[-1])) == ["a", "e", "d"]
    ranged = await store.query("things", where=[Filter("rank", ">", 2)], fields=["kind"], limit=2)
    assert ids(ranged) == ["a", "d"]
    with pytest.raises(ValueError, match="lacks the field 'rank'"):
        await store.query("things", order_by=by_rank, after=found[1])


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(("order_by", "expected"), ORDERS)
async def test_pages_neither_skip_nor_repeat(
    store: DocumentStore, order_by: list[Order], expected: list[str], size: int
) -> None:
    await fill(store, "things", RANKED)
    seen: list[Document] = []

    while page := await store.query("things", order_by=order_by, limit=size, after=seen[-1] if seen else None):
        assert len(page) <= size
        seen.extend(page)

    assert ids(seen) == expected


async def test_the_cursor_need_not_exist_and_only_its_order_fields_matter(store: DocumentStore) -> None:
    await fill(store, "things", RANKED)

    after = Document("things/bb", {"rank": 2, "unrelated": object})

    assert ids(await store.query("things", order_by=[Order("rank")], after=after)) == ["d"]
    assert ids(await store.query("things", after=Document("things/dd", {}))) == ["e", "f", "g"]
    with pytest.raises(ValueError, match="rank"):
        await store.query("things", order_by=[Order("rank")], after=Document("things/a", {}))


async def test_equality_goes_with_an_order_on_another_field_and_a_cursor(store: DocumentStore) -> None:
    await fill(store, "things", RANKED)
    where, order_by = [Filter("kind", "==", "x")], [Order("rank", descending=True)]

    first = await store.query("things", where=where, order_by=order_by, limit=2)
    rest = await store.query("things", where=where, order_by=order_by, after=first[-1])

    assert (ids(first), ids(rest)) == (["d", "b"], ["a", "g", "e"])


async def test_a_range_goes_with_its_own_order_and_a_cursor(store: DocumentStore) -> None:
    await fill(store, "things", RANKED)
    where, order_by = [Filter("rank", ">=", 1), Filter("kind", "==", "x")], [Order("rank")]

    first = await store.query("things", where=where, order_by=order_by, limit=2)
    rest = await store.query("things", where=where, order_by=order_by, after=first[-1])

    assert (ids(first), ids(rest)) == (["a", "b"], ["d"])


async def test_a_range_without_an_order_comes_by_id_in_pages(store: DocumentStore) -> None:
    await fill(store, "things", RANKED)
    where = [Filter("rank", "<=", 2)]

    first = await store.query("things", where=where, limit=2)
    rest = await store.query("things", where=where, after=first[-1])

    assert (ids(first), ids(rest)) == (["a", "b"], ["c", "d", "g"])


async def test_an_order_may_reach_into_a_map(store: DocumentStore) -> None:
    await fill(store, "things", {"a": {"m": {"n": 2}}, "b": {"m": {"n": 1}}, "c": {"m": 3}, "d": {"m": {"n": 2}}})

    first = await store.query("things", order_by=[Order("m.n", descending=True)], limit=1)
    rest = await store.query("things", order_by=[Order("m.n", descending=True)], after=first[-1])

    assert ids(first + rest) == ["d", "a", "b"]


async def test_a_limit_bounds_the_result(store: DocumentStore) -> None:
    await fill(store, "things", RANKED)

    assert ids(await store.query("things", limit=2)) == ["a", "b"]
    assert await store.query("things", limit=0) == []
    with pytest.raises(ValueError):
        await store.query("things", limit=-1)


async def test_count_counts_what_query_would_return(store: DocumentStore) -> None:
    await fill(store, "things", RANKED)

    assert await store.count("things") == 7
    assert await store.count("things", where=[Filter("kind", "==", "x")]) == 6
    assert await store.count("nothing") == 0


# --- Subtree -----------------------------------------------------------------------------------


async def test_a_subtree_is_all_below_at_any_depth_and_nothing_else(store: DocumentStore) -> None:
    inside = [
        "chats/1/facts/f",
        "chats/1/facts/f/versions/1",
        "chats/1/missing/parent/under/it/and/deeper",
        "chats/1/messages/1",
        "chats/1/messages2/1",
    ]
    outside = ["chats/1", "chats/10/messages/1", "chats/1-/messages/1", "chats/2/messages/1", "chat/1/messages/1"]
    await store.batch([Set(path, {"path": path}) for path in inside + outside])

    assert await below(store, "chats/1") == sorted(inside)
    assert await below(store, "chats/1/missing/parent") == ["chats/1/missing/parent/under/it/and/deeper"]
    assert await below(store, "chats/none") == []
    async for document in store.subtree("chats/1"):
        assert document.data == {"path": document.path}


async def test_a_subtree_of_many_pages_can_be_removed_while_it_streams(store: DocumentStore) -> None:
    await store.batch([Set(f"chats/1/messages/{n}", {}) for n in range(500)])
    await store.batch([Set(f"chats/1/facts/{n}", {}) for n in range(150)])
    seen = []

    async for document in store.subtree("chats/1"):
        seen.append(document.path)
        if len(seen) % 100 == 0:
            await store.batch([Delete(path) for path in seen[-100:]])

    assert len(set(seen)) == 650
    assert len(await below(store, "chats/1")) == 50


# --- Batches -----------------------------------------------------------------------------------


async def test_a_batch_applies_every_kind_of_write(store: DocumentStore) -> None:
    await fill(store, "things", {"set": {"old": 1}, "upsert": {"old": 1}, "delete": {"old": 1}})

    await store.batch(
        [
            Create("things/create", {"new": 1}),
            Set("things/set", {"new": 1}),
            Upsert("things/upsert", {"new": Increment(1)}),
            Delete("things/delete"),
            Delete("things/absent"),
        ]
    )

    assert {document.id: document.data for document in await store.query("things")} == {
        "create": {"new": 1},
        "set": {"new": 1},
        "upsert": {"old": 1, "new": 1},
    }


async def test_a_batch_with_a_taken_path_changes_nothing(store: DocumentStore) -> None:
    await store.set("things/taken", {})

    with pytest.raises(PathTaken):
        await store.batch([Set("things/a", {}), Create("things/taken", {"new": 1}), Delete("things/taken")])

    assert ids(await store.query("things")) == ["taken"]
    assert await data_of(store, "things/taken") == {}


async def test_a_batch_with_an_impossible_value_changes_nothing(store: DocumentStore) -> None:
    with pytest.raises(UnstorableDocument, match="things/b"):
        await store.batch([Set("things/a", {}), Set("things/b", {"x": "\ud800"})])

    assert await store.query("things") == []


async def test_a_batch_takes_five_hundred_writes_and_no_more(store: DocumentStore) -> None:
    writes = [Set(f"things/{n}", {}) for n in range(MAX_BATCH_WRITES + 1)]

    with pytest.raises(ValueError, match="500"):
        await store.batch(writes)
    assert await store.count("things") == 0

    await store.batch(writes[:-1])
    await store.batch([])
    assert await store.count("things") == MAX_BATCH_WRITES


# --- Transactions ------------------------------------------------------------------------------


async def test_a_transaction_applies_its_writes_and_returns_the_value_of_its_body(store: DocumentStore) -> None:
    await store.set("things/a", {"n": 1})

    async def body(transaction: Transaction) -> str:
        a, absent = await transaction.get_many(["things/a", "things/absent"])
        assert (a.data, absent) == ({"n": 1}, None)
        transaction.write(Set("things/a", {"n": a.data["n"] + 1}))
        transaction.write(Create("things/b", {"made": True}))
        assert await store.get("things/b") is None
        return "done"

    assert await store.transaction(body) == "done"
    assert await data_of(store, "things/a") == {"n": 2}
    assert await data_of(store, "things/b") == {"made": True}


async def test_an_error_of_the_body_aborts_and_passes_through(store: DocumentStore) -> None:
    await store.set("things/a", {"n": 1})

    async def body(transaction: Transaction) -> None:
        await transaction.get("things/a")
        transaction.write(Set("things/a", {"n": 2}))
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        await store.transaction(body)

    assert await data_of(store, "things/a") == {"n": 1}
    await store.set("things/a", {"n": 3})


async def test_a_transaction_that_creates_what_exists_says_so_and_changes_nothing(store: DocumentStore) -> None:
    await store.set("things/a", {"n": 1})

    async def body(transaction: Transaction) -> None:
        transaction.write(Set("things/b", {}))
        transaction.write(Create("things/a", {"n": 2}))

    with pytest.raises(PathTaken):
        await store.transaction(body)
    assert [document.data for document in await store.query("things")] == [{"n": 1}]


async def test_a_transaction_reads_before_it_writes(store: DocumentStore) -> None:
    async def body(transaction: Transaction) -> None:
        transaction.write(Set("things/a", {}))
        await transaction.get("things/b")

    with pytest.raises(ValueError):
        await store.transaction(body)
    assert await store.get("things/a") is None


async def test_a_transaction_takes_at_most_five_hundred_writes(store: DocumentStore) -> None:
    async def body(transaction: Transaction) -> None:
        for n in range(MAX_BATCH_WRITES + 1):
            transaction.write(Set(f"things/{n}", {}))

    with pytest.raises(ValueError, match="500"):
        await store.transaction(body)
    assert await store.count("things") == 0


async def test_concurrent_transactions_lose_no_increment(store: DocumentStore) -> None:
    both_have_read = asyncio.Barrier(2)
    runs = []

    async def body(transaction: Transaction) -> None:
        counter = await transaction.get("things/counter")
        runs.append(counter)
        if len(runs) <= 2:
            await both_have_read.wait()
        transaction.write(Set("things/counter", {"n": (counter.data["n"] if counter else 0) + 1}))

    await asyncio.gather(store.transaction(body), store.transaction(body))

    assert await data_of(store, "things/counter") == {"n": 2}
    assert len(runs) > 2


# --- Usage -------------------------------------------------------------------------------------


async def test_usage_counts_documents_read_and_written(store: DocumentStore) -> None:
    async def used(call: Any) -> tuple[int, int]:
        before = StoreUsage(store.usage.reads, store.usage.writes)
        await call
        return store.usage.reads - before.reads, store.usage.writes - before.writes

    async def body(transaction: Transaction) -> None:
        await transaction.get("things/a")
        transaction.write(Set("things/c", {}))

    assert await used(store.create("things/a", {"v": Vector([1.0])})) == (0, 1)
    assert await used(store.create("things/a", {})) == (0, 0)
    assert await used(store.set("things/b", {})) == (0, 1)
    assert await used(store.upsert("things/b", {"n": 1})) == (0, 1)
    assert await used(store.update("things/b", {"n": 2})) == (0, 1)
    assert await used(store.update("things/x", {"n": 2})) == (0, 0)
    assert await used(store.get("things/a")) == (1, 0)
    assert await used(store.get_many(["things/a", "things/x"])) == (2, 0)
    assert await used(store.query("things")) == (2, 0)
    assert await used(store.query("nothing")) == (1, 0)
    assert await used(store.count("things")) == (1, 0)
    assert await used(store.batch([Delete("things/b"), Set("things/b/under/c", {})])) == (0, 2)
    assert await used(store.transaction(body)) == (1, 1)
    assert await used(below(store, "things/b")) == (1, 0)
