"""Every row about members and the chat, as tables by language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shared.domain.language import Language
from shared.domain.patterns import vocabulary_chat_en, vocabulary_chat_uk, vocabulary_en, vocabulary_uk
from shared.domain.patterns.chat_en import CHAT_EN
from shared.domain.patterns.chat_uk import CHAT_UK
from shared.domain.patterns.en_experience import EXPERIENCE_EN
from shared.domain.patterns.en_goal import GOAL_EN
from shared.domain.patterns.en_personal import PERSONAL_EN
from shared.domain.patterns.en_preference import PREFERENCE_EN
from shared.domain.patterns.en_relationship import RELATIONSHIP_EN
from shared.domain.patterns.en_skill import SKILL_EN
from shared.domain.patterns.en_work import WORK_EN
from shared.domain.patterns.rows import unique_names
from shared.domain.patterns.tables import Table
from shared.domain.patterns.uk_experience import EXPERIENCE_UK
from shared.domain.patterns.uk_goal import GOAL_UK
from shared.domain.patterns.uk_personal import PERSONAL_UK
from shared.domain.patterns.uk_preference import PREFERENCE_UK
from shared.domain.patterns.uk_relationship import RELATIONSHIP_UK
from shared.domain.patterns.uk_skill import SKILL_UK
from shared.domain.patterns.uk_work import WORK_UK

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
