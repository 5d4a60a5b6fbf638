"""How much may be said in a group within a minute, and asked of the bot within an hour.

Telegram lets a bot send 20 messages a minute into one group (Bot FAQ, "My bot is hitting limits"). A message holds its
place from the moment it is reserved: nobody knows how long sending takes, so what is reserved counts until it was sent
and a minute longer, and what its sender never reported counts as if it had left when the sender's lease ended. So no
minute, wherever it begins, sees more than 20 messages, as far as the clocks of the instances agree; where they do not,
Telegram refuses what is too much, and it is sent later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

MESSAGES_PER_MINUTE = 20
"""Into one group (Telegram's Bot FAQ)."""

CHAT = "chat"
"""In `Pace.told`: the notice that was for all."""


class Reserved(NamedTuple):
    """Messages that somebody is about to send.

    Attributes:
        until: When they stop at the latest: the end of their lease.
    """

    pieces: int
    until: datetime


class SendingTurn(NamedTuple):
    """Whose turn it is to send what waits, and until when it is theirs."""

    token: str
    until: datetime


class Limit(NamedTuple):
    """Why somebody is not answered: who asked too much, and when there is room for a question again."""

    whose: Literal["member", "chat"]
    until: datetime


@dataclass(frozen=True, slots=True)
class Pace:
    """What was said and asked in a chat lately: instants and ids, no words.

    Attributes:
        sent: When the messages of the last minute were sent.
        reserved: Messages about to be sent, by the update or delivery that sends them.
        asked: When members asked within the last hour, oldest first, by user id.
        told: When a notice about the limit was given, by user id or `CHAT`.
        last: Number of the last answer that had to wait.
        served: Up to this number nothing waits any more.
        turn: Who sends what waits, or None.
        erased_at: When something of the chat was last forgotten for good, or None: what was made of its memory before
            must not be said any more.
    """

    sent: tuple[datetime, ...] = ()
    reserved: Mapping[str, Reserved] = field(default_factory=dict)
    asked: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    told: Mapping[str, datetime] = field(default_factory=dict)
    last: int = 0
    served: int = 0
    turn: SendingTurn | None = None
    erased_at: datetime | None = None

    @property
    def is_queued(self) -> bool:
        """Return whether answers may be waiting; a new one must not overtake them."""
        return self.last > self.served


def tidy(pace: Pace, now: datetime) -> Pace:
    """Drop what does not matter any more."""
    recent = {user: tuple(at for at in times if at > now - HOUR) for user, times in pace.asked.items()}
    return replace(
        pace,
        sent=tuple(at for at in pace.sent if at > now - MINUTE),
        reserved={key: held for key, held in pace.reserved.items() if held.until > now - MINUTE},
        asked={user: times for user, times in recent.items() if times},
        told={whom: at for whom, at in pace.told.items() if at > now - HOUR},
    )


# --- Said ----------------------------------------------------------------------------------------


def room(pace: Pace, now: datetime) -> int:
    """Return how many messages may be reserved now."""
    pace = tidy(pace, now)
    held = sum(each.pieces for each in pace.reserved.values())
    return max(0, MESSAGES_PER_MINUTE - len(pace.sent) - held)


def room_at(pace: Pace, now: datetime) -> datetime:
    """Return when there is room for a message at the earliest, were what is reserved sent now."""
    pace = tidy(pace, now)
    held = [min(each.until, now) for each in pace.reserved.values() for _ in range(each.pieces)]
    instants = sorted([*pace.sent, *held])
    return now if len(instants) < MESSAGES_PER_MINUTE else instants[-MESSAGES_PER_MINUTE] + MINUTE


def reserve(pace: Pace, key: str, pieces: int, *, now: datetime, until: datetime) -> Pace | None:
    """Room for messages, or None when there is none for all of them.

    Args:
        key: Who sends them. What it had reserved before is replaced.
        until: When they stop at the latest.
    """
    pace = release(pace, key, pieces, now=now)
    if pieces > room(pace, now):
        return None
    return replace(pace, reserved={**pace.reserved, key: Reserved(pieces, until)}) if pieces else pace


def release(pace: Pace, key: str, left: int, *, now: datetime) -> Pace:
    """Give back what `key` had reserved and did not send.

    Args:
        left: How many of them are still to be sent by somebody; the others may have been sent just now.
    """
    pace = tidy(pace, now)
    held = pace.reserved.get(key)
    gone = max(0, held.pieces - left) if held is not None else 0
    others = {other: each for other, each in pace.reserved.items() if other != key}
    return replace(pace, sent=(*pace.sent, *[now] * gone), reserved=others)


def report_sent(pace: Pace, key: str, *, now: datetime, until: datetime, said: bool) -> Pace:
    """One of the reserved messages is done with; the others have until `until`.

    Args:
        said: Whether it went into the group.
    """
    pace = tidy(pace, now)
    held = pace.reserved.get(key)
    others = {other: each for other, each in pace.reserved.items() if other != key}
    if held is not None and held.pieces > 1:
        others[key] = Reserved(held.pieces - 1, until)
    return replace(pace, sent=(*pace.sent, now) if said else pace.sent, reserved=others)


def enqueue(pace: Pace) -> Pace:
    """Add an answer that waits; its number is the new `last`."""
    return replace(pace, last=pace.last + 1)


# --- Asked ---------------------------------------------------------------------------------------


def ask(pace: Pace, user: str, *, now: datetime, per_user: int, per_chat: int) -> tuple[Pace, Limit | None]:
    """Count a question, unless one of the limits of a sliding hour is reached: then it says which.

    Args:
        per_user, per_chat: Questions an hour, at least 1.
    """
    pace = tidy(pace, now)
    own, everybody = pace.asked.get(user, ()), sorted(at for times in pace.asked.values() for at in times)
    if len(own) >= per_user:
        return pace, Limit("member", own[-per_user] + HOUR)
    if len(everybody) >= per_chat:
        return pace, Limit("chat", everybody[-per_chat] + HOUR)
    return replace(pace, asked={**pace.asked, user: tuple(sorted((*own, now)))}), None


def tell(pace: Pace, user: str, limit: Limit, *, now: datetime) -> Pace | None:
    """Note that a notice about the limit is given; None when one was within the hour."""
    pace = tidy(pace, now)
    whom = user if limit.whose == "member" else CHAT
    return None if whom in pace.told else replace(pace, told={**pace.told, whom: now})


def without_member(pace: Pace, user: str) -> Pace:
    """Drop everything of a member."""
    asked = {each: times for each, times in pace.asked.items() if each != user}
    return replace(pace, asked=asked, told={each: at for each, at in pace.told.items() if each != user})
