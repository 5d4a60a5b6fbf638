from __future__ import annotations

import dataclasses
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.domain.facts.dedup import Verdict, verdict
from shared.domain.facts.fact import Candidate
from shared.domain.text.data_files import word_set as words
from tests.unit.domain.facts.dedup.statements import DAYS, MERGES, THINGS, fact, said

NAMES = [
    ("Emma", "Емма"),
    ("Paula", "Паула"),
    ("Paulo", "Пауло"),
    ("Tomas", "Томас"),
    ("Marko", "Марко"),
    ("Daniel", "Даніель"),
]
PLACES = [("Rotterdam", "Роттердам"), ("Leeds", "Лідс"), ("Lviv", "Львів"), ("Odesa", "Одеса"), ("Warsaw", "Варшава")]

WORDS = words(
    "now тепер moved quit stopped died sold used to from not не ні but and перейшов скасовано no_more loves hates дуже "
    "coffee кава guitar гітара гітарист hike hiking hikers engineer senior інженер Google Google's vegan married cats "
    "cat Dana Дана Lviv Львів Львові Friday Monday пятницю may 5 27 2020 years ads spam forbidden заборонено"
)
texts = st.text(max_size=60)
statements = st.builds(
    lambda category, key, value, description: said(value, description, key=key, category=category),
    st.sampled_from(["preference", "rule", "event", "tradition", "personal_info", "relationship", "goal", "norm"]),
    st.one_of(st.sampled_from(["location", "likes", "job", "event", "recap", "age", "", "info"]), texts),
    st.one_of(st.sampled_from([*THINGS, "no ads", "friday", "27", "may 5"]), texts),
    st.one_of(st.sampled_from(["Likes coffee", "Не любить каву", "Lives in Leeds", "Recap every Friday"]), texts),
)

pairs_told = st.lists(st.sampled_from(sorted(WORDS)), min_size=1, max_size=4).flatmap(
    lambda few: st.tuples(_told_in(few), _told_in(few))
)
"""Two statements of a few words that they share: changes, names, ends, and forms of one word."""


def _told_in(few):
    said_of = [st.lists(st.sampled_from(few), max_size=size).map(" ".join) for size in (3, 5)]
    keys = st.one_of(st.sampled_from(["job", "likes", "location"]), st.sampled_from(few))
    return st.builds(
        lambda key, value, description, category: said(value, description, key=key, category=category),
        keys, *said_of, st.sampled_from(["preference", "event", "personal_info", "shared_knowledge"]),
    )  # fmt: skip


@given(statements)
def test_a_statement_repeats_itself(statement):
    assert verdict(statement, statement) is Verdict.DUPLICATE


def assert_same_both_ways(one, other):
    assert (verdict(one, other) is Verdict.DUPLICATE) == (verdict(other, one) is Verdict.DUPLICATE)
    assert (verdict(one, other) in MERGES) == (verdict(other, one) in MERGES)


@settings(max_examples=300)
@given(statements, statements)
@example(
    said("coffee", "0:0A", key="job"), said("B", "0A", key="job")
)  # a name in one value, and a description that repeats the other
def test_that_two_statements_say_the_same_does_not_depend_on_which_came_first(one, other):
    assert_same_both_ways(one, other)


@settings(max_examples=300)
@given(pairs_told)
def test_nor_does_it_for_statements_that_share_words(pair):
    assert_same_both_ways(*pair)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (  # one tells as past what the other is about
            said("hiking", "не hiking", category="norm"),
            said("hiking", "hiking died", category="norm"),
        ),
        (  # the name of a place in one value, and one description that says all of the other
            said("прага", "bread", key="password", category="culture"),
            said("bread bread", "bread", key="password", category="culture"),
        ),
        (  # another content of one key, said to be a change
            said("опанов married", "doctor", key="diet", category="goal"),
            said("зиму висоту", "doctor перейшов опанов married", key="diet", category="goal"),
        ),
        (  # two forms of one word are two words on one side, one on the other
            said("tepер tepерs", "forbidden", key="", category="event"),
            said("tepерs", "forbidden", key="location", category="event"),
        ),
    ],
    ids=["ends", "names", "changes", "forms"],
)
def test_what_once_depended_on_the_order_does_not(one, other):
    assert_same_both_ways(one, other)


