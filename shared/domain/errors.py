"""The one error tree, split by what the caller should do.

    SpomynError
    ├── TransientError      try again later: HTTP 503 (500 of an answer), the queue or Telegram redelivers
    │   ├── StoreUnavailable, Contention, PathTaken, GoesOnElsewhere
    │   ├── QueueUnavailable
    │   ├── ModelUnavailable, OverBudget
    │   ├── ChatUnavailable, SendUncertain
    │   ├── WeatherUnavailable
    │   ├── ArchiveUnavailable
    │   ├── LeaseHeld
    │   └── UnforeseenFailure
    ├── PermanentError      trying again changes nothing: record it, acknowledge, go on
    │   ├── UnparseableUpdate
    │   ├── UnstorableDocument
    │   ├── ModelRefused
    │   ├── ChatForbidden, ChatMigrated, MessageRejected, PrivateChatClosed, MarkupRejected, MethodUnknown
    │   ├── FileTooLarge, FileGone
    │   ├── ToolRefused
    │   ├── ObjectRefused, ObjectGone, ObjectLocked, ObjectCorrupt, PreconditionFailed
    │   ├── NothingToExport, ExportRefused
    │   └── Unauthenticated, UnknownJob, BadPayload
    ├── GivenUp             it is written down as a dead letter: acknowledge it
    └── SettingsError       a person must fix a setting; start-up stops

Any other exception is a bug. It is tried again a few times, for it may be of the moment, and is a dead letter then:
`application.dealing` decides it for updates, `application.setting_aside` for what a task does one by one, the queue's
handlers for the tasks themselves.

An outage is never an empty result: adapters translate their SDK's errors into these with
`raise ... from error`.
"""

from typing import Literal

_MOST_NAMED = 3


class SpomynError(Exception):
    """Root of every error that Spomyn raises on purpose."""


class TransientError(SpomynError):
    """An error after which the same call may succeed later; nothing was lost.

    Attributes:
        retry_after: Seconds the peer asked to wait, or None when it did not say.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class StoreUnavailable(TransientError):
    """The document store did not answer, or refused for lack of capacity."""


class Contention(TransientError):
    """A transaction lost its race as often as it was allowed to try."""


class PathTaken(Contention):
    """A document that was to be created exists; nothing was written."""


class GoesOnElsewhere(Contention):
    """A chat goes on under another id, where the next run finds it: what is written here would be lost."""


class QueueUnavailable(TransientError):
    """The task queue did not take a task."""


class ModelUnavailable(TransientError):
    """The language model did not answer in time, or is over its quota."""


class OverBudget(ModelUnavailable):
    """A call that today's budget has no room for.

    Attributes:
        whose: Which budget it is.
    """

    def __init__(self, whose: Literal["chat", "member"]) -> None:
        super().__init__(f"the {whose}'s budget of today is used up")
        self.whose = whose


class ChatUnavailable(TransientError):
    """The chat service definitely did not take the request (refused, 429, 5xx before sending)."""


class SendUncertain(TransientError):
    """The connection broke after the message left, or its answer was unreadable: it may or may not have been sent.

    It is sent again, a few times: a lost answer is worse than a rare double.
    """


class ChatUnconfigured(ChatUnavailable):
    """There is no way into the chats here: no token."""


class WeatherUnavailable(TransientError):
    """The weather service did not answer, or not in its form."""


class ArchiveUnavailable(TransientError):
    """The archive did not answer, broke off, or refused for lack of capacity."""


class LeaseHeld(TransientError):
    """Another instance is answering this update right now."""


class UnforeseenFailure(TransientError):
    """Something failed in a way that nobody foresaw; it is tried again, a few times. Its cause is the exception."""


class GivenUp(SpomynError):
    """An update or a task is a dead letter now and need not come again. Its cause is why.

    Attributes:
        letter_id: Id of the record.
    """

    def __init__(self, letter_id: str) -> None:
        super().__init__(f"recorded as a dead letter: {letter_id}")
        self.letter_id = letter_id


class PermanentError(SpomynError):
    """An error that the same call would have again: record it and go on."""


class UnparseableUpdate(PermanentError):
    """The update does not have the shape that the Bot API describes."""


class UnstorableDocument(PermanentError):
    """The store refuses a document: it is too large, or holds what no document can.

    Attributes:
        paths: The documents that were to be written, of which one was refused; mostly a single one.
    """

    def __init__(self, complaint: str, *, paths: tuple[str, ...]) -> None:
        named = ", ".join(paths[:_MOST_NAMED]) + (", …" if len(paths) > _MOST_NAMED else "")
        super().__init__(f"{named}: {complaint}")
        self.paths = paths


class ModelRefused(PermanentError):
    """The model blocked the request or its own answer, or returned no candidate."""


class ChatForbidden(PermanentError):
    """The bot was removed from the chat or blocked (HTTP 403): the chat is inactive."""


class ChatMigrated(PermanentError):
    """The group became a supergroup.

    Attributes:
        new_chat_id: The id under which the chat goes on.
    """

    def __init__(self, message: str, *, new_chat_id: int) -> None:
        super().__init__(message)
        self.new_chat_id = new_chat_id


class MessageRejected(PermanentError):
    """The chat service refused this message as such (HTTP 400)."""


class PrivateChatClosed(MessageRejected):
    """A message was for the private chat of somebody who never opened one with the bot, or closed it."""


class MarkupRejected(MessageRejected):
    """The chat service could not parse the message's markup; the plain text may still pass."""


class MethodUnknown(MessageRejected):
    """The chat service is too old for what it was asked to do."""


class FileTooLarge(PermanentError):
    """A file is larger than the caller wants, or than the chat service hands out."""


class FileGone(PermanentError):
    """The chat service has no such file, or not any more."""


class ToolRefused(PermanentError):
    """A tool cannot or must not do what the model asked; the message says why, for the model to read."""


class ObjectRefused(PermanentError):
    """The archive refused a request as such."""


class ObjectGone(PermanentError):
    """The archive has no object of this key, or not any more."""


class PreconditionFailed(PermanentError):
    """Another object is in the archive than a conditional write expects."""


class ObjectLocked(PermanentError):
    """The bucket keeps versions of objects from being deleted.

    Attributes:
        keys: The objects' keys.
    """

    def __init__(self, message: str, *, keys: tuple[str, ...]) -> None:
        super().__init__(message)
        self.keys = keys


class ObjectCorrupt(PermanentError):
    """An object's bytes are not those that were put: its checksum differs."""


class NothingToExport(PermanentError):
    """There is no document of this chat."""


class ExportRefused(PermanentError):
    """An export is damaged, of another format, or not to be applied to what the store holds.

    Attributes:
        problems: One line each, with line number and path where there is one.
    """

    def __init__(self, message: str, *, problems: tuple[str, ...] = ()) -> None:
        super().__init__(": ".join([message, "; ".join(problems)]) if problems else message)
        self.problems = problems


class Unauthenticated(PermanentError):
    """The caller's token is missing, forged, expired, for another audience or of another account."""


class UnknownJob(PermanentError):
    """No maintenance job has this name."""


class BadPayload(PermanentError):
    """A task's payload is not of its shape."""


class SettingsError(SpomynError):
    """A setting is missing or wrong; the message names it and the remedy."""
