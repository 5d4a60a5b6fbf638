"""Packs the answers that wait in a chat into messages, and stores the bot's own among the chat's messages."""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from shared.application.conversation.message_codec import new_message, own_message_fields
from shared.application.delivery.answer import AnswerPiece
from shared.application.delivery.ledger_codec import KEPT, LedgerEntry, UpdateId, order_of, read_entry, update_id_of
from shared.application.documents import message_path
from shared.application.policy import Policy
from shared.application.ports.chat import ChatGateway, OutgoingText, SentMessage
from shared.application.ports.store import Document, Set
from shared.application.ports.system import Clock
from shared.domain.conversation.messages import Message, message_link
from shared.domain.delivery.markup import escape
from shared.domain.delivery.outcomes import AnswerOutcome
from shared.domain.delivery.outgoing import restrain
from shared.domain.delivery.repeating import MOST_SENDS
from shared.domain.errors import ChatForbidden, ChatMigrated, MessageRejected
from shared.domain.text.plain import TELEGRAM_LIMIT, one_line, utf16_length

log = logging.getLogger(__name__)

_BETWEEN = "\n\n"
_MOST_NAME = 40

LASTS = KEPT - timedelta(hours=12)
"""The time for which an answer waits for Telegram to be there again: its record is kept for a little longer."""


class Waiting(NamedTuple):
    """An answer that waits, or what is left of it."""

    path: str
    entry: LedgerEntry
    update_id: UpdateId

    @property
    def pieces(self) -> tuple[AnswerPiece, ...]:
        """All pieces, sent or not."""
        return self.entry.outbox or ()

    @property
    def place(self) -> tuple[datetime, int, tuple[int, str]]:
        """Return by what it is ordered: when it was asked, and of the same instant the message that it replies to."""
        asked_at = self.entry.asked_at or datetime.min.replace(tzinfo=UTC)
        return asked_at, self.entry.reply_to or 0, order_of(self.update_id)

    @property
    def outcome(self) -> AnswerOutcome:
        """Return what became of it when all is sent."""
        if self.entry.outcome is AnswerOutcome.UNCERTAIN:
            return AnswerOutcome.UNCERTAIN
        return AnswerOutcome.ANSWERED if self.entry.limit is None else AnswerOutcome.LIMITED

    def is_over(self, now: datetime) -> bool:
        """Return whether it has waited for so long that its record is about to go."""
        return self.entry.asked_at is not None and self.entry.asked_at + LASTS <= now

    def may_have_arrived(self, piece: int) -> bool:
        """Return whether a piece was being sent when its sender died or could not tell."""
        return self.entry.sending is not None and piece <= self.entry.sending


class PieceRange(NamedTuple):
    """Pieces of an answer from `first` up to, without, `end`."""

    waiting: Waiting
    first: int
    end: int

    @property
    def path(self) -> str:
        """Return the path of the answer's ledger entry."""
        return self.waiting.path

    @property
    def is_doubtful(self) -> bool:
        """Return whether it may have arrived already."""
        return self.waiting.may_have_arrived(self.first)

    @property
    def doubts(self) -> int:
        """Return how often it may have arrived by now."""
        return self.waiting.entry.doubts + self.is_doubtful if self.first == self.waiting.entry.sent else 0

    def is_as_read(self, document: Document | None) -> bool:
        """Return whether nothing of it changed since it was read."""
        read = self.waiting.entry
        return _stands(document, self.first, read.sending if self.first == read.sent else None)

    def is_being_sent(self, document: Document | None) -> bool:
        """Return whether it still stands as it was marked."""
        return _stands(document, self.first, self.end - 1)

    @property
    def gives_up(self) -> bool:
        """Return whether it may have arrived so often that it is not sent again."""
        return self.is_doubtful and self.doubts >= MOST_SENDS


def _stands(document: Document | None, sent: int, sending: int | None) -> bool:
    entry = None if document is None else read_entry(document)
    return entry is not None and entry.is_waiting and (entry.sent, entry.sending) == (sent, sending)


@dataclass(frozen=True, slots=True)
class Parcel:
    """One message: a piece, or short texts that follow one another.

    Attributes:
        parts: What it says, one part an answer, oldest first.
        is_open: Whether more text may join it.
    """

    piece: AnswerPiece
    thread_id: int | None
    parts: tuple[PieceRange, ...]
    is_open: bool

    @property
    def is_doubtful(self) -> bool:
        """Return whether it may have arrived already."""
        return any(part.is_doubtful for part in self.parts)

    @property
    def is_joined(self) -> bool:
        """Return whether it says several pieces."""
        return sum(part.end - part.first for part in self.parts) > 1

    @property
    def given(self) -> tuple[UpdateId, ...]:
        """The updates of which it is kept what the model was given for their answers."""
        return tuple(part.waiting.update_id for part in self.parts if part.waiting.entry.is_given)

    @property
    def reply_to(self) -> int | None:
        """The message that it replies to when it is the beginning of one answer alone."""
        return self.parts[0].waiting.entry.reply_to if len(self.parts) == 1 and self.parts[0].first == 0 else None


