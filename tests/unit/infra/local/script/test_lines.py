"""Scripts: a line says whatever people do in a group, it takes the way of Telegram's updates, and nothing impossible
passes."""

from __future__ import annotations

import pytest

from tests.unit.infra.local.script.plays import LIST, OLIA, RULE, TARAS, rules

pytestmark = pytest.mark.usefixtures("logging_restored")


# --- What people do ----------------------------------------------------------------------------


def test_an_edit_takes_back_what_the_message_had_taught_and_teaches_anew(play):
    told = play(RULE, OLIA | {"edit": 1, "text": "Нагадую: ніякої реклами в чаті!"})
    assert rules(told) == {"advertising": "active"}
    assert (told["lines"][1]["message_id"], told["lines"][1]["outcome"]) == (1, "edited")


def test_a_reaction_counts_as_a_vote_and_is_taken_back(play):
    reaction = TARAS | {"message_id": 3}
    lines = [RULE, LIST, TARAS | {"press": 1}, reaction | {"react": "👍"}, reaction | {"react": ""}]
    shown = [line["edits"][0]["text"] for line in play(*lines)["lines"][2:]]
    assert ["За: 1" in shown[0], "За: 2" in shown[1], "За: 1" in shown[2]] == [True, True, True]


def test_a_comment_is_for_who_reads(play):
    told = play({"comment": "Правила чату"}, RULE | {"comment": "Оля адмінить"})
    assert [line["line"] for line in told["lines"]] == [2]


def test_a_photo_has_a_caption_that_teaches_as_a_text_does(play):
    rule = {"user_id": 101, "name": "Оля", "is_admin": True, "media": "photo", "caption": RULE["text"]}
    assert rules(play(rule)) == {"politics": "active"}


@pytest.mark.parametrize(
    "foreign", [{"forwarded": {"user_id": 9, "name": "Ганна"}}, {"via_bot": "gif"}, {"forwarded": True}]
)
def test_words_of_others_teach_nothing(play, foreign):
    assert play(TARAS | {"text": "Мене звати Іван, я живу у Львові"} | foreign)["facts"] == []
