"""The document of an update that calls for an answer: whose lease it is, and what of the answer is still to be sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.outbox_codec import outbox_from_fields
from shared.application.derived_codec import DerivedCodec
from shared.application.documents import UPDATES_KEPT
from shared.application.documents import update_path as update_path  # noqa: PLC0414 - its documents are these
from shared.application.ports.store import DELETE_FIELD, Document, Filter, Increment, OpenFilter, Order
from shared.domain.conversation.messages import SCHEMA
from shared.domain.delivery.limits import HOUR, CountedQuestion, Limit
from shared.domain.delivery.outcomes import AnswerOutcome

LONGEST = timedelta(seconds=100)
"""Longer than the slowest answer: 30 s before the model, `Policy.answer_patience` (50 s at most), 10 s a piece."""

LEASE = timedelta(seconds=20)
"""The life of a lease: who answers renews it while they live (`Ledger.renew`); then another instance may try."""

KEPT = UPDATES_KEPT
OPEN = ("asked", "answering", "waiting")
"""States in which something is still to be done."""

_UNSENT = (AnswerOutcome.UNCERTAIN, AnswerOutcome.REJECTED)
"""Outcomes with a dead letter: what was asked is kept, so that it can be answered anew."""

COUNTED_AT = "counted_at"
"""The field with the time at which a question was taken in, as long as it counts against the limits of asking."""

UpdateId = int | str
"""Telegram's id of an update, a number by which updates are ordered, or the name of what no update asks for."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An update in the ledger, as stored.

    Attributes:
        state: "asked" (taken in, and nobody is at it yet), "answering", "waiting" for room in its chat, or "done".
        token: Whose lease it is, and `lease_until` how long; "" while nobody answers it. What may have arrived is not
            sent again before, when it waits.
        asks: What is asked: "question", "unasked", "command", "press" and so on; "" when nothing is left to do.
        yields_to: The update that it is ended by: a newer question that is answered for both, or a stop; or None.
        user_id, message_id: Who asked, and with which message; None when nobody did, or they were forgotten.
        asked_at: When it was taken in, by which what waits is ordered.
        outbox: The pieces to send; None while they are not made, when they are too large to be stored
            (`is_composed_again`), and when nothing is left to do.
        sent: How many of them were sent: Telegram said so, or they were given up.
        sending: Number of the last piece that is being sent, or was when its sender died or could not tell; or None.
        doubts: How often nobody could tell whether the piece that comes next had arrived.
        chat_id, reply_to, thread_id: Where the answer goes; 0 and None as long as nobody knows.
        whom: What they are called whom it answers, or "".
        limit: What its author asked too much of, or None.
        is_given: Whether what the model was given for it is kept.
        outcome: Of what is done; None before, but UNCERTAIN when a piece was given up.
        attempts, repeats: How often dealing with it failed, and a piece was sent again that may have arrived before.
        deaths: How often who was answering it died, as far as who came next noticed.
    """

    state: str = ""
    token: str = ""
    lease_until: datetime | None = None
    asks: str = ""
    yields_to: UpdateId | None = None
    user_id: int | None = None
    message_id: int | None = None
    asked_at: datetime | None = None
    outbox: tuple[AnswerPiece, ...] | None = None
    sent: int = 0
    sending: int | None = None
    doubts: int = 0
    chat_id: int = 0
    reply_to: int | None = None
    thread_id: int | None = None
    whom: str = ""
    limit: Limit | None = None
    is_given: bool = False
    is_composed_again: bool = False
    outcome: AnswerOutcome | None = None
    attempts: int = 0
    repeats: int = 0
    deaths: int = 0

    @property
    def is_orphaned(self) -> bool:
        """Return whether somebody has a lease on it, or died with one: who fails gives it back."""
        return self.state == "answering" and bool(self.token)

    @property
    def is_open(self) -> bool:
        """Return whether it is still to be answered, or to be answered to the end."""
        return self.state in OPEN

    @property
    def is_unsent(self) -> bool:
        """Return whether it was given up, and can be answered anew."""
        return self.state == "done" and self.outcome in _UNSENT

    @property
    def is_unmade(self) -> bool:
        """Return whether its answer is still to be made: nothing is recorded, or may have been sent."""
        is_begun = self.is_waiting or self.outbox is not None or self.is_composed_again or self.limit is not None
        return self.is_open and not is_begun

    @property
    def is_waiting(self) -> bool:
        """Return whether it waits for room in its chat."""
        return self.state == "waiting"

    def rests(self, now: datetime) -> bool:
        """Return whether it waits and is being sent, or what may have arrived is not sent again yet."""
        return self.is_waiting and self.sending is not None and (self.lease_until or now) > now

    def is_leased_by(self, token: str) -> bool:
        """Return whether somebody with this token is answering it."""
        return self.state == "answering" and self.token == token


_ENTRY = DerivedCodec(LedgerEntry, names={"asked_at": "received_at"})


def read_entry(document: Document) -> LedgerEntry:
    """Read an update's document; fields that it does not have yet are empty."""
    data, outbox = document.data, document.data.get("outbox")
    pieces = None if outbox is None else outbox_from_fields(outbox)
    outcome = next((each for each in AnswerOutcome if each == data.get("outcome")), None)
    return _ENTRY.read(data, asks=_kind_of(data.get("ask") or {}), outbox=pieces, outcome=outcome)


