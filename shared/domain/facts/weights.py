"""The weight of each category of facts in the ranking. Apart from `ranking`: the settings read it at every start."""

from collections.abc import Mapping
from types import MappingProxyType

CATEGORY_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "rule": 1.5,
        "preference": 1.2,
        "tradition": 1.1,
        "culture": 1.0,
        "norm": 0.9,
        "topic": 0.8,
        "shared_knowledge": 0.7,
        "event": 0.6,
        **dict.fromkeys(("personal_info", "experience", "relationship", "goal", "skill"), 1.0),
    }
)
"""Every category, of chats (chat public memory plan, section 4) and of members (all alike, save preference)."""

MAX_WEIGHT = 10.0
"""The heaviest that an operator may make a category."""
