"""CONTEXT.md as text: rendered from items in at most 2,048 bytes of UTF-8, and read back after people edited it.

Only Spomyn writes an unescaped `[`, `<` or heading: what a line says of its item (who began it, the day it is due, the
last mention) stands in brackets behind the text, so nothing that members type can pass for it (law 12). Lines that
people wrote into the document are theirs and stand as they are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from difflib import SequenceMatcher
from typing import NamedTuple

from shared.domain.consolidation.items import Item, Section, in_order
from shared.domain.text.data_files import read_data
from shared.domain.text.language import Language, fold
from shared.domain.text.plain import inert

MOST_BYTES = 2_048
"""Bytes of UTF-8 (DESIGN, law 9)."""

CHANGED = 0.6
"""The likeness of a new line and a deleted one from which it is the same line, changed (difflib's ratio)."""

_MARKER = "<!-- spomyn:context v1 -->"
_SECTIONS_SHOWN = (Section.ONGOING, Section.PENDING, Section.TOPICS, Section.PREFERENCES)
_FILE = read_data(__package__, "document")
_HEADINGS = {language: dict(zip(_SECTIONS_SHOWN, told, strict=True)) for language, told in _FILE["headings"].items()}
_SECTIONS = {fold(heading): section for by in _HEADINGS.values() for section, heading in by.items()}
_UPDATED, _SAID = _FILE["updated"], _FILE["said"]
_FRAME = re.compile(
    rf"<!--\s*spomyn:context\b.*-->|-{{3,}}|\*(?:{'|'.join(_UPDATED.values())}): \d{{4}}-\d\d-\d\d \d\d:\d\d\*"
)
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_BULLET = re.compile(r"^\s*[-*•]\s+")
_MENTIONED = re.compile(r" \[\d{4}-\d\d-\d\d\]$")
_TOLD = re.compile(r"(?: \[[^\]]*\])+$")
_WIDEST = datetime(2000, 1, 1, tzinfo=UTC)
"""Every update takes as many bytes as this one."""


class EditedDocument(NamedTuple):
    """The items of an edited document, and those that were dismissed in it.

    Attributes:
        items: All that holds now: lines left as they were, lines written or changed by hand, and items that had not
            fitted into the document.
        dismissed: Items whose lines were deleted or changed, closed at the time of the edit: keep them with the other
            closed ones, so that `merge` brings them back only when they are said anew.
    """

    items: tuple[Item, ...]
    dismissed: tuple[Item, ...]


class _SectionLine(NamedTuple):
    """A line of a document, the section it stands in, and its text without bullet and last mention."""

    section: Section
    text: str
    key: str


def choose_fitting(items: Sequence[Item], *, language: Language) -> list[Item]:
    """The items that are shown: hand-written ones first, then by last mention, as long as the document has room."""
    kept: list[Item] = []
    for item in in_order(items):
        text = _document([*kept, item], language, _WIDEST, UTC)
        if len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
            break
        kept.append(item)
    return kept


def render(items: Sequence[Item], *, language: Language, updated_at: datetime, zone: tzinfo) -> str:
    """The document: marker, sections with headings in the chat's language, rule, time of the update in local time.

    At most `MOST_BYTES` of UTF-8; no line is ever split. "" when there is no item.
    """
    shown = choose_fitting(items, language=language)
    return _document(shown, language, updated_at, zone) if shown else ""


def read_back(text: str, items: Sequence[Item], *, language: Language, now: datetime) -> EditedDocument:
    """Return what people changed in a rendered document: nothing, when it is as it was rendered.

    Unknown lines become hand-written items of the section that they stand in; those before the first heading or under
    a heading of their own stay where they are, that heading with them. A deleted line is dismissed, and so is one
    that was changed: what it became is hand-written and keeps its quotes.

    Args:
        text: The document, edited or not.
        items: What it was rendered from, all of it.
        language: As it was rendered with.
        now: When it was edited, aware.
    """
    shown = choose_fitting(items, language=language)
    hidden = [item for item in items if all(item is not other for other in shown)]
    waiting = dict(enumerate(shown))
    held: list[Item] = []
    new: list[tuple[int, _SectionLine]] = []
    for line in _lines(text):
        number = next((n for n, item in waiting.items() if _is_line_of(item, line)), None)
        if number is None:
            new.append((len(held), line))
        written = Item(line.section, line.text, (), now, by_hand=True, language=language)
        held.append(written if number is None else waiting.pop(number))
    for place, line in new:
        if changed := _find_changed(line, list(waiting.values())):  # it was made of a deleted generated line
            named = changed.name or fold(changed.text)
            held[place] = replace(held[place], text=line.key, quotes=changed.quotes, name=named)
    gone = tuple(replace(item, mentioned_at=now) for item in waiting.values())
    if not new and not gone:
        return EditedDocument(tuple(items), ())
    return EditedDocument((*held, *hidden), gone)


def _document(items: Sequence[Item], language: Language, updated_at: datetime, zone: tzinfo) -> str:
    notes = [item.text for item in items if item.section is Section.NOTES]
    first = next((n for n, line in enumerate(notes) if _HEADING.fullmatch(line)), len(notes))
    blocks = ["\n".join([_MARKER, *notes[:first]])]
    for section, heading in _HEADINGS[language].items():
        if own := in_order(item for item in items if item.section is section):
            blocks.append("\n".join([f"## {heading}", *(_line(item, zone) for item in own)]))
    blocks += ["\n".join(notes[first:])] if notes[first:] else []
    local = updated_at.astimezone(zone)
    return "\n\n".join([*blocks, f"---\n*{_UPDATED[language]}: {local:%Y-%m-%d %H:%M}*"]) + "\n"


def _line(item: Item, zone: tzinfo) -> str:
    if item.by_hand:
        return f"- {item.text}"
    words, is_owed, text = _SAID[item.language], item.section is Section.PENDING, inert(item.text)
    if not text[:1].isalnum() and not text.startswith("\\"):
        text = f"\\{text}"  # it may not begin as Markdown for something else than a line of a list
    told = []
    if item.starter and item.section is not Section.PREFERENCES and not fold(item.text).startswith(fold(item.starter)):
        told.append(words["asked" if is_owed else "began"].format(inert(item.starter)))
    if item.due is not None:
        told.append(words["until" if is_owed else "on"].format(item.due.isoformat()))
    told.append(f"{item.mentioned_at.astimezone(zone):%Y-%m-%d}")
    return " ".join([f"- {text}", *(f"[{each}]" for each in told)])


def _lines(text: str) -> Iterator[_SectionLine]:
    """The lines that are neither frame nor headings of ours."""
    section = Section.NOTES
    for raw in text.splitlines():
        line = raw.rstrip()
        if not line.strip() or _FRAME.fullmatch(line.strip()):
            continue
        if heading := _HEADING.fullmatch(line.strip()):
            section = _SECTIONS.get(fold(heading[1]), Section.NOTES)
            if section is not Section.NOTES:
                continue
        text = line if section is Section.NOTES else _BULLET.sub("", line).strip()
        if text not in ("", "-", "*", "•"):
            yield _SectionLine(section, text, _MENTIONED.sub("", text))


def _is_line_of(item: Item, line: _SectionLine) -> bool:
    """Return whether a line is the item's as it was rendered; the day of the last mention may be of another time
    zone."""
    if item.section is not line.section:
        return False
    rendered = item.text if item.section is Section.NOTES else _line(item, UTC).removeprefix("- ")
    return _MENTIONED.sub("", rendered.rstrip()) == line.key


def _find_changed(line: _SectionLine, gone: Sequence[Item]) -> Item | None:
    said = fold(_TOLD.sub("", line.key))
    likely = [(SequenceMatcher(None, fold(item.text), said).ratio(), -n) for n, item in enumerate(gone)]
    best, place = max(likely, default=(0.0, 0))
    return gone[-place] if best >= CHANGED else None
