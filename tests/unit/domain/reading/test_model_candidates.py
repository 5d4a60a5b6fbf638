"""A model's answer is believed only as far as its quotes go."""

from __future__ import annotations

import json
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.memory_profile import Profile
from shared.domain.facts.profile import profile_fact, summarize
from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.model_candidates import judge_model_facts
from tests.support.reading.model_facts import parse_model_facts
from tests.support.talk import said
from tests.unit.domain.reading.model_answers import PEOPLE, TALK, item


def candidates(*items: dict[str, Any], **options: Any) -> list[Any]:
    return list(judge_model_facts(parse_model_facts(json.dumps(items)).items, TALK, PEOPLE, **options).candidates)


def test_a_candidate_quotes_the_stored_text_verbatim() -> None:
    [fact] = candidates(item(quote="i LIVE in  lutsk"))
    assert (fact.subject, fact.authority) == ("user:101", Authority.MODEL)
    assert [(e.message_id, e.user_id, e.quote) for e in fact.evidence] == [(1, 101, "I live in Lutsk")]


@pytest.mark.parametrize(
    "changes",
    [
        {"quote": "I live in Paris"},
        {"quote": "I keep bees"},
        {"user_id": 102},
        {"user_id": 777},
        {"user_id": None, "content": "Marta lives in Lutsk"},
    ],
)
def test_a_quote_of_nobody_or_of_another_member_makes_no_candidate(changes: dict[str, Any]) -> None:
    assert candidates(item(**changes)) == []


def test_a_missing_id_is_found_by_the_name_that_the_sentence_begins_with() -> None:
    [fact] = candidates(item(user_id=None))
    assert fact.subject == "user:101"


@pytest.mark.parametrize(
    "content", ["Оля lives in Lutsk", "Olia lives in Lutsk", "@olya lives in Lutsk", "Олі добре в Луцьку"]
)
def test_a_missing_id_is_found_in_whichever_script_the_name_is(content: str) -> None:
    [fact] = candidates(item(user_id=None, content=content))
    assert fact.subject == "user:101"


def test_the_same_statement_twice_is_one_candidate_with_both_quotes() -> None:
    [fact] = candidates(item(confidence=0.8), item(quote="live in Lutsk"))
    assert (fact.confidence, len(fact.evidence)) == (0.9, 2)


@pytest.mark.parametrize("category", ["rule", "norm"])
def test_what_orders_the_group_something_needs_an_admins_words(category: str) -> None:
    rule = item(subject="chat", category=category, content="The chat lives in Lutsk", user_id=None)
    assert candidates(rule) == []
    [fact] = candidates(rule, admins=frozenset({101}))
    assert (fact.subject, fact.category) == ("chat", category)


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "quote", "confidence", "user_id", "facts", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_JSON)
def test_no_types_make_the_parser_raise(value: Any) -> None:
    found = judge_model_facts(parse_model_facts(json.dumps(value)).items, TALK, PEOPLE).candidates
    assert all(candidate.evidence for candidate in found)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quote": "I live in Paris"}, Reason.UNVERIFIABLE_QUOTE),
        ({"quote": "I keep bees"}, Reason.WRONG_AUTHOR),
        ({"user_id": 777}, Reason.NON_PARTICIPANT),
        ({"user_id": None, "content": "Marta lives in Lutsk"}, Reason.NON_PARTICIPANT),
        ({"quote": "I am moving to Kyiv"}, Reason.FOREIGN_SOURCE),
        ({"quote": "my brother sells cars"}, Reason.FOREIGN_SOURCE),
        ({"subject": "chat", "category": "rule"}, Reason.UNAUTHORISED_RULE),
        ({"type": "story"}, Reason.PROFILE),
    ],
)
def test_why_an_item_makes_no_candidate_is_named(changes: dict[str, Any], reason: Reason) -> None:
    shown = [
        *TALK,
        said("I am moving to Kyiv", id=3, forwarded=True),
        said("haha", id=4, quote="my brother sells cars"),
    ]
    items = parse_model_facts(json.dumps([item(**changes)])).items
    judged = judge_model_facts(items, shown, PEOPLE, profile=Profile.EXTENDED)
    assert (judged.candidates, judged.refused) == ((), (reason,))


@pytest.mark.parametrize(("until", "days"), [("2099-05-01", 1), ("1999-05-01", None), ("soon", None), (None, None)])
def test_a_fact_holds_through_its_last_day_unless_that_was_over_when_it_was_said(until, days):
    (candidate,) = candidates(item(until=until))
    end = candidate.evidence[0].until
    assert (end is None) is (days is None)
    assert end is None or end.isoformat() == "2099-05-02T00:00:00+00:00"


def test_the_last_day_of_a_fact_ends_where_the_chat_is_and_is_the_day_that_is_told():
    kyiv = ZoneInfo("Europe/Kyiv")
    (candidate,) = candidates(item(until="2099-05-01"), zone=kyiv)
    assert candidate.evidence[0].until.isoformat() == "2099-05-01T21:00:00+00:00"
    fact = profile_fact(learn(None, candidate).after, {})
    (line,) = summarize([fact], {}, {}, limit=1, budget_tokens=500, zone=kyiv).lines
    assert " until 2099-05-01)" in line
