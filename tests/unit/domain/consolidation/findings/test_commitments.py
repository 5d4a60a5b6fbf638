"""Who owes what, who asked for it, and what nobody took on."""

from dataclasses import replace
from datetime import date

import pytest

from shared.domain.consolidation.findings.commitments import commitments, is_earnest
from shared.domain.consolidation.speakers import Speakers
from shared.domain.consolidation.suggesting import drop_taken
from tests.unit.domain.consolidation.cases import suggested, talk
from tests.unit.domain.consolidation.item_lists import KYIV


def owed(*lines, language="uk"):
    messages = talk([list(line) for line in lines])
    return [(each.text, each.due) for each in drop_taken(commitments(messages, Speakers(messages), KYIV, language))]


def test_who_asked_and_who_answered_are_both_quoted():
    (found,) = suggested({"lang": "uk", "talk": [["O", "хто забере ключі у четвер?"], ["T", "я заберу"]]})
    assert (found.text, found.starter, found.due) == ("Тарас: забрати ключі", "Оля", date(2026, 3, 12))
    assert [quote.text for quote in found.quotes] == ["хто забере ключі у четвер?", "я заберу"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([("T", "я куплю хліб завтра")], [("Тарас: купити хліб", date(2026, 3, 10))]),
        ([("O", "Тарасе, купи хліб")], [("Тарас: купити хліб", None)]),
        ([("A", "can somebody book the van?"), ("K", "I'll do it")], [("Mike: book the van", None)]),
        ([("O", "хто завтра забере дітей?")], [("Питання: хто забере дітей?", date(2026, 3, 10))]),
    ],
    ids=["a promise", "a request", "a request that is taken on", "an open question"],
)
def test_what_is_owed_tells_who_what_and_by_when(lines, found):
    assert owed(*lines) == found


@pytest.mark.parametrize(
    "lines",
    [
        [("O", "не куплю хліб")],
        [("O", "якби я купив хліб")],
        [("T", "I can buy some if needed")],
        [("O", "хто завтра забере дітей?"), ("T", "я")],
        [("O", "колега каже: я куплю хліб")],
    ],
    ids=["denied", "dreamt of", "only offered", "answered", "said by somebody else"],
)
def test_what_nobody_took_on_is_not_owed(lines):
    assert owed(*lines) == []


def test_only_a_members_own_words_are_earnest():
    (_, message) = talk([["T", "я куплю хліб"]])
    assert is_earnest(message)
    for change in (
        {"is_bot": True},
        {"forwarded": True},
        {"text": "та звісно, куплю 🙃"},
        {"text": "/купи хліб", "kind": "command"},
    ):
        assert not is_earnest(replace(message, **change))
