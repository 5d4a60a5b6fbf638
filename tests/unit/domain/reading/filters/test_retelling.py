"""Words that the bot said first teach nothing, and what only shares words with them does."""

from dataclasses import replace

import pytest

from shared.domain.reading.filters import Reason, reject_reason
from tests.support.talk import said
from tests.unit.domain.reading.filters.verdicts import PEOPLE, from_model, verdict


def test_a_retelling_of_what_the_bot_recalled_is_rejected() -> None:
    fact = from_model("olya loves opera and grows orchids", "so I love opera and grow orchids", category="preference")
    shown = said("so I love opera and grow orchids", id=1)
    assert verdict(fact, shown, told=["Olya loves opera and grows orchids."]) is Reason.RETOLD_MEMORY
    assert verdict(fact, shown) is None


@pytest.mark.parametrize(
    ("told", "quote", "retold"),
    [
        ("Olya plays chess in Lutsk at 19:00", "I play chess in Lutsk at 19:00", True),
        ("Olya plays chess in Lutsk at 19:00", "I play chess in Lutsk at 20:00", False),
        ("Olya plays chess in Lutsk at 19:00", "I play chess in Lutsk", True),
        ("Olya plays chess in Lutsk", "I play chess in Lutsk at 20:00", False),
        ("Wi-Fi password of olya is 1234", "my Wi-Fi password is 12345", False),
    ],
)
def test_another_number_is_no_retelling(told: str, quote: str, retold: bool) -> None:
    fact = from_model(f"olya: {quote[2:]}", quote, category="preference")
    assert (verdict(fact, told=[told]) is Reason.RETOLD_MEMORY) is retold


def test_a_correction_may_share_the_bots_words_but_not_hand_them_on() -> None:
    spoken = said("Olya will play chess every weekend in Lutsk on Sundays", by=900, id=1, is_bot=True)
    for quote, reason in {
        "I will play chess every weekend in Lutsk on Mondays": None,
        "gryag says I will play chess every weekend in Lutsk on Mondays": Reason.RETOLD_MEMORY,
    }.items():
        fact = from_model("olya plays chess every weekend in Lutsk on Mondays", quote, category="preference")
        own = replace(fact, evidence=(replace(fact.evidence[0], message_id=2),))
        shown = (spoken, said(quote, id=2))
        names = ["gryag", "гряг"]
        by_id = {message.message_id: message for message in shown}
        given = {"bot_names": names, "participants": PEOPLE}
        assert reject_reason(own, by_id, **given, corrects=True) is reason
        assert reject_reason(own, by_id, **given) is Reason.RETOLD_MEMORY
