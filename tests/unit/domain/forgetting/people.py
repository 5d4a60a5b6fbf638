"""Yaryna, who was forgotten, and what others say of her afterwards."""

from datetime import UTC, datetime, timedelta

from shared.domain.conversation.messages import Message
from shared.domain.forgetting.forgotten import Hearsay, id_key
from shared.domain.forgetting.telling import Gone, erase_member

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=2)
SALT = "0123456789abcdefghijkl"
YARYNA, TARAS, OTHER = 301, 302, 399
FACTS = ("Ярина скрипалька", "грає в опері", "живе в Житомирі", "alergic to penicillin")


def forgotten(*others, salt=SALT, hearsay=None, until=NOON, **fields):
    """What is kept of Yaryna."""
    gone = Gone(**{"user_id": YARYNA, "until": until, "names": ["Ярина Коваль"], "facts": FACTS, **fields})
    before = Hearsay() if hearsay is None else hearsay
    person = erase_member(salt, gone, others, people=before.people + 1)
    return before.with_erased(salt, person, id_key=id_key(gone.user_id))


def says(text, user_id=TARAS, name="Тарас", at=LATER, **fields):
    return Message(-100, 7, at, user_id, name, text=text, **fields)
