"""Each filter against its look-alikes: what must be refused, and what differs only in what the quote says.

The rows are in tests/data/filters, a file for each reason: `- content | quote` is refused for it, `+` is kept; all are
credited to Olya.
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.filters.reasons import Reason
from tests.support.talk import said

PEOPLE = {
    101: ("Olya", "olya"),
    102: ("Sam Reed 🚲", "sam_dev"),
    103: ("Юрко", None),
    104: ("Соломія", None),
    105: ("Максим", "max"),
    106: ("Alex Kim", None),
    107: ("Alex Moon", None),
}
NAMES = {user_id: tuple(filter(None, names)) for user_id, names in PEOPLE.items()}
DATA = Path(__file__).parents[4] / "data" / "filters"


def rows(name: str, sign: str) -> list[tuple[str, str]]:
    """The rows of one file that are refused ("-") or kept ("+")."""
    lines = (DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    split = [line[1:].split("|") for line in lines if line.startswith(sign)]
    return [(content.strip(), quote.strip()) for content, quote in split]


def verdict(
    content: str, quote: str, *, by: int = 101, text: str = "", before: tuple[Message, ...] = ()
) -> Reason | None:
    message = said(text or quote, by=by, id=9)
    candidate = Candidate(
        subject=f"user:{by}",
        category="personal_info",
        key="fact",
        value=content.casefold(),
        description=content,
        confidence=0.9,
        evidence=(Evidence(message.sent_at, 9, by, quote, 0.9),),
        authority=Authority.MODEL,
    )
    shown: dict[int, Any] = {m.message_id: m for m in (*before, message)}
    return reject_reason(candidate, shown, bot_names=["гряг", "gryag"], participants=NAMES)


BOT = said("Olya mentioned a saxophone once.", by=900, id=8, is_bot=True)
REASONS = [path.stem for path in sorted(DATA.glob("*.txt")) if path.stem in set(Reason)]


@pytest.mark.parametrize(
    ("content", "quote", "reason"), [(*row, Reason(name)) for name in REASONS for row in rows(name, "-")]
)
def test_a_models_mistake_is_refused_under_its_name(content: str, quote: str, reason: Reason) -> None:
    assert verdict(content, quote) is reason


@pytest.mark.parametrize(("content", "quote"), [row for name in [*REASONS, "kept"] for row in rows(name, "+")])
def test_what_a_member_says_of_themselves_is_kept(content: str, quote: str) -> None:
    assert verdict(content, quote) is None


@pytest.mark.parametrize(("content", "quote"), rows("retold_memory_after_bot", "-"))
def test_right_after_the_bot_it_and_you_are_the_bot(content: str, quote: str) -> None:
    assert verdict(content, quote, before=(BOT,)) is Reason.RETOLD_MEMORY


@pytest.mark.parametrize(("content", "quote"), rows("retold_memory", "+"))
def test_who_speaks_to_the_bot_or_corrects_it_speaks_for_themselves(content: str, quote: str) -> None:
    assert verdict(content, quote, before=(BOT,)) is None


def test_the_frame_counts_also_when_the_quote_leaves_it_out() -> None:
    assert verdict("olya hates jazz", "I hate jazz", text="according to gryag I hate jazz") is Reason.RETOLD_MEMORY
    assert verdict("olya owns a banjo", "I own a banjo", text="gryag says I hate jazz. I own a banjo") is None


def test_the_answer_to_what_the_bot_asked_is_the_members_own() -> None:
    asked = said("Olya, do you still live in Lutsk near the river?", by=900, id=8, is_bot=True)
    told = said("Olya still lives in Lutsk near the river.", by=900, id=8, is_bot=True)
    quote = "I still live in Lutsk near the river"
    assert verdict("olya lives in Lutsk", quote, before=(asked,)) is None
    assert verdict("olya lives in Lutsk", quote, before=(told,)) is Reason.RETOLD_MEMORY


@pytest.mark.parametrize(
    ("content", "by"),
    [
        ("yurko купив ділянку", 103),
        ("Yurko's garden is big", 103),
        ("solomiia купила ділянку", 104),
        ("Соломії подобається сад", 104),
        ("Maksym bought a garden", 105),
        ("Maxym bought a garden", 105),
        ("Max bought a garden", 105),
        ("Sam bought a garden", 102),
        ("Sam Reed bought a garden", 102),
        ("sam_dev bought a garden", 102),
        ("Alex bought a garden", 106),
        ("Alex Moon bought a garden", 107),
    ],
)
def test_a_member_is_known_by_any_spelling_of_their_name(content: str, by: int) -> None:
    quote = "купили ділянку, сад росте garden is big"
    assert verdict(content, quote, by=by) is None
    assert verdict(content, quote, by=101) is Reason.WRONG_AUTHOR


def test_of_two_namesakes_the_full_name_decides() -> None:
    assert verdict("Alex Moon keeps bees", "I keep bees", by=106) is Reason.WRONG_AUTHOR
    assert verdict("Alex Kim keeps bees", "I keep bees", by=106) is None


_ANY = st.text(max_size=60) | st.text(alphabet="oly'a sam is \u0301гряг, що я казав?!—їі0 \n@", max_size=60)


@settings(max_examples=150, deadline=None)
@given(_ANY, _ANY.filter(lambda text: bool(text.strip())))
def test_no_words_make_a_filter_raise(content: str, quote: str) -> None:
    assert verdict(content, quote) in {None, *Reason}


@pytest.mark.parametrize("piece", ["olya asked ", "a", "my my ", "гряг каже ", "18 years ", "("])
def test_an_endless_content_or_quote_is_judged_in_a_moment(piece: str) -> None:
    assert verdict(piece * 5_000, piece * 400) in {None, *Reason}
