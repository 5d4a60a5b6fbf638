"""The pieces of an answer as the ledger stores them."""

from shared.application.conversation.reply_codec import ReplyContext
from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.outbox_codec import (
    LARGEST,
    UnsentAnswer,
    outbox_from_fields,
    outbox_to_fields,
    read_unsent,
)
from shared.application.ports.chat import Button, OutgoingFile, OutgoingText
from shared.application.ports.store import Document


def text(said):
    return AnswerPiece(OutgoingText(f"<b>{said}</b>", said))


def test_the_outbox_gives_back_what_it_was_given():
    rows = ((Button("так", "x"), Button("ні", "y")), (Button("далі", "z"),))
    pieces = (
        AnswerPiece(OutgoingText("<b>а</b>", "а", rows), asks=ReplyContext("gryadfix", "fix", "f")),
        AnswerPiece(
            OutgoingFile("а.md", "text/markdown", b"\x00\xff", OutgoingText("п", "п")), None, 7, OutgoingText("о", "о")
        ),
    )
    assert outbox_from_fields(outbox_to_fields(pieces)) == pieces


def test_an_outbox_that_no_document_takes_is_not_stored():
    assert outbox_to_fields([AnswerPiece(OutgoingFile("a", "text/plain", b"x" * LARGEST))]) is not None
    assert outbox_to_fields([AnswerPiece(OutgoingFile("a", "text/plain", b"x" * (LARGEST + 1)))]) is None


def test_what_is_still_to_be_sent_is_told_whatever_its_pieces_look_like():
    def unsent(**fields):
        return read_unsent(Document("updates/7", fields))

    assert unsent(outbox=[{"what": "nobody knows"}], reply_to=5) == UnsentAnswer(5, [{"what": "nobody knows"}], False)
    assert unsent(is_composed_again=True, is_given=True) == UnsentAnswer(None, None, True)
    assert unsent(outbox=None) is None
    assert unsent(state="answering", token="mine") is None
    assert unsent(state="done", outbox=None, is_composed_again=False) is None
