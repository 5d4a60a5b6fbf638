"""The kinds of memory that a chat allows: its memory profile, from minimal to unbounded.

A kind is what a fact is about in the long run: a plain fact, a project, an experience, a story, a relationship. Facts
of members get theirs from the category, whoever found them; the model also names one, and both must be allowed.
"""

from enum import StrEnum

from shared.domain.facts.fact import Candidate


class MemoryType(StrEnum):
    """The kind of memory that a fact is (memory extraction seed, memory types)."""

    FACT = "fact"
    PROJECT = "project"
    EXPERIENCE = "experience"
    STORY = "story"
    RELATIONSHIP = "relationship"


class Profile(StrEnum):
    """A limit on what a chat lets be remembered; each level allows what the one before it allows, and more.

    minimal: how to address somebody, in which language, and the rules of the chat.
    standard: facts and projects.
    extended: experiences and relationships, too.
    unbounded: stories, too.
    """

    MINIMAL = "minimal"
    STANDARD = "standard"
    EXTENDED = "extended"
    UNBOUNDED = "unbounded"


TYPES_ALLOWED = {
    Profile.MINIMAL: frozenset({MemoryType.FACT}),
    Profile.STANDARD: frozenset({MemoryType.FACT, MemoryType.PROJECT}),
    Profile.EXTENDED: frozenset(MemoryType) - {MemoryType.STORY},
    Profile.UNBOUNDED: frozenset(MemoryType),
}

_BY_CATEGORY = {
    "experience": MemoryType.EXPERIENCE,
    "relationship": MemoryType.RELATIONSHIP,
    "goal": MemoryType.PROJECT,
    "event": MemoryType.PROJECT,  # of the chat: a plan in common
}

_MINIMAL_KEYS = frozenset(
    {"name", "real_name", "preferred_name", "nickname", "form_of_address", "pronouns", "language", "preferred_language"}
    | {"language_preference", "language_rule", "language_mix"}
)


def memory_type_of(category: str) -> MemoryType:
    """The kind of memory of a category, of members and of the chat; what is named nowhere else is a plain fact."""
    return _BY_CATEGORY.get(category, MemoryType.FACT)


def profile_allows(profile: Profile, candidate: Candidate, *, stated: str = "") -> bool:
    """Return whether the profile lets the candidate be remembered.

    Args:
        stated: The kind that a model gave it; "" or an unknown word says nothing.
    """
    types = {memory_type_of(candidate.category)} | {kind for kind in MemoryType if kind == stated}
    if not types <= TYPES_ALLOWED[profile]:
        return False
    return profile is not Profile.MINIMAL or candidate.category == "rule" or candidate.key in _MINIMAL_KEYS
