"""A recap of the talk that somebody missed: since when, which notes tell it, and what was said to them."""

import json
import re
from collections.abc import Collection, Iterable
from datetime import datetime, time, timedelta

from shared.domain.conversation.messages import Message
from shared.domain.recall.index.note import Note
from shared.domain.recall.time_phrases import spans_in
from shared.domain.text.data_files import expressions
from shared.domain.text.language import tokens
from shared.domain.text.names import same_name

MOST_NOTES = 8
"""Stretches of talk in a recap: what one reads on a phone without scrolling twice."""

MOST_FOR_ASKER = 5
"""Messages to the asker in a recap."""

_EXCERPT = re.compile(r'("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*")')
_BETWEEN = " · "
_DOTS = re.compile("[·•‧∙⋅・]")
_SHORTEST = 2  # letters of what is too short for a name

_SAYS = expressions(__package__, "recap")
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})")


def read_begin(text: str, *, now: datetime) -> datetime | None:
    """The beginning of what is asked for: "3h", "2 дні", "10:30", "вчора", "last Friday", "2026-11-20".

    Args:
        now: In the chat's zone.
    Returns:
        None for what is no time, or one that is not past.
    """
    said = text.strip().casefold()
    if ago := _SAYS["ago"].fullmatch(said):
        since = now - timedelta(**{str(ago.lastgroup): int(ago[1])})
    elif (clock := _CLOCK.fullmatch(said)) and int(clock[1]) < 24 and int(clock[2]) < 60:
        today = datetime.combine(now.date(), time(int(clock[1]), int(clock[2])), now.tzinfo)
        since = today if today <= now else today - timedelta(days=1)
    else:
        spans = spans_in(said, now)
        since = spans[0].since if spans else now
    return since if since < now else None


def choose_telling(notes: Iterable[Note], *, most: int = MOST_NOTES) -> list[Note]:
    """The notes that tell a stretch of talk with little said twice, oldest first.

    Conversations that are over tell best, then the chunks beside them; when these are too many, wider summaries stand
    for those that lie in them, and of what is still too much the newest stays.
    """
    known = sorted(notes, key=lambda note: note.first)
    kept = [note for note in known if note.kind == "episode"]
    chunks = [note for note in known if note.kind == "chunk"]
    kept += [c for c in chunks if not any(e.first <= c.last and c.first <= e.last for e in kept)]
    for meta in sorted((n for n in known if n.kind == "meta"), key=lambda n: n.last - n.first):
        if len(kept) <= most:
            break
        inside = [note for note in kept if meta.first <= note.first and note.last <= meta.last]
        if len(inside) > 1:
            kept = [*(note for note in kept if note not in inside), meta]
    return sorted(kept, key=lambda note: note.first)[-most:]


def gist(note: Note) -> str:
    """Return what a note tells, on one line; of excerpts, what was said by whom, without the quotes that the model
    reads and without the bare words (themes, names, mood) that stand behind them for the search."""
    lines = [line.strip() for line in note.text.splitlines() if line.strip()]
    excerpts = [said for line in lines if (said := _unquote(line)) is not None]
    return _BETWEEN.join(excerpts or lines)


def _unquote(line: str) -> str | None:
    """An excerpt as people read it; None for any other line."""
    match = _EXCERPT.fullmatch(line)
    if match is None:
        return None
    try:
        name, text = json.loads(match[1]), json.loads(match[2])
    except ValueError:
        return None
    return _DOTS.sub("-", f"{name}: {text}")  # or the words of one could go on as another's


def said_to(messages: Iterable[Message], user_id: int, *, names: Iterable[str], own: frozenset[int]) -> list[Message]:
    """Return what was said to a member, oldest first: replies to them, and messages that call them by a name.

    Args:
        names: What they are called.
        own: Ids of their own messages.
    """
    known = [*names]
    called = {tokens(name)[0] for name in known if tokens(name)}
    handles = {name.casefold() for name in known}
    found = [
        message
        for message in messages
        if message.user_id != user_id and (message.reply_to in own or _calls(message.text, called, handles))
    ]
    return found[-MOST_FOR_ASKER:]


def _calls(text: str, names: Collection[str], handles: Collection[str]) -> bool:
    """Return whether a text says one of the names, in any of its forms, or one of the handles as it is."""
    if any(handle in handles for handle in re.findall(r"\w+", text.casefold())):
        return True
    return any(same_name(word, name) for word in tokens(text) for name in names if len(name) > _SHORTEST)