def read_waiting(document: Document) -> Waiting:
    """Return what a ledger entry in the state "waiting" says."""
    return Waiting(document.path, read_entry(document), update_id_of(document))


def pack(waiting: Iterable[Waiting], *, apart: Collection[str] = ()) -> list[Parcel]:
    """Return what is left of the answers, in order, as few messages.

    A text joins the one before it in its topic while both fit into one; of two answers each says then whom it answers.
    What has buttons, a file or a question, or goes to somebody in private, goes alone; so does what a model said in a
    private chat, which takes as many messages as it likes. What may have arrived already is joined by nothing that
    cannot have: it says the same again.

    Args:
        apart: Paths of answers that go alone, piece by piece: Telegram refused a message of several.
    """
    parcels: list[Parcel] = []
    latest: dict[int | None, int] = {}
    for each in waiting:
        thread_id = each.entry.thread_id
        for index in range(each.entry.sent, len(each.pieces)):
            piece, part = each.pieces[index], PieceRange(each, index, index + 1)
            at = latest.get(thread_id)
            joined = None if at is None or each.path in apart else _append_piece(parcels[at], piece, part)
            if at is not None and joined is not None:
                parcels[at] = joined
            else:
                latest[thread_id] = len(parcels)
                parcels.append(Parcel(piece, thread_id, (part,), each.path not in apart and _is_open(piece, each)))
    return parcels


def _is_open(piece: AnswerPiece, waiting: Waiting) -> bool:
    content = piece.content
    mere = isinstance(content, OutgoingText) and not content.buttons
    is_alone = waiting.entry.is_given and waiting.entry.chat_id > 0
    return mere and piece.asks is None and piece.private_to is None and not is_alone


def _with_name(text: OutgoingText, waiting: Waiting) -> OutgoingText:
    """The text with whom it answers above it, by a link to what they asked where there is one."""
    entry = waiting.entry
    name = one_line(entry.whom, _MOST_NAME)
    if not name:
        return text
    link = message_link(entry.chat_id, entry.reply_to or 0, thread_id=entry.thread_id)
    shown = f'<a href="{escape(link)}">{escape(name)}</a>' if link else escape(name)
    people = text.people if entry.user_id is None else text.people | {entry.user_id}
    return replace(text, html=f"<b>{shown}:</b>\n{text.html}", plain=f"{name}:\n{text.plain}", people=people)


def _append_piece(parcel: Parcel, piece: AnswerPiece, part: PieceRange) -> Parcel | None:
    """The message with one more text in it, or None when it cannot have it."""
    before, after = parcel.piece.content, piece.content
    *earlier, last = parcel.parts
    if not (parcel.is_open and _is_open(piece, part.waiting)) or last.is_doubtful != part.is_doubtful:
        return None
    if not isinstance(before, OutgoingText) or not isinstance(after, OutgoingText):
        return None
    same = last.path == part.path
    if not same:
        after = _with_name(after, part.waiting)
        before = before if earlier else _with_name(before, last.waiting)
    plain = before.plain + _BETWEEN + after.plain
    if utf16_length(plain) > TELEGRAM_LIMIT:
        return None
    text = OutgoingText(before.html + _BETWEEN + after.html, plain, people=before.people | after.people)
    if restrain(text.html).text != text.html:  # together they mention more people than one message may
        return None
    parts = (*earlier, last._replace(end=part.end)) if same else (*parcel.parts, part)
    return replace(parcel, piece=AnswerPiece(text), parts=parts)


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of an answer: chat, topic, the message it replies to, and what its author is called."""

    chat_id: int
    reply_to: int | None = None
    thread_id: int | None = None
    whom: str = ""


async def show_instead(gateway: ChatGateway, chat_id: int, message_id: int, shows: OutgoingText) -> bool:
    """Let a message of the bot say something else; return False when it reads so already, or cannot be changed any
    more.

    Raises:
        ChatUnavailable: Telegram is out of reach now.
    """
    try:
        return await gateway.edit(chat_id, message_id, shows)
    except (ChatForbidden, ChatMigrated, MessageRejected) as error:
        log.warning("a message could not be changed: %s", error)
        return False


def own_message(
    clock: Clock,
    policy: Policy,
    to: Destination,
    piece: AnswerPiece,
    sent: SentMessage,
    *,
    answers: Sequence[UpdateId],
    retention: timedelta,
) -> Set:
    """The write that remembers a sent piece as the bot's own message.

    Args:
        to: Where it went.
        answers: Under which updates' ids it is kept what the model was given for it.
    """
    said = (piece.otherwise if to.chat_id != piece.private_to else None) or piece.content
    message = Message(
        chat_id=to.chat_id,
        message_id=sent.message_id,
        sent_at=sent.sent_at,
        user_id=policy.bot_id,
        name=policy.bot_names[0],
        username=policy.bot_username,
        text=said.plain,
        is_bot=True,
        reply_to=to.reply_to,
        thread_id=to.thread_id,
    )
    stored = new_message(message, now=clock.now(), retention=retention)
    own = stored._replace(reply_context=piece.asks, people=tuple(sorted(said.people)))
    return Set(message_path(to.chat_id, sent.message_id), own_message_fields(own, answers=answers))
