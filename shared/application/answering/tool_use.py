"""One call of a tool, for the answer's provenance, and what the model has seen of the memories that it found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from shared.application.ports.model import WebSource
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact
from shared.domain.recall.index.note import Note
from shared.domain.text.plain import one_line, unescape_inert

_SHORTEST = 20
"""Characters by which a text that was cut is still known: results are not cut below forty."""


class ToolEnding(StrEnum):
    """The ending of a call."""

    OK = "ok"
    REFUSED = "refused"  # bad arguments, or it must not be done
    FAILED = "failed"  # a service is away, or the tool is broken
    LATE = "late"
    UNKNOWN = "unknown"  # no such tool
    TOO_MANY = "too_many"  # more calls than there is room for


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call, for the answer's provenance.

    Attributes:
        messages, facts, notes: The memories that the model was given: what a result lost when it was cut is not there.
        pages: Pages that it was given.
        links: Where messages can be seen from which facts and notes were made, by id.
    """

    name: str
    ending: ToolEnding
    milliseconds: int
    messages: tuple[Message, ...] = ()
    facts: tuple[ProfileFact, ...] = ()
    notes: tuple[Note, ...] = ()
    pages: tuple[WebSource, ...] = ()
    links: Mapping[int, str] = field(default_factory=dict)


def as_shown(use: ToolUse, response: Mapping[str, object]) -> ToolUse:
    """Return the call with only those memories whose words stand in its result, whole or in part."""
    shown = [one_line(unescape_inert(text), len(text)) for text in _texts(response)]
    return replace(
        use,
        messages=tuple(m for m in use.messages if _stands(m.text or m.media_text, shown)),
        facts=tuple(fact for fact in use.facts if _stands(fact.description, shown)),
        notes=tuple(note for note in use.notes if _stands(note.text, shown)),
        pages=tuple(page for page in use.pages if page.url in shown),
    )


def _stands(told: str, shown: Sequence[str]) -> bool:
    whole = one_line(told, len(told))
    parts = (part for text in shown if _SHORTEST <= len(part := text.strip("…")) < len(text))
    return bool(whole) and (whole in shown or any(part in whole for part in parts))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    within = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for each in within:
        yield from _texts(each)