@settings(max_examples=300)
@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=80))
def test_any_text_gets_a_verdict(value, description, key):
    odd = said(value, description, key=key)
    assert verdict(odd, said(description, value, key=key)) in Verdict
    assert verdict(said("coffee", "Likes coffee"), odd) in Verdict


@pytest.mark.parametrize(
    "text",
    [
        "\ud800\udfff \ud812",
        "1" * 90_000,
        "а" * 100_000,
        "no " * 30_000,
        "12:30 " * 9_000,
        "5 may " * 9_000,
        "'" * 90_000,
        "- 5 " * 9_000,
    ],
)
def test_hostile_text_is_read_no_further_than_its_beginning(text):
    assert verdict(said(text, text, key=text), said(text, text, key=text)) is Verdict.DUPLICATE
    assert verdict(said(text, text), said(text + " tail", text + " tail")) in Verdict


@given(
    st.sampled_from(THINGS),
    st.sampled_from(
        ["doesn't like", "never liked", "hates", "can't stand", "не любить", "терпіти не може", "ненавидить"]
    ),
)
def test_a_negated_copy_conflicts(thing, denial):
    assert verdict(said(thing, f"Likes {thing}"), said(thing, f"{denial} {thing}")) is Verdict.CONFLICTS
    assert verdict(said(thing, f"Likes {thing}"), said(f"{denial} {thing}", f"{denial} {thing}")) is Verdict.CONFLICTS


@given(
    st.sampled_from(THINGS),
    st.sampled_from(["{} forbidden", "no {}", "{} заборонено", "без {}"]),
    st.sampled_from(["{} allowed", "{} дозволено", "можна {}"]),
)
def test_what_is_forbidden_is_never_merged_with_what_is_allowed(thing, ban, leave):
    banned, allowed = (
        said(form.format(thing), form.format(thing).capitalize(), key="chat_rule", category="rule")
        for form in (ban, leave)
    )
    assert verdict(banned, allowed) is Verdict.CONFLICTS
    assert verdict(allowed, banned) is Verdict.CONFLICTS


@pytest.mark.parametrize(("one", "other"), list(combinations(range(len(NAMES)), 2)))
def test_another_name_is_another_relative_in_both_languages(one, other):
    for name in NAMES[one]:
        for another in NAMES[other]:
            known = said(name, f"Has a cousin named {name}", key="cousin", category="relationship")
            came = said(another, f"Has a cousin named {another}", key="cousin", category="relationship")
            assert verdict(known, came) is Verdict.DISTINCT, (name, another)


@pytest.mark.parametrize(("one", "other"), list(combinations(range(len(PLACES)), 2)))
def test_another_place_to_live_conflicts_in_both_languages(one, other):
    for place in PLACES[one]:
        for another in PLACES[other]:
            known = said(place, f"Lives in {place}", key="location", category="personal_info")
            came = said(another, f"Живе: {another}", key="місто", category="personal_info")
            assert verdict(known, came) is Verdict.CONFLICTS, (place, another)


@given(st.integers(1, 120), st.integers(1, 120))
def test_another_number_is_never_merged(one, other):
    known, came = (said(str(n), f"Is {n} years old", key="age", category="personal_info") for n in (one, other))
    assert verdict(known, came) is (Verdict.DUPLICATE if one == other else Verdict.CONFLICTS)


