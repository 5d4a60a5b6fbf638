"""Every row about members and the chat, as tables by language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shared.domain.reading.matching.rows import unique_names
from shared.domain.reading.matching.tables import Table
from shared.domain.reading.patterns.en import vocabulary as vocabulary_en
from shared.domain.reading.patterns.en import vocabulary_chat as vocabulary_chat_en
from shared.domain.reading.patterns.en.chat import CHAT_EN
from shared.domain.reading.patterns.en.experience import EXPERIENCE_EN
from shared.domain.reading.patterns.en.goal import GOAL_EN
from shared.domain.reading.patterns.en.personal import PERSONAL_EN
from shared.domain.reading.patterns.en.preference import PREFERENCE_EN
from shared.domain.reading.patterns.en.relationship import RELATIONSHIP_EN
from shared.domain.reading.patterns.en.skill import SKILL_EN
from shared.domain.reading.patterns.en.work import WORK_EN
from shared.domain.reading.patterns.uk import vocabulary as vocabulary_uk
from shared.domain.reading.patterns.uk import vocabulary_chat as vocabulary_chat_uk
from shared.domain.reading.patterns.uk.chat import CHAT_UK
from shared.domain.reading.patterns.uk.experience import EXPERIENCE_UK
from shared.domain.reading.patterns.uk.goal import GOAL_UK
from shared.domain.reading.patterns.uk.personal import PERSONAL_UK
from shared.domain.reading.patterns.uk.preference import PREFERENCE_UK
from shared.domain.reading.patterns.uk.relationship import RELATIONSHIP_UK
from shared.domain.reading.patterns.uk.skill import SKILL_UK
from shared.domain.reading.patterns.uk.work import WORK_UK
from shared.domain.text.language import Language

MEMBER_LISTS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {"uk": vocabulary_uk.LISTS, "en": vocabulary_en.LISTS}
LISTS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "uk": {**vocabulary_uk.LISTS, **vocabulary_chat_uk.LISTS},
    "en": {**vocabulary_en.LISTS, **vocabulary_chat_en.LISTS},
}
MEMBERS = {
    "uk": unique_names(
        [
            *PERSONAL_UK,
            *WORK_UK,
            *SKILL_UK,
            *GOAL_UK,
            *EXPERIENCE_UK,
            *PREFERENCE_UK,
            *RELATIONSHIP_UK,
        ]
    ),
    "en": unique_names(
        [
            *PERSONAL_EN,
            *WORK_EN,
            *RELATIONSHIP_EN,
            *SKILL_EN,
            *GOAL_EN,
            *EXPERIENCE_EN,
            *PREFERENCE_EN,
        ]
    ),
}
CHAT = {"uk": CHAT_UK, "en": CHAT_EN}


@cache
def member_table(lang: Language) -> Table:
    """The rows about members in one language."""
    return Table(MEMBERS[lang], MEMBER_LISTS[lang])


@cache
def chat_table(lang: Language) -> Table:
    """The rows about the chat in one language."""
    return Table(CHAT[lang], LISTS[lang])
