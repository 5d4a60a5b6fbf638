"""The codec of a profile, the facts of one subject as one text: `documents.profile_path`."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from shared.application.derived_codec import DerivedCodec
from shared.application.ports.store import Document
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.profile import ProfileFact

FORMAT = 4
"""The format of the rows; a profile of another format is made again."""

_NAMES = {"evidence_count": "times"}
_ROW = DerivedCodec(ProfileFact, names=_NAMES, apart=["subject"], sparse=["ended_at"])  # the subject is the document's


def read_profile(document: Document | None, subject: str) -> list[ProfileFact] | None:
    """Return the facts of a subject's profile, best first; None when there is none, or it has another format."""
    if document is None or document.data.get("format") != FORMAT:
        return None
    return [_ROW.read(fields, subject=subject) for fields in json.loads(document.data["facts"])]


def profile_fields(facts: Iterable[ProfileFact], *, made_at: datetime) -> dict[str, Any]:
    """Return the document of a profile; whose it is, its id says."""
    return {"schema": SCHEMA, "format": FORMAT, "made_at": made_at, "facts": _json(facts)}


def row_bytes(fact: ProfileFact) -> int:
    """Return how many bytes of UTF-8 a fact takes in a profile."""
    return len(_json([fact]).encode("utf-8", "surrogatepass"))


def _json(facts: Iterable[ProfileFact]) -> str:
    """The rows as one text: as thousands of fields they take Firestore's client several times as long to read."""
    return json.dumps([_ROW.fields(fact) for fact in facts], ensure_ascii=False, default=datetime.isoformat)
