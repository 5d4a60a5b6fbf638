"""Reads a model's reply about a stretch of talk, as tolerantly as its facts are read (`model_output`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from shared.domain.reading.model_output import MAX_RAW, ModelFact, find_objects, parse_items
from shared.domain.text.loose_json import read_loosely


class PartTexts(NamedTuple):
    """A model's texts about one chunk, as it wrote them.

    Attributes:
        details: One a line, each with a bullet.
        is_told: Whether it wrote anything about it, and be it that there is nothing to tell.
    """

    summary: str = ""
    details: str = ""
    is_told: bool = False


class ReadingReply(NamedTuple):
    """A reply.

    Attributes:
        parts: What is said of each part, in order; empty texts where nothing is.
        facts: Well-formed items.
        malformed: How many things could not be used.
        is_cut: Whether it ends before its end, and may lack facts and parts.
        is_readable: Whether anything could be read of it.
        tells_facts: Whether it says which facts there are, and be it none.
        raw: As it came, for code that reads what else it says.
    """

    parts: tuple[PartTexts, ...]
    facts: tuple[ModelFact, ...] = ()
    malformed: int = 0
    is_cut: bool = False
    is_readable: bool = True
    tells_facts: bool = False
    raw: str = ""


def read_reply(raw: str, count: int) -> ReadingReply:
    """Read a reply; never raises.

    Args:
        count: How many parts there are; a text goes to the one whose number it bears, else by its place in the list.
    """
    read = read_loosely(raw[:MAX_RAW])
    parts = [PartTexts()] * count
    for place, entry in enumerate(find_objects(read, lambda each: "summary" in each or "details" in each, depth=4)):
        number = entry.get("part")
        at = number - 1 if isinstance(number, int) and 0 < number <= count else place
        if at < count:
            told = entry.get("summary") if isinstance(entry.get("summary"), str) else ""
            summary = " ".join(filter(None, (parts[at].summary, told)))
            details = "\n".join(filter(None, (parts[at].details, _details(entry.get("details")))))
            parts[at] = PartTexts(summary, details, is_told=True)
    found = parse_items(list(_facts(read)))
    tells = bool(found.items) or any(isinstance(value, Mapping) and "facts" in value for value in read)
    cut = len(raw) > MAX_RAW or not raw.rstrip("` \n\t").endswith(("}", "]"))
    return ReadingReply(tuple(parts), found.items, found.malformed + cut, cut, bool(read), tells, raw)


def _facts(values: Sequence[Any]) -> Iterator[Any]:
    """Return where facts may stand: in the list of that name, else anywhere; without what the group is doing."""
    for value in values:
        found = value["facts"] if isinstance(value, Mapping) and "facts" in value else value
        yield [each for each in (found if isinstance(found, list) else [found]) if not tells_now(each)]


def tells_now(entry: Any) -> bool:
    """Return whether an entry of the facts says what the group is about now, or that something of it is settled."""
    said = entry if isinstance(entry, Mapping) else {}
    starts = {"key": "now.", "verdict": "settles"}
    return any(str(said.get(name)).strip().casefold().startswith(start) for name, start in starts.items())


def _details(value: Any) -> str:
    if isinstance(value, str):
        return value
    lines = (each for each in value if isinstance(each, str) and each.strip()) if isinstance(value, list) else ()
    return "\n".join(f"- {' '.join(line.split()).removeprefix('- ')}" for line in lines)
