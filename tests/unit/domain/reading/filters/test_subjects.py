"""A sentence is about the member whom it names first, in either script, or about nobody of the talk."""

import pytest

from shared.domain.reading.filters.reasons import Reason
from tests.unit.domain.reading.filters.verdicts import from_model, verdict


@pytest.mark.parametrize(
    ("description", "quote", "reason"),
    [
        ("місто olya не згадано", "не скажу вам місто", Reason.NON_PARTICIPANT),
        ("Marta collects stamps", "my colleague Marta collects stamps", Reason.NON_PARTICIPANT),
        ("Юрко живе в Умані", "Юрко живе в Умані", Reason.NON_PARTICIPANT),
        ("sam_dev prefers tea", "sam prefers tea", Reason.WRONG_AUTHOR),
    ],
)
def test_a_sentence_about_somebody_else_is_not_theirs(description: str, quote: str, reason: Reason) -> None:
    assert verdict(from_model(description, quote)) in (reason, Reason.UNKNOWN_INFORMATION)


@pytest.mark.parametrize(
    ("description", "quote"),
    [
        ("User name is John", "My name is John"),
        ("Lives in Lutsk", "живу в Луцьку"),
        ("Любить джаз", "люблю джаз"),
    ],
)
def test_a_sentence_may_leave_out_whom_it_is_about(description: str, quote: str) -> None:
    assert verdict(from_model(description, quote)) is None


@pytest.mark.parametrize("subject", ["user:999", "user:x", "somebody", "user:"])
def test_only_members_of_the_talk_have_facts(subject: str) -> None:
    assert verdict(from_model("olya lives", "I live in Lutsk", subject=subject)) is Reason.NON_PARTICIPANT
