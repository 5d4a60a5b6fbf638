"""Lists of facts: how categories are named, what a bar says, what buttons carry, and what a few words find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.commands.call import Scene
from shared.application.commands.facts.listing import (
    PAGE,
    ListingPage,
    Subject,
    categories_of,
    category_named,
    confidence_bar,
    find_facts,
    list_button,
    list_facts,
    member_subject,
    read_subject,
    render_facts,
)
from shared.application.documents import member_path
from shared.application.facts.writes import change_writes
from shared.domain.delivery.markup import plain
from shared.domain.facts.fact import CHAT_CATEGORIES, MEMBER_CATEGORIES
from shared.domain.facts.lifecycle import learn
from shared.domain.intake.buttons import MAX_BYTES, unseal
from shared.domain.text.language import fold
from shared.domain.text.plain import utf16_length
from shared.locales import say
from tests.support.builders import at, candidate, evidence
from tests.support.tool_chat import CHAT, OLYA

LONGEST = 9_007_199_254_740_991
"""The largest id that Telegram gives (Bot API, User: 52 significant bits)."""


async def believe(chat, *candidates):
    for each in candidates:
        await chat.app.store.batch(change_writes(CHAT, learn(None, each), now=at(1)))


@pytest.mark.parametrize("category", CHAT_CATEGORIES + MEMBER_CATEGORIES)
@pytest.mark.parametrize("language", ["uk", "en"])
def test_every_category_is_found_by_its_name_and_by_its_key(category, language):
    there = CHAT_CATEGORIES if category in CHAT_CATEGORIES else MEMBER_CATEGORIES
    name = plain(say(language, f"category_{category}"))
    assert {category_named(words, there) for words in (name, name.upper(), fold(name), category)} == {category}


@pytest.mark.parametrize(
    ("words", "category"),
    [("правило", "rule"), ("традицію", "tradition"), ("теми", "topic"), ("norm", "norm"), ("спільне знання", None)],
)
def test_a_category_may_stand_in_another_form(words, category):
    assert category_named(words, CHAT_CATEGORIES) == category


@given(st.text(max_size=60))
def test_any_other_words_name_no_category_or_one_that_there_is(words):
    assert category_named(words, CHAT_CATEGORIES) in (None, *CHAT_CATEGORIES)


@pytest.mark.parametrize(("confidence", "bar"), [(0.0, "▱▱▱▱▱ 0%"), (0.7, "▰▰▰▰▱ 70%"), (0.99, "▰▰▰▰▰ 99%")])
def test_a_bar_shows_confidence_in_five_steps(confidence, bar):
    assert confidence_bar(confidence) == bar


@pytest.mark.parametrize("category", [*CHAT_CATEGORIES, *MEMBER_CATEGORIES])
async def test_the_longest_button_of_a_list_fits_and_comes_back_as_it_was(chat, category):
    subject = Subject("chat") if category in CHAT_CATEGORIES else Subject(f"user:{LONGEST}")
    made = list_button(Scene(chat.app.policy, chat.state, "uk"), "▶", subject, ListingPage(category, 50))
    assert len(made.data) <= MAX_BYTES
    sealed = unseal(chat.app.policy.button_key, CHAT, made.data)
    assert sealed.args == (str(subject.member or ""), category, "50")


@pytest.mark.parametrize(
    "view", [ListingPage(page=page) for page in (-3, 0, 1, 2, 3, 99)] + [ListingPage("rule"), ListingPage("event")]
)
@pytest.mark.parametrize("language", ["uk", "en"])
async def test_every_page_shows_at_most_eight_facts_each_with_a_button(chat, view, language):
    for n, category in enumerate(CHAT_CATEGORIES[:5] * 4):
        await believe(chat, candidate(f"{n}", key=f"k{n}", category=category, description="🥦<b>&\n" * 300))
    facts = await list_facts(chat.app, chat.state, "chat")
    page = render_facts(Scene(chat.app.policy, chat.state, language), Subject("chat"), facts, view)
    numbers = [each.label for row in page.buttons for each in row if each.label.isdecimal()]
    assert len(numbers) <= PAGE
    assert page.plain.count("%") == len(numbers)
    assert utf16_length(page.plain) <= 4_096
    assert all(len(each.data.encode()) <= MAX_BYTES for row in page.buttons for each in row)
    assert all(len(row) <= 8 for row in page.buttons)


async def test_each_fact_stands_on_the_page_that_it_is_looked_for_on(chat):
    await believe(chat, *(candidate(f"{n}", key=f"k{n}", category=CHAT_CATEGORIES[n % 3]) for n in range(20)))
    facts = await list_facts(chat.app, chat.state, "chat")
    assert [ListingPage().turn_to(facts, fact.id).page for fact in facts] == [1] * 8 + [2] * 8 + [3] * 4
    rules = [fact for fact in facts if fact.category == "rule"]
    assert {ListingPage("rule").turn_to(facts, fact.id).page for fact in rules} == {1}
    assert ListingPage().turn_to(facts, "gone").page == 1


async def test_facts_are_found_by_their_words_in_any_form_those_that_share_most_first(chat):
    await believe(
        chat,
        candidate("politics", key="forbidden", category="rule", description="У чаті заборонено: політика"),
        candidate("news", key="news", category="rule", description="Новини про політику - у канал новин"),
        candidate("pizza", key="food", description="Щоп'ятниці піца", authority=4),
    )
    found = await find_facts(chat.app, chat.state, "новини політики")
    assert [fact.value for fact in found] == ["news", "politics"]
    assert (await find_facts(chat.app, chat.state, "заборонену політику"))[0].value == "politics"
    assert [fact.value for fact in await find_facts(chat.app, chat.state, "на п'ятницю піцу")] == ["pizza"]
    for nothing in ("", "🥦", "а і в", "погода"):
        assert await find_facts(chat.app, chat.state, nothing) == []


async def test_only_facts_about_the_subject_are_found_and_none_of_who_opted_out(chat):
    await believe(chat, candidate("чай", evidence(1, user_id=101), subject="user:101", category="preference"))
    assert await find_facts(chat.app, chat.state, "чай") == []
    (found,) = await find_facts(chat.app, chat.state, "чаю", "user:101")
    assert found.subject == "user:101"
    silenced = chat.state._replace(opted_out=frozenset({101}))
    assert await find_facts(chat.app, silenced, "чаю", "user:101") == []


@pytest.mark.parametrize(
    ("subject", "member", "categories"),
    [("chat", None, CHAT_CATEGORIES), (member_subject(OLYA), OLYA, MEMBER_CATEGORIES)],
)
def test_it_is_the_chat_or_a_member_with_the_categories_of_each(subject, member, categories):
    assert Subject(subject).member == member
    assert categories_of(subject) == categories


async def test_a_name_is_one_line_of_at_most_forty_characters(chat):
    await chat.app.store.set(member_path(CHAT, OLYA), {"user_id": OLYA, "name": "Оля\n" + "я" * 60})
    subject = await read_subject(chat.app.store, chat.state, member_subject(OLYA))
    assert "\n" not in subject.name
    assert len(subject.name) <= 40


async def test_what_is_known_of_who_opted_out_is_shown_to_them_alone(chat):
    open_to_all = await read_subject(chat.app.store, chat.state, member_subject(OLYA))
    assert open_to_all.may_be_shown_in(CHAT)
    silenced = chat.state._replace(opted_out=frozenset({OLYA}))
    hidden = await read_subject(chat.app.store, silenced, member_subject(OLYA))
    assert not hidden.may_be_shown_in(CHAT)
    assert hidden.may_be_shown_in(OLYA)
