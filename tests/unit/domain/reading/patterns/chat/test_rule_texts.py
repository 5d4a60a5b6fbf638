"""A rule is the same, and described alike, whether or not it is announced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.patterns.chat.rule_texts import joined_lists, moment_of, without_heading
from tests.support.talk import learnt

HEADINGS_EN = (
    "Reminder: ", "Friendly reminder, ", "A reminder for all: ", "Just a reminder that ", "Attention everyone: ",
    "PSA: ", "Heads up, ", "Rule of the chat: ", "Dear members, a reminder: ", "Important – ", "Attention! Reminder: ",
)  # fmt: skip
HEADINGS_UK = (
    "Нагадую: ", "Нагадую всім, що ", "Нагадування: ", "Увага, ", "Друзі, нагадую: ", "Нагадую про те, що ",
    "Важливо: ", "Правило чату: ", "Важливо — ", "Увага! Нагадую: ",
)  # fmt: skip
RULES_EN = (
    "no ads in this chat!", "no politics, ads or spam", "no voice notes after 10pm", "ads only on Fridays",
    "links are not allowed here", "please no ads (links), thanks", "only English here please",
    "max two memes a day per person",
)  # fmt: skip
RULES_UK = (
    "без реклами в чаті!", "ніякої політики та реклами в чаті", "голосові заборонені після 22:00",
    "реклама лише по п'ятницях", "реклама заборонена", "спілкуємося лише українською", "після 22:00 у чаті тиша",
)  # fmt: skip


def rules(text: str) -> list[tuple[str, str, str, bool]]:
    found = [fact for fact in learnt(text, admins=frozenset({101})) if fact.category == "rule"]
    return [(fact.key, fact.value, fact.description, fact.single) for fact in found]


@given(
    st.one_of(
        st.tuples(st.sampled_from(HEADINGS_EN), st.sampled_from(RULES_EN)),
        st.tuples(st.sampled_from(HEADINGS_UK), st.sampled_from(RULES_UK)),
    )
)
def test_a_rule_that_is_announced_is_the_rule_that_is_said_without_it(said: tuple[str, str]) -> None:
    heading, rule = said
    (plain,) = rules(rule)
    assert rules(heading + rule) == [plain]


def test_what_is_shown_of_a_reminder_is_the_rule_alone() -> None:
    ((_, value, description, _),) = rules("Reminder: no ads in this chat!")
    assert (value, description) == ("advertising", "Rule of the chat: no ads in this chat.")


@pytest.mark.parametrize(
    "said",
    [
        "Rule for newcomers: read the pinned post",
        "Правило для новачків: спершу читаємо закріп",
        "New rule for ads: Fridays only",
        "Reminder about memes, Fridays only",
        "Важливо, щоб усі тегали спойлери",
        "Ads: only on Fridays",
        "Attention seekers not welcome",
        "Оголошення: лише по п'ятницях",
        "Reminder:",
        "",
    ],
)
def test_a_heading_that_says_more_than_that_something_is_laid_down_stays(said: str) -> None:
    assert without_heading(said) == said


def test_what_is_forbidden_may_begin_with_the_word_of_a_heading() -> None:
    assert [rule[1] for rule in rules("Attention whores not allowed, please")] == ["attention whores"]


@given(st.text(alphabet="ab:, –-rulethaщон", max_size=60))
def test_without_its_headings_a_text_is_its_own_end_and_has_none(said: str) -> None:
    rest = without_heading(said)
    assert said.strip().endswith(rest.strip())
    assert without_heading(rest) == rest
    assert bool(rest.strip()) == bool(said.strip())


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
