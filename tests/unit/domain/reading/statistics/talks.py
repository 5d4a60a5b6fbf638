"""Talk of a group, spread over messages, members and days."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from tests.support.talk import NOON, said


def sample(*texts: str, times: int = 1, authors: int = 4) -> list[Message]:
    return [said(text, id=n, by=100 + n % authors) for n, text in enumerate(list(texts) * times, start=1)]


def only(candidates: list[Candidate]) -> Candidate:
    assert len(candidates) == 1, candidates
    return candidates[0]


def over_days(texts: Sequence[str], *, days: int = 6, hour: int = 20, authors: int = 5) -> list[Message]:
    """The texts spread evenly over days, all within one hour of each."""
    return [
        replace(
            said(text, id=n, by=100 + n % authors), sent_at=datetime(2026, 3, 2 + n % days, hour, n % 60, tzinfo=UTC)
        )
        for n, text in enumerate(texts, start=1)
    ]


def by_key(candidates: list[Candidate]) -> dict[str, Candidate]:
    return {candidate.key: candidate for candidate in candidates}


ORDINARY = ("завтра побачимо, як воно буде насправді, бо зараз нічого певного ніхто сказати не може 🙂", "ага", "та ну")


def ordinary(count: int) -> list[str]:
    return [ORDINARY[n % 3] for n in range(count)]


def recurring(text: str, filler: str, *, every: int = 5, count: int = 100) -> list[str]:
    return [text if n % every == 0 else filler for n in range(count)]


ALPHABET = st.one_of(st.characters(), st.characters(categories=["Cs"]), st.sampled_from("🙂🌞абвїє'abc ,:@!"))


MESSAGES = st.lists(
    st.builds(
        lambda text, by, kind, when, reply: (text, by, kind, when, reply),
        st.one_of(st.text(ALPHABET, max_size=60), st.sampled_from(["сервер впав", "the server", "🌞🌞🌞", "ок"])),
        st.integers(101, 105),
        st.sampled_from(["text", "text", "text", "voice", "photo", "command"]),
        st.integers(0, 10),
        st.booleans(),
    ),
    min_size=5,
    max_size=90,
).map(
    lambda drawn: [
        replace(
            said(text, id=n, by=by, kind=kind, reply_to=n - 1 if reply else None),
            sent_at=NOON + timedelta(days=when % 8),
        )
        for n, (text, by, kind, when, reply) in enumerate(drawn, start=1)
    ]
)
