"""How texts are put into messages under Telegram's limit, long answers, quotations that nobody ends."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.parcels import Destination
from shared.application.delivery.sending import answer_once
from shared.application.delivery.wording import MOST_PAGES, long, long_markdown, pages, quotable
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.delivery.markup import escape
from shared.domain.text.plain import TELEGRAM_LIMIT, utf16_length
from tests.support.group import CHAT, running_group

THOUGHTS = " ".join(f"Думка **{number}** про [це](https://t.me/c/1/{number})." for number in range(90))
PARAGRAPHS = [f"## Розділ {number}\n\n{THOUGHTS}" for number in range(8)]

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


async def test_a_long_answer_is_its_beginning_and_a_document_with_all_of_it(store):
    async with running_group(store) as group:
        group.ids().keep(1)  # the question

        async def compose():
            return replace(long_markdown("uk", "\n\n".join(PARAGRAPHS)), given={"facts": []})

        assert await answer_once(group.runtime.app, 7, Destination(CHAT, 1), compose) == "answered"
        beginning, document = group.api.sent
        assert "Розділ 0" in beginning.text
        assert beginning.reply_to == 1
        assert utf16_length(beginning.text) <= TELEGRAM_LIMIT
        assert document.file.name == "відповідь.md"
        assert document.file.content.decode() == "\n\n".join(PARAGRAPHS) + "\n"
        assert "Тут уся відповідь" in document.text
        assert [message["answer"] for message in await group.messages()] == [7, 7]


def test_an_answer_of_three_messages_is_sent_as_messages_and_one_of_four_in_the_readers_language():
    short, whole = (long_markdown("en", "\n\n".join(PARAGRAPHS[:number])) for number in (3, 4))
    assert [type(piece.content) for piece in short.pieces] == [OutgoingText] * 3
    assert whole.pieces[1].content.name == "answer.md"


def test_what_a_command_lists_becomes_a_document_that_nobody_can_forge():
    line = '<b>Факт</b>: "# не заголовок" &lt;script&gt; *ні* <a href="https://t.me/c/1/2">тут</a>'
    short, whole = long("uk", "\n".join([line] * 30), "факти"), long("en", "\n".join([line] * 600), "facts")
    assert all(isinstance(piece.content, OutgoingText) for piece in short.pieces)
    beginning, document = (piece.content for piece in whole.pieces)
    assert utf16_length(beginning.plain) <= TELEGRAM_LIMIT
    assert (document.name, document.mime_type) == ("facts.md", "text/markdown")
    assert document.content.decode().count("**Факт**: ") == 600
    assert r"\# не заголовок" in document.content.decode()
    assert r"\<script\> \*ні\* [тут](https://t.me/c/1/2)" in document.content.decode()
