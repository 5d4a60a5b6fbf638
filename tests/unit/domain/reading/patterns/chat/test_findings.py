"""Proposals of how a group should live, told from plans for one evening."""

import pytest

from shared.domain.reading.patterns.chat.findings import is_lasting, without_if


@pytest.mark.parametrize(
    "text",
    [
        "давайте більше українською",
        "пропоную перейти на треди",
        "а що як ми будемо писати коротше тут",
        "let's use threads",
        "how about more cats",
        "could we switch to polls",
    ],
)
def test_what_should_be_from_now_on_is_a_lasting_wish(text):
    assert is_lasting(text)


@pytest.mark.parametrize("text", ["давайте завтра в кіно", "let's go now", "я люблю котів", "more than enough", ""])
def test_a_plan_or_a_taste_is_none(text):
    assert not is_lasting(text)


def test_an_if_that_proposes_binds_to_no_condition():
    assert without_if("what if we used polls").split() == ["used", "polls"]
    assert without_if("if it rains, we stay") == "if it rains, we stay"
