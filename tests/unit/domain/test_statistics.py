"""Manner says something about a group only when the sample is large or all but unanimous."""

import pytest

from shared.domain.facts import Authority, Candidate
from shared.domain.messages import Message
from shared.domain.quotes import verify_quote
from shared.domain.statistics import extract_statistics, wilson_lower
from tests.unit.domain.talk import said


def sample(*texts: str, times: int = 1, authors: int = 4) -> list[Message]:
    return [said(text, id=n, by=100 + n % authors) for n, text in enumerate(list(texts) * times, start=1)]


def only(candidates: list[Candidate]) -> Candidate:
    assert len(candidates) == 1, candidates
    return candidates[0]


def test_ten_ordinary_messages_say_nothing() -> None:
    assert extract_statistics(sample("привіт 😂", "як справи", "норм", "ок", "йду", times=2)) == []


def test_a_run_full_of_emoji_is_a_norm_even_when_short() -> None:
    messages = sample("🌞🌞🌞 ранок!", "😴😴😴😴", "ахах 😂😂😂", "тримайся 🥰🥰🥰", "💪💪💪🔥", "🙌🙌🙌🎉")
    fact = only(extract_statistics(messages))
    assert (fact.category, fact.key, fact.value, fact.authority) == (
        "norm",
        "emoji_usage",
        "high",
        Authority.STATISTICS,
    )
    assert "6 з 6" in fact.description
    by_id = {message.message_id: message for message in messages}
    assert all(verify_quote(quote.quote, by_id[quote.message_id].text) for quote in fact.evidence)
    assert all(by_id[quote.message_id].user_id == quote.user_id for quote in fact.evidence)


def test_two_members_are_no_group() -> None:
    assert extract_statistics(sample("🌞🌞🌞🌞", times=40, authors=2)) == []


def test_one_member_with_many_emoji_is_no_norm() -> None:
    messages = [*sample("слово", times=30), said("🙂" * 200, id=99, by=101)]
    assert extract_statistics(messages) == []


def test_long_messages_are_the_style_of_a_chat_that_writes_them() -> None:
    fact = only(extract_statistics(sample("we explain everything at length " * 10, times=30)))
    assert (fact.key, fact.value) == ("message_style", "detailed")


def test_a_chat_in_two_languages_is_known_as_one() -> None:
    fact = only(extract_statistics(sample("сьогодні гарна погода", "the weather is nice", times=20, authors=5)))
    assert (fact.key, fact.value) == ("language_mix", "ukrainian, english")


def test_a_subject_that_keeps_coming_back_is_a_topic() -> None:
    fact = only(extract_statistics(sample("біткоїн знову впав", "ну таке", "йду спати", times=12)))
    assert (fact.category, fact.value, fact.single) == ("topic", "crypto", False)


def test_formal_address_throughout_is_culture() -> None:
    fact = only(extract_statistics(sample("Шановні колеги, прошу Вас відповісти", times=30)))
    assert (fact.category, fact.value) == ("culture", "formal")


def test_what_bots_and_forwards_say_is_not_counted() -> None:
    messages = [said("🌞🌞🌞🌞", id=n, by=100 + n, is_bot=n % 2 == 0, forwarded=n % 2 == 1) for n in range(40)]
    assert extract_statistics(messages) == []


@pytest.mark.parametrize(("hits", "size"), [(0, 0), (0, 10), (5, 10), (10, 10)])
def test_the_lower_bound_never_exceeds_the_share(hits: int, size: int) -> None:
    assert 0 <= wilson_lower(hits, size) <= (hits / size if size else 0)


def test_a_larger_sample_of_the_same_share_is_more_certain() -> None:
    assert wilson_lower(6, 10) < wilson_lower(60, 100) < 0.6