@pytest.mark.parametrize(
    ("latin", "cyrillic"), [*PLACES, ("Bergen", "Берген"), ("Manchester", "Манчестер"), ("Poltava", "Полтава")]
)
def test_a_place_is_the_same_in_both_scripts(latin, cyrillic):
    known = said(latin, f"Lives in {latin}", key="location", category="personal_info")
    assert (
        verdict(known, said(cyrillic, f"Живе: {cyrillic}", key="місто", category="personal_info")) is Verdict.DUPLICATE
    )


@pytest.mark.parametrize(("latin", "cyrillic"), NAMES)
def test_a_name_is_the_same_in_both_scripts(latin, cyrillic):
    known = said(latin, f"Has a cousin named {latin}", key="cousin", category="relationship")
    came = said(cyrillic, f"Двоюрідну сестру звати {cyrillic}", key="cousin", category="relationship")
    assert verdict(known, came) is Verdict.DUPLICATE


@pytest.mark.parametrize("key", ["location", "city", "current_city", "місто", "lives_in", "residence"])
def test_a_slot_is_the_same_whatever_its_key_is_called(key):
    known = said("Utrecht", "Lives in Utrecht", key="location", category="personal_info")
    assert (
        verdict(known, said("Utrecht", "Is based in Utrecht", key=key, category="personal_info")) is Verdict.DUPLICATE
    )
    assert verdict(known, said("Bergen", "Is based in Bergen", key=key, category="personal_info")) is Verdict.CONFLICTS


def test_many_values_of_one_key_stand_side_by_side():
    assert verdict(said("tea", "Likes tea"), said("cocoa", "Likes cocoa")) is Verdict.DISTINCT


def about(key, value, description):
    return said(value, description, key=key, category="personal_info")


def test_a_state_is_one_fact_under_whichever_slot_it_is_put():
    retired = about("job", "retired", "Retired"), about("marital_status", "retired", "Is retired")
    assert verdict(*retired) is Verdict.DUPLICATE
    vegan, more = about("diet", "vegan", "Is vegan"), about("health", "vegan, asthma", "Is vegan and has asthma")
    assert verdict(vegan, more) is verdict(more, vegan) is Verdict.REINFORCES


def test_two_who_share_one_state_and_differ_in_another_are_not_one_fact():
    lefty = about("info", "vegan, left-handed", "Is vegan and left-handed")
    assert verdict(lefty, about("info", "vegan, asthma", "Is a vegan with asthma")) is Verdict.DISTINCT


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("Quiz on Friday", "Quiz on Friday at 19:00"),
        ("Quiz", "Quiz every week"),
        ("Quiz", "Quiz on Friday"),
        ("Quiz on May 5", "Quiz on May 5 and May 7"),
        ("Quiz", "Quiz for 12"),
    ],
)
def test_a_time_a_day_or_a_number_that_only_one_tells_reinforces(less, more):
    one, other = (said("quiz", text, key="event", category="event") for text in (less, more))
    assert verdict(one, other) is verdict(other, one) is Verdict.REINFORCES


@pytest.mark.parametrize(
    ("told", "over", "expected"),
    [
        ("guitar", "guitar", Verdict.CONFLICTS),
        ("guitar", "piano", Verdict.DISTINCT),
    ],
)
def test_what_is_told_as_over_takes_back_the_same_thing_alone(told, over, expected):
    plays = said(told, f"Plays the {told}", key="hobby")
    ended = said(over, f"No longer plays the {over}", key="hobby")
    assert verdict(plays, ended) is verdict(ended, plays) is expected


def test_a_wish_and_a_memory_of_the_same_place_are_two_facts():
    been = said("Japan", "Visited Japan", key="travel", category="experience")
    assert verdict(been, said("Japan", "Wants to visit Japan", key="travel", category="goal")) is Verdict.DISTINCT


def test_what_is_said_of_another_subject_is_distinct():
    assert verdict(said("tea", "Likes tea"), said("tea", "Likes tea", subject="user:2")) is Verdict.DISTINCT


def test_candidates_and_facts_are_statements():
    candidate = Candidate("user:1", "preference", "drink", "кава", "Любить каву", 0.8, ())
    assert verdict(fact("coffee", "Likes coffee"), candidate) is Verdict.DUPLICATE


