"""How commands speak: messages under Telegram's limit, long answers, quotations that nobody ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.wording import MOST_PAGES, long, long_markdown, pages, quotable
from shared.application.ports.chat import OutgoingFile
from shared.domain.delivery.markup import escape
from shared.domain.text.plain import TELEGRAM_LIMIT, utf16_length

lines = st.lists(
    st.text(st.sampled_from('<>&"я🥦\\*_[]`'), min_size=1, max_size=30).map(lambda text: escape(text * 40)),
    min_size=1,
    max_size=12,
)


@given(lines)
def test_lines_fill_messages_none_too_long_none_empty_and_nothing_is_lost(told):
    made = pages(told)
    assert all(0 < utf16_length(page.plain) <= TELEGRAM_LIMIT for page in made)
    assert "\n".join(page.html for page in made) == "\n".join(told)


def test_a_first_line_that_is_too_long_leaves_no_empty_message_before_it():
    assert [len(page.plain) for page in pages(["x" * 5_000, "y"])] == [5_000, 1]


def test_a_long_text_comes_as_messages_and_a_longer_one_as_a_document():
    line = "<b>я</b>" * 400
    few = long("uk", "\n".join([line] * 9 * MOST_PAGES), "назва")
    many = long("uk", "\n".join([line] * 11 * MOST_PAGES), "назва")
    assert len(few.pieces) == MOST_PAGES
    beginning, file = (piece.content for piece in many.pieces)
    assert isinstance(file, OutgoingFile)
    assert file.name == "назва.md"
    assert file.content.decode().count("я") == 400 * 11 * MOST_PAGES
    assert utf16_length(beginning.plain) <= TELEGRAM_LIMIT


def test_a_document_is_made_also_of_half_an_emoji():
    told = long_markdown("en", "слово \ud83d " * 4_000)
    assert isinstance(told.pieces[-1].content, OutgoingFile)
    assert told.pieces[-1].content.content.decode()


@pytest.mark.parametrize("language", ["uk", "en"])
@given(words=st.text(st.sampled_from('«»“”"„‘’абв ')))
def test_words_in_our_quotation_marks_cannot_end_them(language, words):
    ends = {"uk": "«»", "en": '“”"'}[language]
    assert set(quotable(language, words)).isdisjoint(ends)
    assert len(quotable(language, words)) == len(words)
