"""A wish is never turned into its opposite, however it is shortened."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.consolidation.findings.wishes import wish_in
from shared.domain.consolidation.items import Section
from shared.domain.consolidation.likeness import gist
from shared.domain.consolidation.suggesting import suggest
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, ProfileQuote
from shared.domain.reading.matching.clauses import sentences
from shared.domain.text.language import fold
from tests.unit.domain.consolidation.cases import MONDAY, suggested, talk
from tests.unit.domain.consolidation.item_lists import KYIV

_DENIALS_UK = (
    "давайте без {}", "Давайте тут без {}", "ніякої {} в цьому чаті", "Нагадую: жодної {} тут", "не пишіть про {}",
    "прошу не писати про {}", "давайте не обговорювати {}", "про {} в цьому чаті не пишемо", "{} тут не обговорюємо",
    "ніколи не пишіть сюди про {}", "ніхто не кидайте {} в інший чат", "про {} ніхто ніколи не пишемо в чаті",
)  # fmt: skip
_DENIALS_EN = (
    "no {} in this chat", "please, no {} here", "don't post {} here", "please don't share {}", "never post {} here",
    "let's not discuss {} here", "let's avoid {}", "can we not talk about {} here?", "stop, don't ever post {} here",
    "nobody should post {} in the chat", "you can't ever post {} in the chat", "we agreed not to post {} in the chat",
    "post {} in the chat is forbidden", "can everyone stop sending {}?", "please never ever share {} in the group",
)  # fmt: skip
_THINGS_UK = st.sampled_from(["політики", "політику", "реклами", "спойлерів", "голосових", "футбол", "роботу"])
_THINGS_EN = st.sampled_from(["politics", "spoilers", "ads", "memes", "voice messages", "football", "links"])


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.tuples(st.sampled_from(_DENIALS_UK), _THINGS_UK), st.tuples(st.sampled_from(_DENIALS_EN), _THINGS_EN))
)
def test_what_nobody_wants_is_never_written_down_as_wanted(said):
    form, thing = said
    for sentence in sentences(form.format(thing)):
        text = wish_in(sentence)
        assert not text or gist(Section.PREFERENCES, fold(text)).denied, text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Ніякої політики!", "Ніякої політики"),
        ("Давайте тут без політики", "Без політики"),
        ("жодних спойлерів", "Жодних спойлерів"),
        ("не пишіть після 22", "Не писати після 22"),
        ("no politics here please", "No politics here"),
        ("never post links here", "Never post links here"),
        ("правило лишається: про футбол пишемо в іншому чаті", "Про футбол писати в іншому чаті"),
        ("про політику не пишемо", "Про політику не писати"),
        ("пишіть українською, не російською", "Писати українською"),
        ("nobody should post ads in the chat", ""),
        ("post ads in the chat is forbidden", ""),
    ],
)
def test_a_wish_keeps_what_it_is_about_and_what_it_denies(said, text):
    (sentence,) = sentences(said)
    assert wish_in(sentence) == text


@pytest.mark.parametrize(
    ("description", "text"),
    [
        ("У чаті заборонено: політика.", "У чаті заборонено: політика"),
        ("Forbidden in the chat: politics.", "Forbidden in the chat: politics"),
        ("Правило чату: пишемо українською.", "Пишемо українською"),
        ("Custom of the chat: birthdays on Fridays.", "Birthdays on Fridays"),
    ],
)
def test_a_label_that_says_something_of_its_fact_stays(description, text):
    messages = talk([["O", "як завжди"]])
    quote = ProfileQuote(1001, 102, "Оля", "як завжди", MONDAY)
    fact = ProfileFact(
        "f", "chat", "rule", "forbidden_topics", "x", description, 0.9, Authority.ADMIN, 1, 1, None, None, (quote,)
    )
    assert [s.text for s in suggest(messages, [fact], zone=KYIV, language="uk")] == [text]


def test_what_is_forbidden_and_what_is_wished_away_are_one_line():
    messages = talk([["O", "Ніякої політики тут!"]])
    quote = ProfileQuote(1001, 102, "Оля", "Ніякої політики тут!", MONDAY)
    fact = ProfileFact(
        "f", "chat", "rule", "forbidden_topics", "x", "У чаті заборонено: політика.", 0.9, Authority.ADMIN, 1, 1, None,
        None, (quote,),
    )  # fmt: skip
    assert [s.text for s in suggest(messages, [fact], zone=KYIV, language="uk")] == ["Ніякої політики тут"]


def test_a_line_that_is_no_words_at_all_crashes_nothing():
    assert suggested({"lang": "uk", "talk": [["O", "♥ !!! …"], ["T", "я зроблю ♥"], ["M", "треба ♥ ♥"]]}) == []
