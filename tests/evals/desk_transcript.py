"""What readers answered at the desk, kept so that it can be played again: tests/data/desk/GROUP/transcripts.

A line of `learning.jsonl` or `questions.jsonl` is a request, by what it is known again, and its reply. The requests
themselves stand beside them in `requests.jsonl.xz`, for who wants to see what was answered.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from shared.application.ports.model import ModelRequest
from tests.evals.desk_requests import Identity, Numbers, readable, short_digest

LEARNING, QUESTIONS, REQUESTS, FIGURES = "learning.jsonl", "questions.jsonl", "requests.jsonl.xz", "figures.json"
ALIKE, ALIKE_FACTS = 0.8, 0.4
"""From this share of common pieces on a request counts as the one that was answered: a stretch that begins or ends
elsewhere by a few messages, a portrait of somebody of whom something more is known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A request and what was answered.

    Attributes:
        digest: Of the whole request as it was read.
        numbers: What its numbers stand for.
        reply: `{"text": …}`, `{"json": …}`, `{"function_call": …}` or `{"fault": …}`.
        place: Of a question: "<retention>/<id>"; "" while the talk is learnt.
    """

    identity: Identity
    digest: str
    numbers: Numbers
    reply: Any
    place: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as a line of the file."""
        return {**asdict(self.identity), "place": self.place, "digest": self.digest} | {
            "numbers": self.numbers,
            "reply": self.reply,
        }


@dataclass
class Transcript:
    """Replies that are known, each of which is given once in a run."""

    entries: Sequence[Entry] = ()
    _given: set[int] = field(default_factory=set)

    def find(self, identity: Identity) -> Entry | None:
        """Return the entry of a request: the same, else the one that is most alike of those that nobody asked for, else
        several that are joined."""
        free = [
            (entry.identity.likeness(identity), at) for at, entry in enumerate(self.entries) if at not in self._given
        ]
        best, at = max(free, default=(0.0, -1), key=lambda each: (each[0], -each[1]))
        if best < (ALIKE_FACTS if identity.purpose == "culture" else ALIKE):
            return self._join(identity) if (identity.purpose, identity.kind) == ("reading", "texts") else None
        self._given.add(at)
        return self.entries[at]

    def _join(self, identity: Identity) -> Entry | None:
        """Return as one what was answered to requests for texts that are one now: part after part, in their order."""
        pieces, found = set(identity.pieces), dict[int, Entry]()
        for at, entry in enumerate(self.entries):
            same = (entry.identity.purpose, entry.identity.kind) == (identity.purpose, identity.kind)
            own = set(entry.identity.pieces)
            if same and at not in self._given and len(own & pieces) >= ALIKE * len(own):
                found[at] = entry
        whole = replace(identity, pieces=tuple(each for entry in found.values() for each in entry.identity.pieces))
        if whole.likeness(identity) < ALIKE:
            return None
        self._given |= found.keys()
        parts = [part for entry in found.values() for part in entry.reply["json"]["parts"]]
        numbered = [part | {"part": number} for number, part in enumerate(parts, start=1)]
        return Entry(whole, "", {}, {"json": {"parts": numbered}})

    def of(self, place: str) -> Transcript:
        """Return what was answered there."""
        return Transcript([entry for entry in self.entries if entry.place == place])


def read_transcript(file: Path) -> Transcript:
    """Return what a file holds; nothing when there is none."""
    if not file.is_file():
        return Transcript()
    return Transcript([_entry(json.loads(line)) for line in file.read_text("utf-8").splitlines()])


def _entry(line: dict[str, Any]) -> Entry:
    identity = Identity(line["purpose"], line["kind"], tuple(line["pieces"]), line["nth"])
    return Entry(identity, line["digest"], line["numbers"], line["reply"], line["place"])


def write_transcript(file: Path, entries: Iterable[Entry]) -> None:
    """Write a file of entries, each on a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(entry.to_json(), ensure_ascii=False, sort_keys=True) for entry in entries)
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def write_requests(file: Path, texts: Iterable[str]) -> None:
    """Write what was read, each with its digest, in one compressed file."""
    lines = sorted({json.dumps({"digest": short_digest(text), "request": text}, ensure_ascii=False) for text in texts})
    file.write_bytes(lzma.compress("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")))


def digest_of(request: ModelRequest) -> str:
    """Return the digest of a request as it is read."""
    return short_digest(readable(request))
