import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.cleaning import clean_answer
from shared.domain.text.plain import (
    find_verbatim,
    inert,
    one_line,
    quote_inline,
    split_text,
    unescape_inert,
    utf16_length,
    verify_quote,
)


@given(st.text())
def test_inert_text_holds_no_marker_and_can_be_undone(text):
    assert unescape_inert(inert(text)) == text
    visible = inert(text).replace("\\\\", "").replace("\\[", "").replace("\\<", "")
    assert "[" not in visible
    assert "<" not in visible


@given(st.text())
def test_a_quoted_name_is_one_json_string_on_one_line(name):
    written = quote_inline(name)
    assert json.loads(written) == name
    assert len(written.splitlines()) == 1
    assert "[" not in written
    assert "<" not in written


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9000), st.integers(50, 4096))
def test_pieces_fit_and_lose_no_visible_character(text, limit):
    pieces = split_text(text, limit)
    assert all(0 < utf16_length(piece) <= limit for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_a_text_is_cut_at_a_paragraph_before_a_sentence_before_a_word():
    assert split_text("aaaa bbb. cc\n\ndddd", 14) == ["aaaa bbb. cc", "dddd"]
    assert split_text("aaaa. bbb. cccc dd", 14) == ["aaaa. bbb.", "cccc dd"]
    assert split_text("🙂" * 5, 4) == ["🙂🙂", "🙂🙂", "🙂"]


def test_an_answer_loses_meta_lines_markers_and_a_leading_name():
    raw = '[meta] chat_id=1 user_id=2 name="x"\nГряг: Так, у вас правило. [RESPOND]'
    assert clean_answer(raw, bot_names=("гряг",)) == "Так, у вас правило."


def test_a_text_is_cut_between_words_and_a_word_only_where_there_is_no_room_for_it():
    said = "збираємось біля бібліотеки о сьомій"
    assert [one_line(said, limit) for limit in (26, 20, 19, 12, 35)] == [
        "збираємось біля…",
        "збираємось біля…",
        "збираємось біля…",
        "збираємось…",
        said,
    ]
    assert one_line("найпрекрасніший", 8) == "найпрек…"


@given(st.text(), st.integers(1, 50))
def test_one_line_is_one_line_within_its_limit(text, limit):
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("живу в Луцьку", "Живу  в\nлуцьку, працюю баристою"),
        (unicodedata.normalize("NFD", "Їду"), "їду додому"),
        ("STRASSE", "die Straße"),
        ("i'm allergic to peanuts", "I'm allergic to peanuts, please"),
    ],
)
def test_a_quote_matches_whatever_its_form_case_and_spacing(quote: str, text: str) -> None:
    assert verify_quote(quote, text)
    found = find_verbatim(quote, text)
    assert found is not None
    assert found in text


@pytest.mark.parametrize("quote", ["", "   ", "\n", "купив мотоцикл", "Живу у Луцьку"])
def test_an_empty_or_invented_quote_is_never_found(quote: str) -> None:
    assert not verify_quote(quote, "живу в Луцьку")
    assert find_verbatim(quote, "живу в Луцьку") is None


_TRICKY = st.text(alphabet="aAé\u0301 \n\u00a0їЇі\u0308ßẞİσςΣ각가\u1100\u1161\u11a8ﬁ\u0345", max_size=14)


@given(_TRICKY, st.integers(0, 14), st.integers(0, 14), st.sampled_from([str, str.upper, str.swapcase]))
def test_whatever_verifies_is_found_however_it_folds(text: str, start: int, end: int, typed: Any) -> None:
    quote = typed(text[start:end])
    if verify_quote(quote, text):
        found = find_verbatim(quote, text)
        assert found is not None
        assert found in text
        assert verify_quote(found, text)


def test_what_is_returned_is_the_stored_text_not_the_quote() -> None:
    assert find_verbatim("живу в києві", "так, Живу  в Києві!") == "Живу  в Києві"


@given(st.text(max_size=60), st.text(min_size=1, max_size=40), st.text(max_size=60))
def test_every_substring_that_verifies_is_found_verbatim(before: str, quote: str, after: str) -> None:
    text = before + quote + after
    found = find_verbatim(quote, text)
    assert found is None or found in text
    if quote.strip():
        assert verify_quote(quote, text) or not unicodedata.is_normalized("NFC", text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_finding_and_verifying_agree_when_the_text_is_normalized(quote: str, text: str) -> None:
    text = unicodedata.normalize("NFC", text)
    if find_verbatim(quote, text) is not None:
        assert verify_quote(quote, text)


def test_the_place_that_is_written_just_so_goes_before_an_earlier_one_that_only_folds_alike() -> None:
    assert find_verbatim("київ", "Київ? так, київ") == "київ"
    assert find_verbatim("КИЇВ", "Київ? так, київ") == "Київ"


def test_a_quote_that_goes_on_where_the_text_ends_is_not_in_it() -> None:
    assert find_verbatim("ні, дякую", "ні") is None
