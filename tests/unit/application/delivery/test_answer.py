"""All pieces of an answer share what is allowed to one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.answer import Answer, AnswerPiece, restrain_answer
from shared.application.ports.chat import OutgoingFile, OutgoingText
from shared.domain.delivery.markup import markdown_to_html
from shared.domain.delivery.outgoing import MOST_MENTIONS
from tests.support.delivery.hostile import bare, entities, hostile


@given(st.lists(hostile, min_size=1, max_size=4))
def test_all_pieces_of_an_answer_share_five_mentions(said):
    answer = restrain_answer(Answer.of(*(OutgoingText(markdown_to_html(each), each) for each in said)))
    contents = [piece.content for piece in answer.pieces]
    assert sum(len(entities(each.html)[2]) for each in contents) <= MOST_MENTIONS
    assert sum(len(bare(each.plain)[1]) for each in contents) <= MOST_MENTIONS


def test_the_words_of_a_file_and_of_a_closed_private_chat_count_too():
    many = " ".join(f"@user{n}" for n in range(9))
    file = OutgoingFile("a.png", "image/png", b"x", OutgoingText(many, many))
    answer = restrain_answer(
        Answer((AnswerPiece(file, otherwise=OutgoingText(many, many)), AnswerPiece(OutgoingText(many, many))))
    )
    assert [piece.content.plain.count("@") for piece in answer.pieces] == [MOST_MENTIONS, 0]
    assert answer.pieces[0].otherwise.html.count("@") == MOST_MENTIONS
