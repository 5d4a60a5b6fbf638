"""Whatever a document holds comes back as it was, and nothing else comes in."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.archive.values import dump, load, pack, unpack
from shared.application.ports.store import Vector
from tests.support.exports import ODD

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.binary(max_size=20)
    | st.datetimes(timezones=st.just(UTC))
    | st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=4).map(Vector)
)
KEYS = (TEXTS | st.sampled_from(["$t", "$b", "$v", "$", "$$t", "$geo"])).filter(
    lambda key: key and not (key.startswith("__") and key.endswith("__"))
)


def maps(values):
    return st.dictionaries(KEYS, values, max_size=4)


LISTABLE = st.recursive(SCALARS.filter(lambda v: not isinstance(v, Vector)), maps, max_leaves=5)
VALUES = st.recursive(SCALARS, lambda v: maps(v) | st.lists(LISTABLE, max_size=3), max_leaves=10)


def exactly(value):
    """Types too: 1 is not 1.0, and -0.0 not 0.0."""
    match value:
        case dict():
            return {key: exactly(item) for key, item in value.items()}
        case list():
            return [exactly(item) for item in value]
        case float():
            return (float, value, math.copysign(1, value))
    return (type(value), value)


@given(maps(VALUES))
def test_documents_survive_the_way_there_and_back(document):
    text = dump(pack(document))
    assert "\n" not in text
    assert exactly(unpack(load(text))) == exactly(document)
    assert dump(pack(unpack(load(text)))) == text


def test_every_type_and_odd_keys():
    assert exactly(unpack(load(dump(pack(ODD))))) == exactly(ODD)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (object(), "object, for which exports have no form"),
        (float("nan"), "finite"),
        (1 << 63, "64 bits"),
        (datetime(2026, 1, 1), "time zone"),
        ("\ud800", "surrogate"),
        ({"": 1}, "key that is empty"),
        ({"__x__": 1}, "reserved"),
        ({1: 1}, "not a string"),
        ([[1]], "list in a list"),
        ([Vector([1.0])], "list in a list"),
        (Vector([math.inf]), "finite"),
        (Vector([0.0] * 2049), "2048"),
        ((1, 2), "tuple"),
    ],
)
def test_what_no_document_can_hold_is_not_written(value, complaint):
    with pytest.raises(ValueError, match=rf"'field.*{complaint}"):
        pack({"field": value})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"f":{"$geo":[1,2]}}', r"'f' is of the unknown type \$geo"),
        ('{"f":[{"$ref":"x"}]}', r"'f\[0\]' is of the unknown type \$ref"),
        ('{"f":{"$t":"2026-11-22T04:00:00.000000+00:00","x":1}}', r"\$t beside other keys"),
        ('{"f":{"$t":"yesterday"}}', r"'f' is no \$t"),
        ('{"f":{"$t":"2026-11-22T04:00:00"}}', r"'f' is no \$t"),
        ('{"f":{"$t":7}}', "holds no text"),
        ('{"f":{"$b":"???"}}', r"'f' is no \$b"),
        ('{"f":{"$v":"AAAA"}}', r"'f' is no \$v"),
        ('{"f":{"$v":"AAAAAAAA8H8="}}', "finite"),
        ('{"f":NaN}', "finite"),
        ('{"f":1e999}', "finite"),
        ('{"f":9223372036854775808}', "64 bits"),
        ('{"f":"\\ud800"}', "surrogate"),
        ('{"f":[[1]]}', "list in a list"),
        ('{"f":1,"f":1}', "twice"),
        ('{"":1}', "empty"),
        ('{"__f__":1}', "reserved"),
        ('{"f":' * 30 + "1" + "}" * 30, "too deep"),
        ('{"f":' * 100_000, "deep|Expecting"),
        ('{"f":', "Expecting"),
    ],
)
def test_what_is_no_document_is_not_read(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        unpack(load(text))
