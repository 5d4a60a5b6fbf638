"""Talk in few tokens: one line a message, `Оля: text` or `Тарас → Оля: text`, and lines in brackets that only we write.

    [2026-03-06 18:20]
    Оля: хто йде в суботу?
    #12 Тарас → Оля: я
    [19:45]
    гряг → Оля: Поки що тільки Тарас.
    [RESPOND]

A line in brackets says when: the day and time where the day changes, the time alone after a silence. `#12` is the
message's id, where the line may be cited. Everything that people typed is escaped: a message is one line and no other.
What is written can be read back for all entries with handles as `handles_of` gives them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from typing import NamedTuple

from shared.domain.answering.context.body import Body, body_of, format_body
from shared.domain.conversation.messages import Message

END = "[RESPOND]"
"""Where the answer goes: the last line of a talk."""

SILENCE = timedelta(hours=1)
"""After it a new sitting begins and its time is told; sessions in retrieval are as long apart."""


class Moment(NamedTuple):
    """When the lines below were said: `clock` is "18:20", `day` None where it is still the same."""

    clock: str
    day: date | None = None


class Said(NamedTuple):
    """One message.

    Attributes:
        speaker, to: Handles; `to` is whom it replies to, or None.
        message_id: Shown for citing, or None.
    """

    speaker: str
    body: Body
    to: str | None = None
    message_id: int | None = None


Entry = Moment | Said


def format_talk(entries: Iterable[Entry], *, end: bool = False) -> str:
    """The entries as lines; with `end` the end marker is the last."""
    return "\n".join([*map(format_entry, entries), *([END] if end else [])])


def format_entry(entry: Entry) -> str:
    """One line, without its end."""
    if isinstance(entry, Moment):
        return f"[{entry.day} {entry.clock}]" if entry.day else f"[{entry.clock}]"
    cited = "" if entry.message_id is None else f"#{entry.message_id} "
    arrow = "" if entry.to is None else f" → {entry.to}"
    return f"{cited}{entry.speaker}{arrow}: {format_body(entry.body)}"


def entries_of(
    messages: Sequence[Message],
    handles: Mapping[int, str],
    zone: tzinfo,
    *,
    known: Mapping[int, Message] | None = None,
    cited: Collection[int] = (),
) -> list[Entry]:
    """Messages in the order of talk as entries, with the moments between them.

    Args:
        handles: Of every speaker.
        zone: In which days begin and clocks are read.
        known: Further messages by id that may have been replied to.
        cited: Ids of the messages whose lines show them.
    """
    by_id = {**(known or {}), **{m.message_id: m for m in messages}}
    entries: list[Entry] = []
    for before, message in zip([None, *messages], messages, strict=False):
        entries += moments_between(before, message, zone)
        entries.append(entry_of(message, handles, by_id, cited=message.message_id in cited))
    return entries


def entry_of(
    message: Message, handles: Mapping[int, str], by_id: Mapping[int, Message], *, cited: bool = False
) -> Said:
    """A message as an entry; a reply to a message or a person not known here shows no arrow."""
    replied = by_id.get(message.reply_to) if message.reply_to is not None else None
    to = handles.get(replied.user_id) if replied is not None else None
    return Said(handles[message.user_id], body_of(message), to, message.message_id if cited else None)


def moments_between(before: Message | None, message: Message | None, zone: tzinfo) -> list[Moment]:
    """Return what a new day or a long silence puts between two messages that follow each other; None is the talk's
    end."""
    if message is None:
        return []
    now = message.sent_at.astimezone(zone)
    clock = f"{now:%H:%M}"
    if before is None or before.sent_at.astimezone(zone).date() != now.date():
        return [Moment(clock, now.date())]
    return [Moment(clock)] if message.sent_at - before.sent_at >= SILENCE else []
