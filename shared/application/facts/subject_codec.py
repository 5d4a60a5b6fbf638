"""The codec of the counters of each subject of facts (`documents.learning_path`), and of what was made of two
statements about it, a duplicate or a conflict (`documents.quality_path`).

Whoever makes something from a subject's facts (a profile, a portrait, a pass of deduplication) reads its `revision`
before the facts, and notes that it is done in a transaction that finds the same revision.
"""

from datetime import datetime
from typing import Any, NamedTuple

from shared.application.derived_codec import DerivedCodec
from shared.application.documents import learning_path, profile_path, quality_path
from shared.application.ports.store import Delete, Filter, Increment, Upsert, Write
from shared.domain.conversation.messages import SCHEMA
from shared.domain.facts.change import Cause, Quality, QualityStatement


class SubjectRecord(NamedTuple):
    """The counters of one subject; all are absent from the document of a subject that nothing was learnt about.

    Attributes:
        made: Facts made about it so far, without rivals; one made again under its id counts again.
        revision: Changes of its facts so far.
        profiled, deduped, summarized: Whether its profile is there, its duplicates are folded, and its portrait is
            made, all since the last change.
        summary_of: A digest of what the portrait was made from, or None.
        summary_by: The version of the prompt that the model was asked for the portrait with, 0 for none.
    """

    made: int = 0
    revision: int = 0
    profiled: bool = False
    deduped: bool = False
    summarized: bool = False
    summary_of: str | None = None
    summary_by: int = 0


NOT_PROFILED = Filter("profiled", "==", False)
NOT_DEDUPED = Filter("deduped", "==", False)
NOT_SUMMARIZED = Filter("summarized", "==", False)
"""Subjects for which that is to be done."""

SUMMARY_BY = "summary_by"
"""The field that subjects are sorted by to find portraits that an older prompt made."""


_SUBJECT = DerivedCodec(SubjectRecord)

read_subject = _SUBJECT.of
"""Read what is counted of a subject; of one that nothing was learnt about all is 0."""

subject_changes = _SUBJECT.changes
"""Return the fields by which these of the subject's record change, and no others."""


def outdated_portrait_fields() -> dict[str, Any]:
    """Return that the subject's portrait is to be made anew, whatever it was made from."""
    return subject_changes(summarized=False, summary_of=None)


def subject_writes(chat_id: int, subject: str, *, made: int = 0) -> list[Write]:
    """Return what every transaction that writes or removes a fact's document also writes: a new revision, no profile.

    So a profile is there only as long as it says what the facts say: its writer checks the revision (see `profiles`).
    Increments read nothing, so they do not contend.

    Args:
        made: Facts that there were not before.
    """
    undone = {"profiled": False, "deduped": False, "summarized": False}
    counts = {"schema": SCHEMA, "made": Increment(made), "revision": Increment(1), **undone}
    return [Upsert(learning_path(chat_id, subject), counts), Delete(profile_path(chat_id, subject))]


class QualityRecord(NamedTuple):
    """A verdict on two statements, as stored. What `Quality` has under the same name means the same.

    Attributes:
        cause: What the decision came with: a message, a command, a job of the night.
        at: When it was noted last.
    """

    kind: str
    fact_id: str
    subject: str
    existing: QualityStatement
    incoming: QualityStatement
    verdict: str
    score: float
    cause: Cause
    at: datetime
    resolved: bool
    message_ids: tuple[int, ...] = ()


_QUALITY = DerivedCodec(QualityRecord)

read_quality = _QUALITY.of
"""Read one record."""


def quality_write(chat_id: int, record: Quality, *, cause: Cause, now: datetime) -> Write:
    """Return the write that notes a finding, or what became of one that is noted already."""
    found = {name: getattr(record, name) for name in QualityRecord._fields if name not in ("cause", "at")}
    return Upsert(quality_path(chat_id, record.id), _QUALITY.document(QualityRecord(**found, cause=cause, at=now)))
