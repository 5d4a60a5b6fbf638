import json

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.answering.context.cleaning import clean_answer
from shared.domain.text.plain import inert, one_line, quote_inline, split_text, unescape_inert, utf16_length


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


@given(st.text(), st.integers(1, 50))
def test_one_line_is_one_line_within_its_limit(text, limit):
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
