from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

import pytest

from infra.rest.values import document_of, fields_of, write_of
from shared.application.ports.store import DELETE_FIELD, Increment, Upsert, Vector

NOON = datetime(2026, 11, 6, 12, 0, 0, 120, UTC)


class Kind(StrEnum):
    A = "a"


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(1 << 63),
        1.5,
        "й",
        b"\x00\xff",
        NOON,
        [],
        [1, "a"],
        {},
        {"a": {"b": [NOON]}},
        Vector((0.5, 1.0)),
    ],
)
def test_what_is_written_reads_back(value):
    assert document_of({"name": "x/documents/a/1", "fields": fields_of({"f": value})}).data == {"f": value}


def test_an_instant_of_any_zone_is_told_in_utc_and_nanoseconds_are_cut():
    told = fields_of({"f": NOON.astimezone(timezone(timedelta(hours=2)))})
    assert told == {"f": {"timestampValue": "2026-11-06T12:00:00.000120Z"}}
    nanos = {"name": "x/documents/a/1", "fields": {"f": {"timestampValue": "2026-11-06T12:00:00.000120999Z"}}}
    assert document_of(nanos).data == {"f": NOON}


def test_a_name_of_a_kind_is_a_text():
    assert fields_of({"f": Kind.A}) == {"f": {"stringValue": "a"}}


def test_an_integer_beyond_64_bits_is_refused():
    with pytest.raises(ValueError, match="64 bits"):
        fields_of({"f": 1 << 63})


def test_an_upsert_names_its_fields_quoted_where_they_are_odd():
    written = write_of(Upsert("a/1", {"b": 1, "c d`e": 2, "f": DELETE_FIELD, "g": Increment(1)}), "n")
    assert written["updateMask"] == {"fieldPaths": ["b", "`c d\\`e`", "f"]}
    assert written["updateTransforms"] == [{"fieldPath": "g", "increment": {"integerValue": "1"}}]
    assert set(written["update"]["fields"]) == {"b", "c d`e"}
