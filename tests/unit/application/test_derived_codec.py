"""Every class whose documents are derived from its fields is written and read back as it was, and read when fields of
other times are missing."""

import dataclasses
import gc
import importlib
import json
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, IntEnum
from types import UnionType
from typing import Literal, NamedTuple, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import shared.application
from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA, MediaFile
from shared.domain.facts.evidence.claim import Authority, Evidence, Quorum
from tests.support.builders import at


class Colour(Enum):
    RED = "red"


class Rank(IntEnum):
    LOW = 1


class Inner(NamedTuple):
    word: str = ""
    until: datetime | None = None


NOTHING = Inner()


@dataclass(frozen=True, slots=True)
class Outer:
    number: int
    colour: Colour = Colour.RED
    rank: Rank | None = None
    inner: Inner = NOTHING
    many: tuple[Inner, ...] = ()
    ids: frozenset[int] = frozenset()
    lang: Literal["uk", "en"] | None = None
    is_so: bool = False
    given: str = "here"


OUTER = DerivedCodec(Outer, names={"number": "n"}, sparse=["many", "lang"], apart=["given"])
WHOLE = Outer(7, Colour.RED, Rank.LOW, Inner("слово", at(1)), (Inner("x"),), frozenset({3, 1}), "uk", True)


def test_what_is_written_is_plain_and_in_order():
    assert OUTER.document(WHOLE) == {
        "schema": SCHEMA,
        "n": 7,
        "colour": "red",
        "rank": 1,
        "inner": {"word": "слово", "until": at(1)},
        "many": [{"word": "x", "until": None}],
        "ids": [1, 3],
        "lang": "uk",
        "is_so": True,
    }
    assert type(OUTER.fields(WHOLE)["rank"]) is int


def test_empty_fields_are_left_out_where_documents_are_without_them():
    assert OUTER.fields(Outer(0)).keys() == {"n", "colour", "rank", "inner", "ids", "is_so"}


def test_what_is_missing_or_none_where_it_cannot_be_has_its_default_and_what_nobody_knows_is_left_alone():
    assert OUTER.read({"n": 1, "colour": None, "inner": None, "ids": None, "more": 5}) == Outer(1)
    assert OUTER.of(Document("x/y", {"n": 1, "is_so": 1}), given="there") == Outer(1, is_so=True, given="there")
    assert DerivedCodec(Inner).of(None) == Inner()


def test_what_has_no_default_must_be_there():
    with pytest.raises(KeyError, match="n"):
        OUTER.read({})
    with pytest.raises(ValueError, match="blue"):
        OUTER.read({"n": 1, "colour": "blue"})


def test_in_json_moments_are_text():
    written = json.dumps(OUTER.fields(WHOLE), default=datetime.isoformat)
    assert OUTER.read(json.loads(written)) == WHOLE


def test_a_part_may_be_read_in_its_own_way():
    class Loud(DerivedCodec[Inner]):
        def read(self, data, **given):
            return super().read(data, **given)._replace(word="!")

    assert DerivedCodec(Outer, parts=[Loud(Inner)]).read({"number": 1, "inner": {}, "many": [{}]}).many == (Inner("!"),)


def codecs():
    """Every codec that stands in a module of the use cases."""
    for module in pkgutil.walk_packages(shared.application.__path__, "shared.application."):
        if module.name.endswith("_codec") or module.name.endswith(".codec"):
            importlib.import_module(module.name)
    return sorted({id(each): each for each in gc.get_objects() if isinstance(each, DerivedCodec)}.values(), key=named)


def named(codec):
    return codec.kept.__qualname__


EVIDENCE = st.builds(
    Evidence,
    st.integers(0, 9).map(at),
    authority=st.sampled_from([each for each in Authority if each is not Authority.CONSENSUS]),
    quorum=st.sampled_from(Quorum),
    until=st.none() | st.just(at(3)),
)

STILL = st.builds(MediaFile, st.text(), st.text())  # a picture of a file has none of its own
FILES = st.builds(
    MediaFile, st.text(), st.text(), st.none() | st.integers(0), duration=st.none() | st.integers(0), thumbnail=STILL
)
MOMENTS = st.datetimes(timezones=st.just(UTC))
KNOWN = {datetime: MOMENTS, Evidence: EVIDENCE, MediaFile: FILES}
PRODUCT = [codec for codec in codecs() if codec.kept.__module__.startswith("shared.")]


def test_there_are_codecs_to_try():
    assert len(PRODUCT) > 15


@pytest.mark.parametrize("codec", PRODUCT, ids=named)
def test_each_document_is_read_as_it_was_written(codec):
    hints = get_type_hints(codec.kept)

    defaults = {name: st.just(value) for name, value in defaults_of(codec.kept).items() if name in codec._apart}
    fields = {name: values(hint) for name, hint in hints.items()} | defaults

    @given(EVIDENCE if codec.kept is Evidence else st.builds(codec.kept, **fields))
    def as_written(thing):
        apart = {name: getattr(thing, name) for name in codec._apart if name in hints}
        assert codec.read(codec.document(thing), **apart) == thing

    as_written()


def values(hint):
    """Return values of a type, no empty ones where it may be None; a quote is never on the authority of a consensus."""
    inner = get_args(hint)
    if hint in KNOWN:
        return KNOWN[hint]
    if get_origin(hint) in (tuple, frozenset):
        many = st.lists(values(inner[0]), max_size=3, unique=get_origin(hint) is frozenset)
        return many.map(get_origin(hint))
    if isinstance(hint, UnionType):
        full = {str: st.text(min_size=1), int: st.integers(1), type(None): st.none()}
        return st.one_of(*(full[each] if each in full else values(each) for each in inner))
    if isinstance(hint, type) and hint.__module__.startswith("shared.") and not issubclass(hint, Enum):
        return st.builds(hint, **{name: values(each) for name, each in get_type_hints(hint).items()})
    if get_origin(hint) is Mapping:
        return st.dictionaries(st.text(), st.integers(), max_size=2)
    return st.from_type(hint)


def defaults_of(kept):
    if issubclass(kept, tuple):
        return kept._field_defaults
    return {each.name: each.default for each in dataclasses.fields(kept) if each.default is not dataclasses.MISSING}
