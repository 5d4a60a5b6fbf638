"""The outcomes of an answer."""

from enum import StrEnum


class AnswerOutcome(StrEnum):
    """The outcome of an answer; the value is what its ledger entry keeps.

    Attributes:
        ANSWERED: It was said.
        SILENT: There was nothing to say.
        LIMITED: Its author asked too much, and was told so, or knows.
        ALREADY_ANSWERED: Somebody dealt with it before.
        WAITS: For room in the group.
        UNCERTAIN: Nobody knows whether all of it arrived.
        INACTIVE: The bot is not in the chat any more.
        REJECTED: Telegram does not take it.
        TAKEN_OVER: Somebody else ended it, or let it wait, while it was made.
        MERGED: Its author asked anew before it was answered: one answer serves both.
        STOPPED: Its author wanted no answer any more.
        FORGOTTEN: It was taken back, because of what was forgotten since.
    """

    ANSWERED = "answered"
    SILENT = "silent"
    LIMITED = "limited"
    ALREADY_ANSWERED = "already answered"
    WAITS = "waits"
    UNCERTAIN = "uncertain"
    INACTIVE = "inactive"
    REJECTED = "rejected"
    TAKEN_OVER = "taken over"
    MERGED = "merged"
    STOPPED = "stopped"
    FORGOTTEN = "forgotten"
