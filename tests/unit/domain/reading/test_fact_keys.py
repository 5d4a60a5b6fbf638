"""The keys that a model is offered, and what it makes of them."""

import pytest

from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.reading.fact_keys import describe_keys, split_key


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("personal_info.location", ("personal_info", "location")),
        ("norm", ("norm", "norm")),
        ("goal.other:marathon", ("goal", "marathon")),
        ("goal.other", ("goal", "goal")),
        ("shoe_size", ("", "shoe_size")),
        ("shoes.size", ("", "size")),
    ],
)
def test_a_key_names_its_category(key, meant):
    assert split_key(key) == meant


def test_every_category_is_offered_to_members_or_to_the_group():
    member, group = describe_keys().split("; of the group ")
    assert [each.split(".")[0].strip() for each in member.split(",")] == sorted(
        MEMBER_CATEGORIES, key=[each.split(".")[0].strip() for each in member.split(",")].index
    )
    assert {each.split(".")[0].strip() for each in group.split(",")} == set(CHAT_CATEGORIES)
