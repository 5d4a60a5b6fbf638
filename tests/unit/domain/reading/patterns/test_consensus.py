"""How a message reacts to the one before it, in both languages."""

from __future__ import annotations

import pytest

from shared.domain.reading.patterns.consensus import Reaction, reaction_of
from tests.support.talk import learnt
from tests.unit.domain.reading.patterns.learnt import only

SUPPORT = [
    "+1", "+", "100%", "👍", "підтримую", "і я підтримую!", "згодна, обома руками за", "за", "теж за", "я тільки за",
    "двома руками за", "так, давайте", "чудова ідея", "не проти", "як завжди", "вже сьомий рік",
    "так, це вже традиція :)",
    "agree", "seconded", "yes pls, agree", "+1 from me", "i'm in", "im in", "count me in", "sounds good", "same here",
    "works for me", "good call", "love it", "this", "we do", "recap time", "in favour", "fine by me",
]  # fmt: skip
OBJECTION = [
    "-1", "👎", "ні", "НІ", "нє", "не треба, весело ж", "я проти", "категорично проти", "тільки не це", "навіщо",
    "давайте не будемо", "погана ідея", "нє, лишимо як є", "no", "nah", "please no", "bad idea", "not a fan",
    "hard pass", "I disagree", "let's not", "way too often, sorry", "since when", "absolutely not", "а хто це вирішив",
]  # fmt: skip
RETRACTION = [
    "жартую, розслабтесь", "та жартую", "ну ні то ні, забудьте", "проїхали", "не туди", "зрозумів, питання знято",
    "jk, just defrosting the freezer", "fine, forget i said anything", "never mind", "scratch that", "wrong chat",
]  # fmt: skip
NEITHER = [
    "так, але не сьогодні", "yes, but not here", "так собі", "yeah right", "this is stupid", "що?", "точно?", "agree?",
    "no problem", "за що", "not again? maybe", "хто бачив мої ключі", "true story about my cat", "same problem",
    "no regrets", "прийшов додому", "", "   ", "...",
]  # fmt: skip


@pytest.mark.parametrize("text", SUPPORT)
def test_support_is_heard(text: str) -> None:
    assert reaction_of(text) is Reaction.SUPPORT


@pytest.mark.parametrize("text", OBJECTION)
def test_objection_is_heard(text: str) -> None:
    assert reaction_of(text) is Reaction.OBJECTION


@pytest.mark.parametrize("text", RETRACTION)
def test_taking_back_is_heard(text: str) -> None:
    assert reaction_of(text) is Reaction.RETRACTION


@pytest.mark.parametrize("text", NEITHER)
def test_a_message_that_goes_on_talking_is_no_support(text: str) -> None:
    assert reaction_of(text) is not Reaction.SUPPORT


def test_an_objection_goes_with_the_proposal_with_its_author_time_and_message() -> None:
    fact = only(learnt("Давайте більше українською спілкуватися", "+1", "підтримую", "я проти"))
    (voice,) = fact.voices
    assert (voice.user_id, voice.message_id, voice.supports) == (104, 4, False)
    assert voice.at > fact.evidence[-1].sent_at


def test_one_member_supporting_twice_counts_once() -> None:
    assert learnt("Давайте без політики в чаті", ("+1", {"by": 102}), ("за!", {"by": 102})) == []


def test_nobody_supports_their_own_proposal() -> None:
    assert learnt("давайте більше українською писати", ("+1", {"by": 101})) == []


def test_a_long_message_is_quoted_by_its_sentence_verbatim() -> None:
    text = "Слухайте, " + "довго розповідати, але " * 12 + "ось так.\nЖиву  в Полтаві. " + "І ще багато слів. " * 10
    fact = only(learnt(text))
    assert fact.evidence[0].quote in text
    assert len(fact.evidence[0].quote) < 40
