"""Cleans a model's text to plain lines, without Markdown, instructions, or words for "there was nothing"."""

import re
from collections.abc import Iterator
from itertools import accumulate

from shared.domain.reading.guards.sentences import has_injection
from shared.domain.text.data_files import word_lists
from shared.domain.text.language import lemma, tokens
from shared.domain.text.plain import one_line

MOST_SUMMARY, MOST_FACTS = 1_200, 2_000
"""Characters kept of a summary and of a chunk's episodic facts: some 400 and 700 tokens."""

MOST_LINE, MOST_LINES = 400, 30

_BULLET = re.compile(r"^\s*(?:[-*•·–—▪◦+]|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"^\s*#{1,6}\s+|^\s*>\s?")
_FENCE = re.compile(r"^\s*(?:```|~~~)\w*\s*$|^\s*(?:[-*_=]\s*){3,}$")
_EMPHASIS = re.compile(r"(\*{1,3}|_{2,3}|`{1,3})(?=\S)(.+?)(?<=\S)\1")
_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\((?:[^()\s]{0,500})\)")
_LABEL = re.compile(
    r"^\s*(?:summary|semantic summary|facts|episodic facts|підсумок|резюме|факти|коротко)\s*:\s*", re.IGNORECASE
)
_WORDS = word_lists(__package__, "wording")
_NEGATIVE = frozenset(_WORDS["negative"])
_ABOUT_NOTHING = _NEGATIVE | frozenset(_WORDS["besides"])
_MOST_WORDS_OF_NOTHING = 22
_ECHO_WORDS, _ECHO_SHARE = 5, 0.6


def says_nothing(text: str) -> bool:
    """Return whether a whole answer or line only says that there is nothing to record, in Ukrainian or English.

    "NOTHING", "- No facts to record.", "«Немає фактів для запису»": punctuation, quotes and Markdown do not matter.
    An empty text says nothing, too.
    """
    words = tokens(_LABEL.sub("", re.sub(r"(?i)\bn/a\b", "none", text).replace("_", " ").replace("*", " ")))
    if not words:
        return True
    known = len(words) <= _MOST_WORDS_OF_NOTHING and all({word, lemma(word)} & _ABOUT_NOTHING for word in words)
    return known and any(word in _NEGATIVE for word in words)


def clean_summary(text: str, *, instructions: str = "", most_chars: int = MOST_SUMMARY) -> str:
    """A model's prose as plain lines, at most `most_chars` characters; "" when it says that there is nothing.

    Args:
        instructions: The prompt's own text; lines that repeat it are left out, and so are those that try to instruct.
    """
    if says_nothing(text):
        return ""
    lines = (_BULLET.sub("- ", line) for line in _plain_lines(text, instructions, most_chars))
    return _bound_lines([_LABEL.sub("", line) for line in lines], most_chars)


def clean_facts(text: str, *, instructions: str = "") -> str:
    """A model's list of facts, one a line that begins with "- "; "" when there is none. Repetitions are left out.

    Where any line has a bullet, lines without one are its talk about the list.
    """
    lines = list(_plain_lines(text, instructions))
    if any(_BULLET.match(line) for line in lines):
        lines = [line for line in lines if _BULLET.match(line)]
    facts = [_BULLET.sub("", line).strip() for line in lines if not line.endswith(":")]
    return _bound_lines([f"- {fact}" for fact in dict.fromkeys(facts) if not says_nothing(fact)], MOST_FACTS)


def clean_line(text: str, *, instructions: str = "", most_chars: int = MOST_LINE) -> str:
    """A short text of a model on one plain line, at most `most_chars` long; "" when it tries to instruct."""
    return one_line(" ".join(_plain_lines(text, instructions)), most_chars)


def _plain_lines(text: str, instructions: str, most: int = MOST_LINE) -> Iterator[str]:
    for raw in text.splitlines():
        line = one_line(_plain(raw), most)
        if line and not says_nothing(line) and not has_injection(line) and not _repeats(line, instructions):
            yield line


def _plain(line: str) -> str:
    if _FENCE.match(line):
        return ""
    line = _LINK.sub(r"\1", _HEADING.sub("", line))
    for _ in range(3):
        line = _EMPHASIS.sub(r"\2", line)
    return line


def _repeats(line: str, instructions: str) -> bool:
    """Return whether most of a line's word triples stand in the instructions."""
    own = _triples(line) if instructions else set()
    return len(own) >= _ECHO_WORDS - 2 and len(own & _triples(instructions)) >= _ECHO_SHARE * len(own)


def _triples(text: str) -> set[tuple[str, str, str]]:
    words = tokens(text)
    return set(zip(words, words[1:], words[2:], strict=False))


def _bound_lines(lines: list[str], most: int) -> str:
    """The first lines that fit; a first one that does not is shortened."""
    sizes = accumulate(len(line) + 1 for line in lines)
    kept = [line for line, size in zip(lines[:MOST_LINES], sizes, strict=False) if size <= most]
    return "\n".join(kept) if kept or not lines else one_line(lines[0], most)
