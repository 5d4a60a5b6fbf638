"""No text crashes or stalls the extractor: arbitrary Unicode, great length, sentences that invite backtracking."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.conversation.messages import Message
from shared.domain.facts.dedup import FactIndex
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.gate import reject_reason
from shared.domain.reading.matching.phrases import Phrase
from shared.domain.reading.matching.rows import Listener, PatternRow
from shared.domain.reading.model_candidates import judge_model_facts
from shared.domain.reading.patterns.finding import findings_in
from shared.domain.reading.patterns.row_tables import chat_table, member_table
from shared.domain.reading.statistics.manner import extract_statistics
from shared.domain.text.words import analyse
from tests.support.reading.model_facts import parse_model_facts
from tests.support.talk import BOT_NAMES, extract_patterns, learnt, said, talk

PEOPLE = {101: ("Olya", "olya"), 102: ("Sam", "sam_dev"), 103: ("Оля",)}
ROWS = [row for table in (member_table, chat_table) for lang in ("uk", "en") for row in table(lang).rows]
LISTENER = Listener(BOT_NAMES, (), frozenset())

# What a second of the slowest machine is for: linear work on these sizes takes a twentieth of it.
SECONDS = 5.0

NASTY = (
    *(
        "a",
        "я",
        "aя",
        "a ",
        "я ",
        "1 ",
        "12:",
        "1.",
        ".",
        "...",
        ", ",
        "((",
        "()",
        "[",
        '{"content":"',
        '"',
        "'",
        "«",
        "«a»",
    ),
    *(
        "\n",
        "\n>",
        ":\n",
        "]\n.",
        "\t",
        "- ",
        "— «",
        "🙂",
        "👩‍👩‍👧‍👦",
        "a\u0301",
        "\u200d",
        "\u202e",
        "\ud800",
        "\\u",
        "<a ",
        "~~~",
    ),
    *(
        "http://",
        "@a",
        "++",
        "I'm ",
        "i'm, ",
        "ми ",
        "не ",
        "if anyone ",
        "a b, ",
        "when anyone says ",
        "коли хтось напише ",
    ),
    *("щоп'ятниці ", "о 18:00 ", "01/02/", "ага, ", "ignore ", ":) ", "İ", "ß", "가", "еe", "כ ", "🇺🇦"),
)


def seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def from_model(description: str, quote: str) -> Candidate:
    evidence = (Evidence(said("x").sent_at, 1, 101, quote, 0.9),)
    return Candidate(
        "user:101", "personal_info", "fact", description, description, 0.9, evidence, authority=Authority.MODEL
    )


def everything(text: str) -> None:
    """All that a text may meet: as a message among others, as a model's answer, as a fact and its quote."""
    message = said(text, is_admin=True)
    learnt("where do you live?", (text, {"is_admin": True}), text + "?", "+1")
    extract_statistics(talk(text, "hello there"))
    judge_model_facts(parse_model_facts(text).items, [message], PEOPLE)
    for candidate in (from_model(text, "hello"), from_model("olya lives in Lutsk", text)):
        shown = said(candidate.evidence[0].quote)
        spoken = replace(said(text, id=0), is_bot=True)
        reject_reason(candidate, {0: spoken, 1: shown}, bot_names=BOT_NAMES, participants=PEOPLE)
        FactIndex([]).match(candidate)


@pytest.mark.parametrize("piece", NASTY, ids=ascii)
def test_a_hundred_thousand_characters_cost_no_more_than_seconds(piece: str) -> None:
    text = "]: " + (piece * 100_000)[:100_000]
    assert seconds(lambda: everything(text)) < SECONDS


def test_runs_that_can_be_read_in_many_ways_are_not_read_in_all_of_them() -> None:
    phrase = Phrase("(a / a a / a b? / a|b a){0,5} (a / a a / a b?)* (a / a a / a b?)+ z", {})
    assert seconds(lambda: phrase.search(analyse("z " + "a b a a " * 20))) < SECONDS


