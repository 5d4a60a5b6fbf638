"""The document of an update that calls for an answer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import (
    LEASE,
    UnsentAnswer,
    done_with_update,
    is_forgotten,
    new_entry,
    read_entry,
    read_unsent,
    update_path,
    waiting_entry,
)
from shared.application.delivery.outbox_codec import outbox_to_fields
from shared.application.ports.chat import OutgoingText
from shared.application.ports.store import Document
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.pace import Limit

NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)


def entry(fields):
    return read_entry(Document(update_path(7), fields))


def test_a_new_update_is_leased_to_who_took_it_and_has_nothing_to_send_yet():
    new = entry(new_entry("mine", now=NOON))
    assert new.is_leased_by("mine")
    assert not new.is_leased_by("another's")
    assert new.lease_until == NOON + LEASE
    assert (new.outbox, new.sent_so_far, new.chat_id, new.limit) == (None, 0, 0, None)


@given(st.integers(0, 9), st.none() | st.integers(0, 9))
def test_a_piece_that_was_being_sent_counts_as_sent_and_none_is_unsent_again(sent, sending):
    read = entry({**new_entry("mine", now=NOON), "sent": sent, "sending": sending})
    assert read.sent_so_far >= sent
    assert sending is None or read.sent_so_far > sending


def test_what_waits_belongs_to_nobody_and_keeps_its_pieces_and_its_limit():
    pieces = (AnswerPiece(OutgoingText("<b>так</b>", "так")),)
    limit = Limit("member", NOON + timedelta(hours=1))
    stored = {**new_entry("mine", now=NOON), "outbox": outbox_to_fields(pieces), "limit": limit._asdict()}
    waits = entry({**stored, **waiting_entry(0, 3)})
    assert waits.is_waiting
    assert not waits.is_leased_by("mine")
    assert (waits.outbox, waits.place, waits.limit) == (pieces, 3, limit)


def test_what_is_done_holds_no_words_and_says_when_it_was_taken_back():
    stored = {**new_entry("mine", now=NOON), "outbox": [], "sending": 0}
    done = entry({**stored, **done_with_update("answered")})
    assert (done.state, done.outcome, done.outbox, done.sending) == ("done", "answered", None, None)
    assert not is_forgotten(None)
    assert is_forgotten(Document(update_path(7), {**stored, **done_with_update(AnswerOutcome.FORGOTTEN)}))
    assert replace(done, outcome=AnswerOutcome.FORGOTTEN) == entry(
        {**stored, **done_with_update(AnswerOutcome.FORGOTTEN)}
    )


def test_what_is_still_to_be_sent_is_told_whatever_its_pieces_look_like():
    def unsent(**fields):
        return read_unsent(Document(update_path(7), fields))

    assert unsent(outbox=[{"what": "nobody knows"}], reply_to=5) == UnsentAnswer(5, [{"what": "nobody knows"}], False)
    assert unsent(is_composed_again=True, is_given=True) == UnsentAnswer(None, None, True)
    assert unsent(outbox=None) is None
    assert unsent(**new_entry("mine", now=NOON)) is None
    assert unsent(**done_with_update("answered")) is None