def test_of_facts_that_know_their_slot_is_single_another_value_conflicts():
    known = dataclasses.replace(fact("vim", "Writes in vim", key="writes_in"), single=True)
    came = dataclasses.replace(fact("emacs", "Writes in emacs", key="writes_in"), single=True)
    assert verdict(known, came) is Verdict.CONFLICTS
    assert verdict(dataclasses.replace(known, single=False), came) is Verdict.DISTINCT


def test_more_detail_reinforces_from_either_side():
    short, long = said("tea", "Likes tea"), said("green tea with mint", "Likes green tea with mint")
    assert verdict(short, long) is Verdict.REINFORCES
    assert verdict(long, short) is Verdict.REINFORCES


def test_strength_reinforces():
    assert verdict(said("кава", "Любить каву"), said("кава", "Обожнює каву")) is Verdict.REINFORCES


@pytest.mark.parametrize(("one", "other"), list(combinations(range(len(DAYS)), 2)))
def test_another_day_of_one_tradition_conflicts_in_both_languages(one, other):
    for day in DAYS[one]:
        for another in DAYS[other]:
            known = said(day, f"Recap: {day}", key="weekly_recap", category="tradition")
            assert (
                verdict(known, said(another, f"Recap: {another}", key="recap", category="tradition"))
                is Verdict.CONFLICTS
            )


@given(st.dates(), st.dates())
def test_another_date_of_one_event_is_never_merged(one, other):
    known, came = (
        said(f"{day:%d.%m}", f"Концерт {day:%d.%m}", key="концерт", category="event") for day in (one, other)
    )
    same = (one.month, one.day) == (other.month, other.day)
    assert verdict(known, came) is (Verdict.DUPLICATE if same else Verdict.CONFLICTS)


@pytest.mark.parametrize(
    ("known", "came"),
    [
        (("personal_info", "name", "owen pugh", "Owen's surname is Pugh."),
         ("preference", "dislikes", "jellyfish", "Owen is properly scared of jellyfish.")),
        (("personal_info", "health", "shellfish allergy", "Chris is allergic to shellfish."),
         ("personal_info", "workplace", "days, no nights", "Chris works days and no more nights.")),
        (("personal_info", "workplace", "days, no nights", "Chris works days and no more nights."),
         ("personal_info", "occupation", "paramedic", "Chris is a paramedic.")),
    ],
)  # fmt: skip
def test_two_facts_that_share_no_more_than_whom_they_are_about_do_not_contradict_each_other(known, came):
    one, other = (said(value, text, key=key, category=category) for category, key, value, text in (known, came))
    assert verdict(one, other) is verdict(other, one) is Verdict.DISTINCT


def test_what_the_value_says_with_whom_it_is_about_contradicts_as_ever():
    stated = said("coffee", "Owen likes coffee.", key="likes", category="preference")
    denied = said("coffee", "Owen does not like coffee.", key="likes", category="preference")
    assert verdict(stated, denied) is Verdict.CONFLICTS


def test_that_somebody_cannot_stand_a_thing_is_no_other_nickname_of_theirs():
    called = said("skipper", "Nina is called Skipper for she was one on a ferry.", key="nickname")
    told = said("herring", "Nina (Skipper) cannot stand herring.", key="dislikes", category="preference")

    assert verdict(called, told) is Verdict.DISTINCT
    assert verdict(told, called) is Verdict.DISTINCT


def test_what_somebody_does_not_eat_stands_beside_what_else_they_do_not():
    gluten = about("diet", "без глютену", "Не їсть глютену, бо целіакія")
    assert verdict(gluten, about("diet", "не їсть яєць", "Не їсть яєць")) is Verdict.DISTINCT
    assert verdict(gluten, about("diet", "без глютену", "Не їсть глютену")) is not Verdict.DISTINCT