def _kind_of(ask: Mapping[str, Any]) -> str:
    kind: str = ask.get("kind", "")
    if kind != "message":
        return kind
    return "command" if ask.get("is_command") else "unasked" if ask.get("is_unasked") else "question"


class AskedUpdate(NamedTuple):
    """An update's asker and time, None where nobody asked or it is unknown. `is_open`: not answered to the end."""

    user_id: int | None
    asked_at: datetime | None
    is_open: bool

    def is_by(self, user_id: int | None, *, until: datetime | None) -> bool:
        """Return whether it goes with somebody (None: whoever asked) whose words until an instant (None: all) go; what
        was answered goes whenever it was asked."""
        is_old = until is None or self.asked_at is None or self.asked_at <= until
        return user_id in (None, self.user_id) and (is_old or not self.is_open)


def read_asked(document: Document) -> AskedUpdate:
    """Read who asked, whatever is to be sent looks like."""
    data = document.data
    return AskedUpdate(data.get("user_id"), data.get("received_at"), data.get("state") in OPEN)


# --- What is written ------------------------------------------------------------------------------


def new_entry(token: str, *, now: datetime, chat_id: int = 0, user_id: int | None = None) -> dict[str, Any]:
    """Return the fields of an update that is leased by the run that first heard of it; without a `user_id` it counts
    against no limit."""
    counted = {} if user_id is None else {"user_id": user_id, COUNTED_AT: now}
    where = {"chat_id": chat_id} if chat_id else {}
    times = {"received_at": now, "expire_at": now + KEPT}
    return {"schema": SCHEMA, **leased_fields(token, until=now + LEASE), **where, **counted, **times}


def leased_fields(token: str, *, until: datetime) -> dict[str, Any]:
    """Return the fields by which somebody answers an update, asked or given up by who answered it before."""
    return {"state": "answering", "token": token, "lease_until": until}


def yielding_field(to: UpdateId | None) -> dict[str, Any]:
    """Return that an update is ended by another one, or (None) by none any more."""
    return {"yields_to": DELETE_FIELD if to is None else to}


def uncounted_fields() -> dict[str, Any]:
    """Return the change by which an update does not count against the limits of asking."""
    return {COUNTED_AT: DELETE_FIELD}


def sending_fields(sent: int, last: int, *, doubts: int) -> dict[str, Any]:
    """Return that pieces are being sent, the last of them of this number, after so many that were."""
    return {"sent": sent, "sending": last, "doubts": doubts, **({"repeats": Increment(1)} if doubts else {})}


def sent_fields(sent: int) -> dict[str, Any]:
    """Return that so many pieces were sent, and none is being sent."""
    return {"sent": sent, "sending": None, "doubts": 0}


