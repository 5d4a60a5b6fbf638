"""What the index knows of who is who: names with their days, and everybody who shares one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.facts.fact import Status
from shared.domain.people.labels import labels_of
from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.roster import aliases_in, roster_of
from tests.support.builders import message
from tests.unit.domain.facts.slots import fact

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
ADMIN, PRANKSTER, DRON, PLAST = 101, 102, 103, 104


def said(number, user_id, name, username=None, **fields):
    at = MONDAY + timedelta(days=number)
    return message(
        f"слово {number}", message_id=number, user_id=user_id, name=name, username=username, sent_at=at, **fields
    )


CORPUS = Corpus.of(
    [
        said(1, PRANKSTER, "Тарас"),
        said(2, ADMIN, "Соломія"),
        said(3, PRANKSTER, "Соломія"),
        said(4, DRON, "Андрій"),
        said(5, PLAST, "Андрій", "plast"),
        said(6, DRON, "Андрій", "andriy_dron"),
        said(7, 44, "гряг", is_bot=True),
    ]
)


def test_everybody_is_known_by_their_newest_words_with_the_days_of_their_names():
    known = roster_of(CORPUS, [PRANKSTER], {ADMIN})
    assert known.keys() == {PRANKSTER, ADMIN}  # who shares a name with them is known, too
    assert known[PRANKSTER].name == "Соломія"
    assert known[PRANKSTER].since == {"Тарас": MONDAY + timedelta(1), "Соломія": MONDAY + timedelta(3)}
    assert [user_id for user_id, person in known.items() if person.is_admin] == [ADMIN]


def test_a_name_that_somebody_took_from_another_leads_to_the_one_before():
    known = roster_of(CORPUS, [PRANKSTER, DRON, 44], {ADMIN})
    assert labels_of(known.values(), bot_id=7, bot_name="гряг") == {
        7: "гряг",
        44: "гряг",
        ADMIN: "Соломія",
        PRANKSTER: "Тарас",
        DRON: "Андрій (@andriy_dron)",
        PLAST: "Андрій (@plast)",
    }


def test_of_whom_nothing_was_said_here_nothing_is_known():
    assert roster_of(CORPUS, [999], ()) == {}


@pytest.mark.parametrize(
    ("changes", "aliases"),
    [
        ({}, {7: ("Шуруп",)}),
        ({"value": "Дронич"}, {7: ("Дронич",)}),
        ({"subject": "chat"}, {}),
        ({"key": "home"}, {}),
        ({"status": Status.EXPIRED}, {}),
        ({"conflicts_with": "f1"}, {}),
    ],
)
def test_an_alias_is_what_is_believed_of_how_a_member_is_called(changes, aliases):
    believed = replace(fact(), **{"subject": "user:7", "key": "nickname", "value": "шурупом"} | changes)
    assert aliases_in([believed]) == aliases
