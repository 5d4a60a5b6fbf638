"""Memory as blocks of the system instruction: a tag, escaped lines, the closing tag."""

import re
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta, tzinfo

from shared.domain.answering.context.escaping import escape_line
from shared.domain.answering.context.material import ContextFileText
from shared.domain.recall.index.note import Note
from shared.domain.spending.tokens import tokens_of_lines, within_budget
from shared.domain.text.language import fold
from shared.domain.text.plain import SENTENCE_END, one_line, quote_inline

NOTHING = "- (nothing yet)"
CONTEXT_FILE_BYTES = 2_048
"""Bytes of UTF-8 (DESIGN, law 9)."""

CONTEXT_FILE_IS_OLD = timedelta(days=7)
"""The age after which the model is told the file's age (chat public memory plan)."""

_FRAME = re.compile(r"<!--\s*spomyn:context\b.*-->|-{3,}|\*(?:Оновлено|Last updated): [\d :-]+\*")
"""The lines with which the file begins and ends, of no use to the model: `consolidation.document` writes it."""

_WORD, _FEWEST_WORDS = re.compile(r"\w+"), 3

LINE_CHARS = 1_200
"""The longest line of a note."""


def block(tag: str, lines: Iterable[str]) -> list[str]:
    """The lines inside a tag; its name ends where an attribute begins."""
    return [f"<{tag}>", *lines, f"</{tag.partition(' ')[0]}>"]


def frame_cost(tag: str) -> int:
    """Tokens of a tag and its end."""
    return tokens_of_lines(block(tag, ()))


def portrait_lines(portrait: str) -> list[str]:
    """A portrait in one line, as a JSON string: it is made of members' words. None where there is none."""
    return [f"- In short: {quote_inline(one_line(portrait, LINE_CHARS))}"] if portrait else []


def note_lines(note: Note, zone: tzinfo, *, told: Collection[str] = ()) -> tuple[str, ...]:
    """A note as lines, the first with the number by which it may be cited and the day it is about, or the first and
    the last.

    Args:
        told: Keys of the sentences that the context holds already (`sentence_keys`): they are left out.
    """
    since, until = note.first_at.astimezone(zone).date(), note.last_at.astimezone(zone).date()
    day = f"{since}" if since == until else f"{since} to {until}"
    first, *others = note.text.split("\n")
    # Behind an episode's summary, or the quotes that stand for one, are words to search by: themes, mood, topics.
    others = [line for line in others if note.kind != "episode" or line.startswith('"')]
    texts = (one_line(_without_told(line.removeprefix("- "), told), LINE_CHARS) for line in (first, *others))
    lines = [escape_line(line) for line in texts if line]
    return tuple(f"- #{note.first} {day}: {line}" if index == 0 else f"- {line}" for index, line in enumerate(lines))


def sentence_keys(text: str) -> frozenset[str]:
    """Return by what the sentences of a text are known again, whatever their case and punctuation.

    One of fewer than three words has none: "Так." is said by many.
    """
    lines = (line.removeprefix("- ") for line in text.split("\n"))
    return frozenset(_key(sentence) for line in lines for sentence in _sentences(line)) - {""}


def _key(sentence: str) -> str:
    words = _WORD.findall(fold(sentence))
    return " ".join(words) if len(words) >= _FEWEST_WORDS else ""


def _without_told(line: str, told: Collection[str]) -> str:
    return " ".join(sentence for sentence in _sentences(line) if _key(sentence) not in told)


def _sentences(line: str) -> list[str]:
    """Return the sentences of a line; what somebody is quoted with is one, or half a quotation would be left of it."""
    return [line] if line.startswith('"') else SENTENCE_END.split(line)


def context_file_lines(file: ContextFileText, now: datetime, *, budget_tokens: int) -> list[str]:
    """The file's lines that fit, after a note of its age when it is old; without the frame that is for people."""
    age = now - file.written_at
    aged = [f"(written {age.days} days ago; it may have changed)"] if age > CONTEXT_FILE_IS_OLD else []
    lines, size = [], 0
    for line in file.text.splitlines():
        size += len(line.encode("utf-8", "surrogatepass")) + 1
        if size <= CONTEXT_FILE_BYTES + 1 and line.strip() and not _FRAME.fullmatch(line.strip()):
            lines.append(escape_line(line))
    kept = within_budget(lines, budget_tokens - tokens_of_lines(aged))
    return [*aged, *kept] if kept else []