def given_up_fields(sent: int) -> dict[str, Any]:
    """Return that a piece is taken as sent, the last of so many, for nobody will ever know."""
    return {**sent_fields(sent), "outcome": str(AnswerOutcome.UNCERTAIN)}


def unsent_fields() -> dict[str, Any]:
    """Return that what was being sent definitely was not."""
    return {"sending": None}


def waiting_fields() -> dict[str, Any]:
    """Return the fields by which an answer waits: nobody has its lease."""
    return {"state": "waiting", "token": "", **unsent_fields()}


def resting_fields(until: datetime) -> dict[str, Any]:
    """Return that an answer waits, and when what is being sent of it is sent again if nobody hears of it."""
    return {"state": "waiting", "token": "", "lease_until": until}


def reopened_fields() -> dict[str, Any]:
    """Return the fields by which what was given up is answered anew."""
    return {"state": "asked", "outcome": "", "lease_until": None, "deaths": 0, **sent_fields(0)}


def nobodys_fields() -> dict[str, Any]:
    """Return the change by which nothing of an update tells who asked, or where: so it counts against no limit."""
    return dict.fromkeys(("chat_id", "user_id", "message_id", "reply_to", "thread_id", "whom", "ask"), DELETE_FIELD)


def done_with_update(outcome: str) -> dict[str, Any]:
    """Return the fields of an update that is dealt with, or lies among them: nothing is kept of what was asked."""
    nothing = {"outbox": None, "sending": None, "is_composed_again": False, "unkept": None, "whom": ""}
    return {"state": "done", "outcome": str(outcome), **nothing, **({} if outcome in _UNSENT else {"ask": None})}


def notice_fields(update_id: UpdateId, *, now: datetime) -> dict[str, Any]:
    """Return that the answer to an update tells somebody in this hour that they ask too much."""
    return {"schema": SCHEMA, **done_with_update("told"), "told": str(update_id), "expire_at": now + 2 * HOUR}


def read_notice(document: Document) -> str:
    """Return the update whose answer tells it."""
    return str(document.data["told"])


# --- What is looked for ---------------------------------------------------------------------------


def is_forgotten(document: Document | None) -> bool:
    """Return whether an answer was taken back because something was forgotten: then nothing of it is kept."""
    return document is not None and read_entry(document).outcome is AnswerOutcome.FORGOTTEN


of_chat, of_chats = OpenFilter[int]("chat_id", "=="), OpenFilter[list[int]]("chat_id", "in")
"""The conditions that an update is a chat's, by its id or by any of those that it has had."""

IS_OPEN = Filter("state", "in", OPEN)
"""The condition that an update is still to be answered."""


def open_in(chat_id: int) -> list[Filter]:
    """Return the conditions that an update of a chat is still to be answered."""
    return [of_chat(chat_id), IS_OPEN]


def waiting_in(chat_id: int) -> list[Filter]:
    """Return the conditions that an answer waits for room in a chat."""
    return [of_chat(chat_id), Filter("state", "==", "waiting")]


OLDEST_FIRST = Order("received_at")

asked_by = OpenFilter[int]("user_id", "==")
"""The condition that a member asked."""

ended_by = OpenFilter[UpdateId]("yields_to", "==")
"""The condition that another update ended one."""


def counted_between(after: datetime, until: datetime) -> list[Filter]:
    """Return the conditions that a question counts, and was taken in after an instant and up to another."""
    return [Filter(COUNTED_AT, ">", after), Filter(COUNTED_AT, "<=", until)]


def read_counted_question(document: Document) -> CountedQuestion:
    """Return who asked a question that counts against limits, and when."""
    return CountedQuestion(document.data.get("user_id"), document.data[COUNTED_AT])


def update_id_of(document: Document) -> UpdateId:
    """Return the id of the update that a document is of."""
    return int(document.id) if document.id.isdecimal() else document.id


def order_of(update_id: UpdateId) -> tuple[int, str]:
    """Return by what updates of the same instant are ordered."""
    return (update_id, "") if isinstance(update_id, int) else (0, update_id)
