"""Talk in few tokens: one line a message, `Оля: text` or `Тарас → Оля: text`, and lines in brackets that only we write.

    [2026-03-06 18:20]
    Оля: хто йде в суботу?
    #12 Тарас → Оля: я
    [19:45]
    гряг → Оля: Поки що тільки Тарас.
    [RESPOND]

A line in brackets says when: the day and time where the day changes, the time alone after a silence. `#12` is the
message's id, where the line may be cited. Everything that people typed is escaped: a message is one line and no other.
What is written can be read back for all messages with handles as `labels_of` gives them.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta, tzinfo

from shared.domain.answering.context.escaping import format_body
from shared.domain.conversation.messages import Message

END = "[RESPOND]"
"""Marks where the answer goes: the last line of a talk."""

SILENCE = timedelta(hours=1)
"""The pause after which a new sitting begins and its time is told; sessions in retrieval are as long apart."""


def talk_lines(
    messages: Sequence[Message],
    handles: Mapping[int, str],
    zone: tzinfo,
    *,
    known: Mapping[int, Message] | None = None,
    cited: Collection[int] = (),
) -> list[str]:
    """Messages in the order of talk as lines, with the moments between them.

    Args:
        handles: Of every speaker.
        zone: In which days begin and clocks are read.
        known: Further messages by id that may have been replied to.
        cited: Ids of the messages whose lines show them.
    """
    by_id = {**(known or {}), **{m.message_id: m for m in messages}}
    lines: list[str] = []
    for before, message in zip([None, *messages], messages, strict=False):
        lines += moment_lines(before, message, zone)
        lines.append(message_line(message, handles, by_id, cited=message.message_id in cited))
    return lines


def message_line(message: Message, handles: Mapping[int, str], by_id: Mapping[int, Message], *, cited: bool) -> str:
    """One message; a reply to a message or a person not known here shows no arrow."""
    replied = by_id.get(message.reply_to) if message.reply_to is not None else None
    to = handles.get(replied.user_id) if replied is not None else None
    number, arrow = f"#{message.message_id} " if cited else "", "" if to is None else f" → {to}"
    return f"{number}{handles[message.user_id]}{arrow}: {format_body(message)}"


def moment_lines(before: Message | None, message: Message | None, zone: tzinfo) -> list[str]:
    """Return what a new day or a long silence puts between two messages that follow each other; None is the talk's
    end."""
    if message is None:
        return []
    now = message.sent_at.astimezone(zone)
    if before is None or before.sent_at.astimezone(zone).date() != now.date():
        return [f"[{now.date()} {now:%H:%M}]"]
    return [f"[{now:%H:%M}]"] if message.sent_at - before.sent_at >= SILENCE else []
