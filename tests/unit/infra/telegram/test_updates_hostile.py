"""Nothing that comes over the wire can break the parser: it returns an update or raises `UnparseableUpdate`."""

from __future__ import annotations

import json
import random  # noqa: TID251  seeded by hypothesis
from dataclasses import asdict
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.telegram.gateway import ALLOWED_UPDATES
from infra.telegram.updates import decode_update, parse_update
from shared.domain.errors import UnparseableUpdate
from shared.domain.intake.updates import Update
from tests.support.telegram.bot_api_rules import Refusal, check, description
from tests.support.updates import generate_updates, message_update, mutate, utf16_len, valid_updates

steady = settings(derandomize=True, deadline=None, max_examples=80)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=20,
)


@steady
@given(st.text(st.characters(), max_size=30))
def test_lone_surrogates_become_replacement_characters_and_offsets_stay(text):
    raw = text + "\ud83d @ivan"
    entity = {"type": "mention", "offset": utf16_len(raw) - 5, "length": 5}
    update = parse_update(message_update(raw, entities=[entity]))
    update.message.text.encode()
    assert len(update.message.text) == len(raw)
    assert update.mentions == ("ivan",)


def survives(raw: object) -> bool:
    """Whether it parses; any error but UnparseableUpdate fails the test. What parses can be stored."""
    try:
        update = parse_update(raw)
    except UnparseableUpdate:
        return False
    fields = update if isinstance(update, tuple) else asdict(update)
    json.dumps(fields, default=str, ensure_ascii=False).encode()
    return True


@steady
@given(json_values)
def test_any_json_value_is_parsed_or_refused(value):
    assert survives(value) in (True, False)
    for kind in ALLOWED_UPDATES:
        survives({"update_id": 1, kind: value})


@steady
@given(st.integers(0, 2**32), st.dictionaries(st.sampled_from(["text", "from", "chat", "date", "photo"]), json_values))
def test_any_mutation_of_a_valid_update_is_parsed_or_refused(seed, replaced):
    chance = random.Random(seed)
    for update in valid_updates(seed, 10):
        assert survives(update)
        survives(mutate(update, chance))
    survives(message_update(**{"sender" if key == "from" else key: each for key, each in replaced.items()}))


def test_every_update_that_the_bot_api_describes_is_parsed():
    kinds = set()
    for update in valid_updates(seed=7, n=1500):
        check(update, "Update", "update")
        kinds.add(type(parse_update(json.loads(json.dumps(update)))))
    assert kinds == set(get_args(Update))


def test_the_generator_covers_every_kind_of_update():
    seen = {key for update in valid_updates(seed=1, n=1500) for key in update}
    assert seen == {each["name"] for each in description()["types"]["Update"]["fields"]}


def test_about_half_of_the_generated_bodies_are_valid_and_none_breaks_the_parser():
    bodies = generate_updates(seed=3, n=2000)
    parsed = 0
    for body in bodies:
        try:
            parsed += survives(decode_update(body))
        except UnparseableUpdate:
            continue
    assert 0.5 < parsed / len(bodies) < 0.9
    assert bodies == generate_updates(seed=3, n=2000)


def test_what_the_description_calls_invalid_is_what_the_check_refuses():
    refused = 0
    for body in generate_updates(seed=4, n=1000):
        try:
            check(decode_update(body), "Update", "update")
        except (Refusal, UnparseableUpdate):
            refused += 1
    assert 0.35 < refused / 1000 < 0.65


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe\xfa", b"[" * 100_000, b"9" * 5000])
def test_a_body_that_is_not_json_is_unparseable(body):
    with pytest.raises(UnparseableUpdate):
        decode_update(body)
