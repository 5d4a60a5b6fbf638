"""What an admin lays down is learnt beside what stands; what changes it replaces it, and nothing is swallowed."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.facts.dedup import Verdict, verdict
from shared.domain.facts.fact import Fact
from shared.domain.reading.patterns.chat.rules import rules_in
from tests.evals.extraction import stored_facts
from tests.support.builders import candidate
from tests.support.talk import NOON, learnt

ADMIN = 5
THINGS_UK = {
    "політики": "politics", "реклами": "advertising", "спаму": "spam", "флуду": "flood", "мату": "swearing",
    "спойлерів": "spoilers", "капсу": "caps", "посилань": "links", "голосових": "voice_messages", "мемів": "memes",
    "стікерів": "stickers", "образ": "insults", "релігії": "religion",
}  # fmt: skip
THINGS_EN = {
    "politics": "politics", "ads": "advertising", "spam": "spam", "flooding": "flood", "swearing": "swearing",
    "spoilers": "spoilers", "links": "links", "voice notes": "voice_messages", "memes": "memes",
    "stickers": "stickers", "insults": "insults", "religion": "religion",
}  # fmt: skip
WAYS_UK = ("Нагадую: без {} в чаті!", "Правило чату: без {}", "Прошу без {} у цьому чаті", "У нас тут без {}")
WAYS_EN = ("Reminder: no {} in this chat!", "Rule: no {}", "Please no {} in here", "New rule: {} not allowed here")
JOINED_UK = ("{0} та {1}", "{0}, {1}", "{0} і {1}", "{0}/{1}", "{0} чи {1}", "{0} ({1})")
JOINED_EN = ("{0} or {1}", "{0}, {1}", "{0} and {1}", "{0}/{1}", "{0} ({1})")
CUSTOMS_UK = (
    "обговорювати зарплати", "вітатися з новенькими", "дякувати за поради", "дякувати за допомогу", "писати вночі",
    "надсилати фото котів", "надсилати фото їжі", "жартувати про роботу", "ділитися рецептами", "хвалити чужу роботу",
    "перепитувати двічі", "сваритися через дрібниці",
)  # fmt: skip
CUSTOMS_EN = (
    "greet newcomers", "thank people for advice", "thank people for help", "share photos of cats",
    "share photos of food", "post recipes", "write late at night", "praise each other's cooking",
    "congratulate people on birthdays",
)  # fmt: skip
ORDERS_UK = (
    "спойлери ховаємо", "меми тегаємо", "посилання підписуємо", "вітаємося з новенькими", "читаємо закріп",
    "фото котів кидаємо в окрему гілку", "фото їжі кидаємо в окрему гілку", "питання ставимо одним повідомленням",
    "голосові не надсилаємо", "джерела вказуємо завжди", "чужі дописи не видаляємо",
)  # fmt: skip
ORDERS_EN = (
    "tag your spoilers", "tag your memes", "put links in the thread", "read the pinned post first",
    "photos of cats go to the pets thread", "photos of food go to the kitchen thread", "cite your sources",
    "keep questions short", "ask before you post ads",
)  # fmt: skip
DONE_UK, NOT_DONE_UK = ("Тут заведено {}", "У нас прийнято {}"), ("У нас не прийнято {}", "Тут не заведено {}")
DONE_EN = ("Here we usually {}", "Around here we always {}", "It's customary here to {}")
NOT_DONE_EN = ("We don't usually {} here", "We never {} here")


def believed(*said: str) -> list[Fact]:
    """What stands after an admin said these, an hour apart."""
    messages: list[dict[str, Any]] = [
        {"message_id": number, "date": (NOON + timedelta(hours=number)).isoformat(), "user_id": ADMIN, "name": "Адмін",
         "is_admin": True, "text": text}
        for number, text in enumerate(said, start=1)
    ]  # fmt: skip
    bot = {"name": "гряг", "username": "gryag_bot"}
    return stored_facts({"chat": {"id": -1}, "bot": bot, "messages": messages})


@st.composite
def laid_down(draw: st.DrawFn) -> tuple[str, set[str]]:
    """A ban of one thing or two, and their canonical names."""
    things, ways, joined = draw(st.sampled_from([(THINGS_UK, WAYS_UK, JOINED_UK), (THINGS_EN, WAYS_EN, JOINED_EN)]))
    named = draw(st.lists(st.sampled_from(sorted(things)), min_size=1, max_size=2, unique=True))
    listed = named[0] if len(named) == 1 else draw(st.sampled_from(joined)).format(*named)
    return draw(st.sampled_from(ways)).format(listed), {things[name] for name in named}


@given(st.lists(laid_down(), min_size=1, max_size=4))
def test_everything_that_an_admin_forbids_one_after_the_other_stands_in_the_end(bans: list[tuple[str, set[str]]]):
    stand = {thing for fact in believed(*(text for text, _ in bans)) for thing in fact.value.split(", ")}
    assert set().union(*(things for _, things in bans)) <= stand


@st.composite
def customs(draw: st.DrawFn) -> list[str]:
    """What is done and what is not, each about something else, in one of the languages."""
    doings, ways = draw(st.sampled_from([(CUSTOMS_UK, DONE_UK + NOT_DONE_UK), (CUSTOMS_EN, DONE_EN + NOT_DONE_EN)]))
    about = draw(st.lists(st.sampled_from(doings), min_size=2, max_size=4, unique=True))
    return [draw(st.sampled_from(ways)).format(doing) for doing in about]


def quotes(facts: list[Fact]) -> list[set[str]]:
    return sorted(({evidence.quote for evidence in fact.evidence} for fact in facts), key=sorted)


@given(customs())
def test_every_custom_stands_beside_what_is_said_of_something_else(said: list[str]) -> None:
    assert quotes(believed(*said)) == sorted(({text} for text in said), key=sorted)


@st.composite
def orders(draw: st.DrawFn) -> list[str]:
    """Rules that each order something else."""
    ordered, announced = draw(st.sampled_from([(ORDERS_UK, "Правило: {}"), (ORDERS_EN, "Rule: {}")]))
    return [announced.format(each) for each in draw(st.permutations(ordered))[: draw(st.integers(2, 4))]]


@given(orders())
def test_every_order_stands_beside_an_order_about_something_else(said: list[str]) -> None:
    assert quotes(believed(*said)) == sorted(({text} for text in said), key=sorted)


@given(customs(), laid_down())
def test_neither_a_rule_takes_a_custom_away_nor_a_custom_a_rule(said: list[str], ban: tuple[str, set[str]]) -> None:
    for told in ([ban[0], *said], [*said, ban[0]]):
        facts = believed(*told)
        assert [{text} in quotes(facts) for text in said] == [True] * len(said)
        assert ban[1] <= {thing for fact in facts if fact.category == "rule" for thing in fact.value.split(", ")}


@given(
    st.one_of(
        st.tuples(st.sampled_from(CUSTOMS_UK), st.sampled_from(DONE_UK), st.sampled_from(NOT_DONE_UK)),
        st.tuples(
            st.sampled_from([doing for doing in CUSTOMS_EN if doing.startswith(("greet", "thank", "praise"))]),
            st.sampled_from(DONE_EN),
            st.sampled_from(NOT_DONE_EN),
        ),
    ),
    st.booleans(),
)
def test_of_a_custom_and_its_denial_the_later_stands(said: tuple[str, str, str], turned: bool) -> None:
    doing, done, not_done = said
    first, then = (not_done, done) if turned else (done, not_done)
    assert quotes(believed(first.format(doing), then.format(doing))) == [{then.format(doing)}]


@given(st.sampled_from(CUSTOMS_UK), st.sampled_from([DONE_UK, NOT_DONE_UK]))
def test_a_custom_that_is_told_in_other_words_is_one(doing: str, ways: tuple[str, str]) -> None:
    said = {way.format(doing) for way in ways}
    assert quotes(believed(*sorted(said))) == [said]


@pytest.mark.parametrize(
    "said",
    [
        ("У нас не прийнято обговорювати зарплати", "У нас не прийнято обговорювати політику"),
        ("Тут заведено вітатися з новенькими", "Тут заведено дякувати за поради"),
        ("Правило: спойлери ховаємо", "Правило: мат ховаємо"),
        ("Голосові заборонені після 22:00", "Голосові заборонені"),
        ("Here we usually reply in threads", "Around here we always greet newcomers"),
        ("Rule: tag your spoilers", "Rule: tag your memes"),
        ("No voice notes after 10pm please", "No voice notes in here please"),
    ],
)
def test_a_rule_or_custom_about_something_else_stands_beside_the_first(said: tuple[str, ...]) -> None:
    assert sorted(fact.evidence[0].quote for fact in believed(*said)) == sorted(said)


@pytest.mark.parametrize(
    "said",
    [
        ("Реклама заборонена", "Дозволяємо рекламу в чаті"),
        ("Реклама заборонена", "Реклама дозволена по п'ятницях"),
        ("Голосові заборонені після 22:00", "Голосові заборонені після 23:00"),
        ("Тиша з 22:00 до 7:00", "Тиша з 23:00 до 8:00"),
        ("Реклама лише по п'ятницях", "Реклама лише по суботах"),
        ("Правило: спойлери ховаємо", "Правило: спойлери не ховаємо"),
        ("No ads here", "You can post ads now"),
        ("No ads here", "We allow ads in this chat"),
        ("No voice notes after 10pm please", "No voice notes after 11pm please"),
        ("Reminder: ads only on Fridays", "Reminder: ads only on Saturdays"),
    ],
)
def test_what_an_admin_changes_replaces_what_stood(said: tuple[str, str]) -> None:
    (stands,) = believed(*said)
    assert [quote.quote for quote in stands.evidence] == [said[1]]


def test_a_longer_list_says_what_the_shorter_one_did_and_more_in_either_order() -> None:
    short, long = "Нагадую: без мемів", "Нагадую: без мемів, стікерів"
    for said in ((short, long), (long, short)):
        (stands,) = believed(*said)
        assert stands.value == "memes, stickers"
        assert len(stands.evidence) == 2


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Нагадую: ніякого спаму (флуду) в чаті!", "spam, flood"),
        ("Нагадую: без реклами, політики та спаму", "advertising, politics, spam"),
        ("New rule: politics, links not allowed here", "politics, links"),
        ("no spam, thanks", "spam"),
        ("no links, memes go to #fun", "links"),
        ("Голосові заборонені після 22:00", "voice_messages (після 22:00)"),
    ],
)
def test_a_rule_says_all_that_it_lists_and_when_it_holds(said: str, value: str) -> None:
    assert value in [rule.value for rule in rules_in(said, f"Reminder. {said}")]


@pytest.mark.parametrize(
    "said",
    [
        ("If you post a link say what it is", "Bare links will be deleted"),
        ("Memes only on Fridays please", "Memes on other days will be deleted"),
        ("Правило: посилання підписуємо", "Голі посилання будуть видалені"),
    ],
)
def test_what_becomes_of_those_who_break_a_rule_is_no_rule_of_its_own(said: tuple[str, str]) -> None:
    assert [fact.key for fact in believed(f"{said[0]}. {said[1]}.")] == ["chat_rule"]
    (alone,) = believed(said[1])
    assert (alone.category, alone.key) == ("rule", "forbidden_topics")


def test_a_threat_about_something_else_is_a_rule_beside_the_first() -> None:
    assert [fact.value for fact in believed("No ads here. Spoilers will be deleted.")] == ["advertising", "spoilers"]


def test_lists_that_only_overlap_are_two_rules() -> None:
    one, other = (
        candidate(value, category="rule", key="forbidden_topics", description=f"Forbidden: {value}", single=False)
        for value in ("flood, caps", "insults, flood")
    )
    assert verdict(one, other) is verdict(other, one) is Verdict.DISTINCT


@pytest.mark.parametrize("category", ["norm", "rule"])
def test_what_is_asked_of_one_thing_and_denied_of_another_is_never_merged(category: str):
    one, other = (
        candidate(said, category=category, key="chat_norm", description=said, single=False)
        for said in ("we share photos of cats", "we never share photos of food")
    )
    assert verdict(one, other) is Verdict.DISTINCT
    assert verdict(other, one) is Verdict.DISTINCT


def test_a_rule_is_told_by_its_own_sentence_whatever_else_the_message_says():
    said = "Доброго ранку, друзі. Реклама заборонена! Гарного всім дня."
    (rule,) = [fact for fact in learnt(said, admins=frozenset({101})) if fact.category == "rule"]
    assert "реклама" in rule.description.casefold()
    assert "ранку" not in rule.description
    assert "дня" not in rule.description
