"""What a rule lists, and when it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.patterns.chat.rule_lists import joined_lists, moment_of


@pytest.mark.parametrize(
    ("sentence", "joined"),
    [
        ("без реклами, політики і спаму", "без реклами/ політики і спаму"),
        ("no ads, politics (spam)", "no ads/ politics /spam/"),
        ("нове правило: політика, реклама", "нове правило: політика/ реклама"),
        ("без реклами, бо всі втомилися", "без реклами, бо всі втомилися"),
        ("пишемо про котів, не про політику", "пишемо про котів, не про політику"),
        ("люблю каву, чай", "люблю каву, чай"),
        ("", ""),
    ],
)
def test_a_border_within_a_list_of_topics_is_none(sentence, joined):
    assert joined_lists(sentence) == joined


@given(
    st.lists(st.sampled_from(["без", "реклами", "політики", ",", " ", "(", ")", ":", "бо"]), max_size=12).map("".join)
)
def test_only_borders_are_rewritten(sentence):
    joined = joined_lists(sentence)
    assert len(joined) == len(sentence)
    assert all(one == other or (one in ",()" and other == "/") for one, other in zip(sentence, joined, strict=True))


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("голосові після  22:00 не слати", "після 22:00"),
        ("quiet From 10 pm to 8 am please", "from 10 pm to 8 am"),
        ("меми лише в п'ятницю", "friday"),
        ("без політики", ""),
        ("про 5 котів", ""),
    ],
)
def test_a_rule_may_hold_for_a_time(said, moment):
    assert moment_of(said) == moment