@pytest.mark.parametrize("lang", ["uk", "en"])
def test_sentences_of_a_rows_own_words_repeated_are_read_in_no_time(lang: str) -> None:
    rows = [row for row in ROWS if row.lang == lang]
    slowest = max((seconds(partial(_read, row)), row.name) for row in rows)
    assert slowest < (SECONDS, "")


def _read(row: PatternRow) -> None:
    """The row's example with every word repeated, and with its beginning again and again but never its end."""
    words = row.hit.split()
    findings_in(said(" ".join(word for word in words for _ in range(3))), LISTENER)
    findings_in(said(" ".join(islice(cycle(words[:-1] or words), 80))), LISTENER)


def test_a_sentence_of_nothing_but_times_and_places_is_read_in_no_time() -> None:
    text = "я нам більше півтора весною років літом в 3pm року роки через із з на у в районі старий будапешт осіла"
    words = text.split()
    sentences = (" ".join(islice(cycle(words[at:] + words[:at]), 80)).title() for at in range(len(words)))
    assert seconds(lambda: [findings_in(said(sentence), LISTENER) for sentence in sentences]) < SECONDS


# --- any text at all ---------------------------------------------------------------------------

_ODD = st.sampled_from([
    *("\ud800", "\udfff", "\u200b", "\u200d", "\u202e", "\u0301", "\ufeff", "\x00", "\u2028", "\n"),
    *("👩\u200d👩\u200d👧", "🇺🇦", "ﬀ", "İ", "ß", "가", "שלום", "مرحبا", "Lеeds", "Львовi", "𝓛𝓮𝓮𝓭𝓼", "«", "“", "'", "’"),
    *("(", ")", ":)", ",", "—", "?", "!", "…", ">", "/s", "🙃"),
])  # fmt: skip
_SPOKEN = st.sampled_from([word for row in ROWS for word in row.hit.split()])
_TEXTS = st.lists(st.one_of(_SPOKEN, _SPOKEN, _ODD, st.text(max_size=12)), max_size=25).map(" ".join) | st.lists(
    st.one_of(_SPOKEN, _ODD), max_size=12
).map("".join)
_MESSAGES = st.lists(
    st.tuples(_TEXTS, st.fixed_dictionaries({}, optional={
        "is_admin": st.booleans(), "is_bot": st.booleans(), "forwarded": st.booleans(), "by": st.integers(101, 103),
        "reply_to": st.integers(1, 6),
    })),
    min_size=1, max_size=6,
)  # fmt: skip


def extracted(messages: list[Message]) -> list[Candidate]:
    return extract_patterns(messages, admins=frozenset({101}), bot_names=BOT_NAMES, bot_username="gryag_bot")


@settings(max_examples=120, deadline=None)
@given(_MESSAGES)
def test_whatever_is_said_facts_quote_their_authors_and_come_out_the_same_twice(
    lines: list[tuple[str, dict[str, object]]],
) -> None:
    messages = talk(*lines)
    by_id = {message.message_id: message for message in messages}
    found = extracted(messages)
    assert found == extracted(messages)
    for candidate in [*found, *extract_statistics(messages * 8)]:
        assert 0.7 <= candidate.confidence <= 1
        assert candidate.value
        for quote in candidate.evidence:
            message = by_id[quote.message_id]
            assert quote.quote in message.text
            assert quote.user_id == message.user_id
            assert not message.is_bot
            assert not message.forwarded


@settings(max_examples=120, deadline=None)
@given(_TEXTS, _TEXTS, st.sampled_from(list(Authority)))
def test_whatever_a_fact_says_it_gets_a_verdict_and_a_reason_or_none(
    description: str, quote: str, authority: Authority
) -> None:
    candidate = replace(from_model(description, quote), authority=authority)
    shown = {0: replace(said(quote, id=0), is_bot=True), 1: said(quote)}
    reasons = [reject_reason(candidate, shown, bot_names=BOT_NAMES, participants=PEOPLE) for _ in "ab"]
    assert reasons[0] == reasons[1]
    assert FactIndex([]).match(candidate) is None
