"""Which kinds of memory a profile lets through."""

from itertools import pairwise

import pytest

from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.facts.memory_profile import TYPES_ALLOWED, MemoryType, Profile, memory_type_of, profile_allows
from shared.settings import Settings
from tests.support.builders import candidate


def of(category, key="anything"):
    return candidate("x", key=key, category=category)


def test_each_level_allows_what_the_one_before_allows():
    for lower, higher in pairwise(Profile):
        assert TYPES_ALLOWED[lower] <= TYPES_ALLOWED[higher]
    assert TYPES_ALLOWED[Profile.UNBOUNDED] == set(MemoryType)


@pytest.mark.parametrize(
    ("category", "kind"),
    [("personal_info", "fact"), ("preference", "fact"), ("skill", "fact"), ("goal", "project"), ("event", "project"),
     ("experience", "experience"), ("relationship", "relationship"), ("rule", "fact"), ("tradition", "fact")],
)  # fmt: skip
def test_a_category_has_a_kind_of_memory(category, kind):
    assert memory_type_of(category) == kind


@pytest.mark.parametrize("category", [*CHAT_CATEGORIES, *MEMBER_CATEGORIES])
def test_unbounded_allows_everything_and_every_kind_that_a_model_names(category):
    assert all(profile_allows(Profile.UNBOUNDED, of(category), stated=kind) for kind in ("", "opinion", *MemoryType))


@pytest.mark.parametrize(
    ("category", "key", "kept"),
    [
        ("personal_info", "name", True),
        ("preference", "language_preference", True),
        ("rule", "forbidden_topics", True),
        ("personal_info", "location", False),
        ("preference", "drink", False),
        ("tradition", "weekly_recap", False),
        ("goal", "name", False),
    ],
)
def test_minimal_keeps_how_to_address_in_which_language_and_the_rules(category, key, kept):
    assert profile_allows(Profile.MINIMAL, of(category, key)) is kept


@pytest.mark.parametrize(
    ("profile", "category", "stated", "kept"),
    [
        (Profile.STANDARD, "goal", "project", True),
        (Profile.STANDARD, "experience", "fact", False),
        (Profile.STANDARD, "personal_info", "story", False),
        (Profile.EXTENDED, "experience", "experience", True),
        (Profile.EXTENDED, "experience", "story", False),
        (Profile.STANDARD, "personal_info", "opinion", True),
    ],
)
def test_both_the_category_and_the_kind_that_a_model_names_must_be_allowed(profile, category, stated, kept):
    assert profile_allows(profile, of(category), stated=stated) is kept


@pytest.mark.parametrize("profile", Profile)
def test_the_setting_takes_every_profile(profile):
    assert Settings.from_env({"MEMORY_PROFILE": str(profile)}).memory_profile == profile
