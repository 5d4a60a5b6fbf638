"""Candidates of facts from what patterns found."""

from __future__ import annotations

from tests.support.talk import learnt
from tests.unit.domain.reading.patterns.learnt import only


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
