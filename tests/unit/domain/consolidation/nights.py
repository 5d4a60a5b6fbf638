"""Made-up weeks of groups, replayed night by night without a store: what stands in CONTEXT.md, what a reader expects.

Each file holds a line of expectations and the talk (when, who, what, and the number of the line it replies to). An
expectation names a section, words (a regular expression) and, if it matters, the day; `may` is what would not be missed
and does not disturb.
"""

import json
import re
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from shared.domain.consolidation.document import render
from shared.domain.consolidation.items import Item
from shared.domain.consolidation.merging import merge, settle
from shared.domain.consolidation.resolving import resolve_items
from shared.domain.consolidation.reviewing import Refused, verify
from shared.domain.consolidation.suggesting import suggest
from shared.domain.conversation.messages import Message
from shared.domain.facts.fact import Candidate
from shared.domain.text.language import Language
from tests.support.talk import extract_patterns
from tests.unit.domain.consolidation.item_lists import KYIV

FOLDER = Path(__file__).parents[3] / "data/consolidation/nights"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.jsonl")))
_YEAR, _REACH, _NIGHT = 2026, timedelta(days=7), timedelta(hours=2)


class Weeks(NamedTuple):
    """A talk and what its documents must, must not and may hold."""

    language: Language
    messages: list[Message]
    nights: dict[str, dict[str, list[list[str]]]]
    may: list[list[str]]


class Reading(NamedTuple):
    """What a reader makes of the documents of one talk, each remark with its night."""

    right: int
    missed: list[str]
    unwanted: list[str]
    idle: list[str]
    shown: int

    @property
    def recall(self) -> float:
        """Share of what must be there that is."""
        return self.right / (self.right + len(self.missed))

    @property
    def precision(self) -> float:
        """Share of the lines that a reader wants or does not mind."""
        return 1 - len(self.idle) / max(1, self.shown)


class ChatFact(NamedTuple):
    """A fact about the chat, as its profile would hold it."""

    category: str
    description: str
    evidence: tuple[Any, ...]


def read_nights(name: str) -> Weeks:
    head, *lines = (json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines())
    people: dict[str, int] = {}
    messages = [_message(number, line, people) for number, line in enumerate(lines, start=1)]
    return Weeks(head["language"], messages, head["nights"], head["may"])


def _message(number: int, line: list[Any], people: dict[str, int]) -> Message:
    when, name, text, *reply = line
    sent_at = datetime.fromisoformat(f"{_YEAR}-{when.replace(' ', 'T')}").replace(tzinfo=KYIV)
    return Message(
        chat_id=-1001, message_id=number, sent_at=sent_at.astimezone(UTC), name=name, text=text,
        user_id=people.setdefault(name, 101 + len(people)), reply_to=reply[0] if reply else None,
    )  # fmt: skip


@cache
def item_lists(name: str) -> dict[str, list[Item]]:
    """The items of each night at two, by its day ("03-06")."""
    weeks = read_nights(name)
    return replay(weeks.messages, weeks.language)


def replay(messages: list[Message], language: Language) -> dict[str, list[Item]]:
    """The items of every night from the first message to four days after the last."""
    learnt = extract_patterns(messages, admins=frozenset({messages[0].user_id}), bot_names=(), bot_username="spomyn")
    facts = [_fact(candidate) for candidate in learnt if candidate.subject == "chat"]
    listed: list[Item] = []
    closed: list[Item] = []
    found: dict[str, list[Item]] = {}
    first, last = (m.sent_at.astimezone(KYIV).date() for m in (messages[0], messages[-1]))
    for passed in range(1, (last - first).days + 5):
        night = datetime.combine(first + timedelta(days=passed), datetime.min.time(), KYIV) + _NIGHT
        listed, closed = _night(listed, closed, messages, facts, night, language)
        found[f"{night:%m-%d}"] = listed
    return found


def _night(
    listed: list[Item], closed: list[Item], messages: list[Message], facts: list[ChatFact], night: datetime,
    language: Language,
) -> tuple[list[Item], list[Item]]:  # fmt: skip
    talk = [m for m in messages if night - _REACH <= m.sent_at < night]
    new = [m for m in talk if m.sent_at >= night - timedelta(days=1)]
    if new:
        by_id = {message.message_id: message for message in talk}
        items = [
            verify(s, by_id, may_speak=lambda _: True, zone=KYIV, language=language, known=listed)
            for s in suggest(talk, facts, zone=KYIV, language=language, known=listed)
        ]
        listed = merge(listed, [i for i in items if not isinstance(i, Refused)], closed=closed, now=night)
    else:
        listed = merge(listed, [], closed=closed, now=night)
    tidied = settle(listed, resolve_items(listed, new), closed=closed, now=night)
    return tidied.items, tidied.closed


def _fact(candidate: Candidate) -> ChatFact:
    return ChatFact(candidate.category, candidate.description, tuple(candidate.evidence))


def reading(name: str) -> Reading:
    """What a reader makes of the documents on the nights that the file names."""
    weeks, by_night = read_nights(name), item_lists(name)
    wanted = [e for night in weeks.nights.values() for e in night["must"]] + weeks.may
    right, shown, missed, unwanted, idle = 0, 0, list[str](), list[str](), list[str]()
    for night, expected in weeks.nights.items():
        listed = by_night[night]
        shown += len(listed)
        for entry in expected["must"]:
            held = any(_fits(item, entry) for item in listed)
            right += held
            missed += [] if held else [f"{night} {entry}"]
        unwanted += [f"{night} {i.section}: {i.text}" for e in expected["not"] for i in listed if _fits(i, e)]
        idle += [f"{night} {i.section}: {i.text}" for i in listed if not any(_fits(i, e[:2]) for e in wanted)]
    return Reading(right, missed, unwanted, idle, shown)


def _fits(item: Item, expected: list[str]) -> bool:
    section, words, *day = expected
    due = date.fromisoformat(f"{_YEAR}-{day[0]}") if day else item.due
    return item.section == section and bool(re.search(words, item.text, re.IGNORECASE)) and item.due == due


def _show(names: list[str], *, every: bool) -> None:
    for name in names:
        weeks, read = read_nights(name), reading(name)
        print(
            f"\n===== {name}: recall {read.recall:.2f}, precision {read.precision:.2f}, unwanted {len(read.unwanted)}"
        )
        print(*(f"  missed   {each}" for each in read.missed), sep="\n")
        print(*(f"  unwanted {each}" for each in read.unwanted), sep="\n")
        print(*(f"  idle     {each}" for each in read.idle), sep="\n")
        for night, listed in item_lists(name).items() if every else ():
            if night in weeks.nights:
                moment = datetime.fromisoformat(f"{_YEAR}-{night}T00:00+00:00")
                print(f"--- {night}", render(listed, language=weeks.language, updated_at=moment, zone=KYIV), sep="\n")


if __name__ == "__main__":
    import sys

    _show([name for name in sys.argv[1:] if name in NAMES], every="-v" in sys.argv)
