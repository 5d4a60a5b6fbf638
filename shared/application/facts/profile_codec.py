"""How a profile is kept, the facts of one subject as one text: `documents.profile_path`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, ProfileQuote, ReplacedValue

FORMAT, OLDER = 3, 2
"""Of the rows, and of those that do not say what a fact replaced and until when it holds; a profile of another format
is made again."""

_TIMES = ("valid_from", "last_reinforced_at", "pinned_at", "holds_until")


def read_profile(document: Document | None, subject: str) -> list[ProfileFact] | None:
    """Return the facts of a subject's profile, best first; None when there is none, or it has another format."""
    if document is None or document.data.get("format") not in (FORMAT, OLDER):
        return None
    return [_row(fields, subject) for fields in json.loads(document.data["facts"])]


def profile_fields(facts: Iterable[ProfileFact], *, made_at: datetime) -> dict[str, Any]:
    """Return the document of a profile; whose it is, its id says."""
    return {"schema": SCHEMA, "format": FORMAT, "made_at": made_at, "facts": _json(facts)}


def row_bytes(fact: ProfileFact) -> int:
    """Return how many bytes of UTF-8 a fact takes in a profile."""
    return len(_json([fact]).encode("utf-8", "surrogatepass"))


def _json(facts: Iterable[ProfileFact]) -> str:
    """The rows as one text: as thousands of fields they take Firestore's client several times as long to read."""
    return json.dumps([_fields(fact) for fact in facts], ensure_ascii=False, default=datetime.isoformat)


def _fields(fact: ProfileFact) -> dict[str, Any]:
    """A row; the subject is the document's."""
    fields = fact._asdict() | {
        "authority": int(fact.authority),
        "evidence": [quote._asdict() for quote in fact.evidence],
        "before": [value._asdict() for value in fact.before],
    }
    fields["times"] = fields.pop("evidence_count")
    del fields["subject"]
    return fields


def _row(fields: Mapping[str, Any], subject: str) -> ProfileFact:
    """Inverse of `_fields`, of what comes back from JSON."""
    said = tuple(
        ProfileQuote(**{**quote, "sent_at": datetime.fromisoformat(quote["sent_at"])}) for quote in fields["evidence"]
    )
    before = tuple(
        ReplacedValue(each["description"], datetime.fromisoformat(each["since"]), tuple(each["user_ids"]))
        for each in fields.get("before", ())
    )
    times = {name: datetime.fromisoformat(fields[name]) if fields.get(name) else None for name in _TIMES}
    read = times | {"subject": subject, "authority": Authority(fields["authority"]), "evidence": said, "before": before}
    same = {name: value for name, value in fields.items() if name != "times"}
    return ProfileFact(**{**same, **read, "evidence_count": fields["times"]})
