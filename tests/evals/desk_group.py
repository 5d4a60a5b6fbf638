"""A labelled group of tests/data/desk: its talk as a script, what may be learnt from it, what is asked afterwards."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from infra.local.clocks import ReplayClock
from infra.local.script import Script, read_script

GROUPS = Path(__file__).parents[1] / "data/desk"
ANYBODY = "*"
CHAT = "chat"
REASONS = ("joke", "prank", "forged", "forwarded", "passing", "hypothesis", "namesake", "forgotten", "contact")
KINDS = (
    *("single", "two-hop", "as-of", "namesake", "alias", "rename", "correction", "other-language"),
    *("unanswerable", "forgotten", "prank", "contact"),
)
_REFUSAL = "@refusal"
_APOSTROPHES = str.maketrans("’ʼ`", "'''")
_QUOTES = re.compile(r"(?<!\w)'|'(?!\w)")
_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_BETWEEN_WORDS = re.compile(r"[^\w'£]+")


class NoGroup(Exception):
    """There is no such group, or a file of it is wrong; the message says what."""


@dataclass(frozen=True)
class Words:
    """Words by which a text is recognised.

    Attributes:
        any_of: One is enough. It is the beginning of a word or of several in a row, after `=` the whole of it; parts
            that `+` joins must all occur, wherever.
    """

    any_of: tuple[str, ...]

    def occur_in(self, text: str) -> bool:
        plain = plain_words(text)
        return any(all(_pattern(part).search(plain) for part in word.split("+")) for word in self.any_of)


def plain_words(text: str) -> str:
    """The text in small letters, with one apostrophe for all and a space for everything between words.

    Latin letters stand without accents ("Gdańsk"), and what is no apostrophe is none: `code` stands in backticks.
    """
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text.casefold()))
    folded = _QUOTES.sub(" ", unicodedata.normalize("NFC", bare).translate(_APOSTROPHES))
    return _BETWEEN_WORDS.sub(" ", folded).strip()


def _pattern(part: str) -> re.Pattern[str]:
    whole = part.startswith("=")
    return re.compile(r"(?<![\w'£])" + re.escape(plain_words(part.removeprefix("="))) + (r"(?![\w'])" if whole else ""))


@dataclass(frozen=True)
class Member:
    """Somebody of the group; `note` says what is particular: admin, namesake, renamed, forgotten."""

    key: str
    user_id: int
    name: str
    called: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Label:
    """Something that a memory may or must not hold at the end.

    Attributes:
        subject: A member's key, "chat", or "*" for whoever it is.
        messages: Numbers of the messages that say it.
        quote: Of what must be known: verbatim words of one of these messages.
        unless: Of what was superseded: words that say that it is history.
        by: Of what was superseded: the id of what holds instead ("": a plan that is over), and `since` when.
        reason: Of what must never be: why (`REASONS`).
    """

    id: str
    subject: str
    words: Words
    messages: tuple[int, ...]
    category: str = ""
    quote: str = ""
    unless: Words = Words(())
    by: str = ""
    since: date | None = None
    reason: str = ""

    def fits(self, subject: str, text: str) -> bool:
        of_them = self.subject in (ANYBODY, subject)
        return of_them and self.words.occur_in(text) and not self.unless.occur_in(text)


@dataclass(frozen=True)
class DeskQuestion:
    """A question, and what an answer has to say.

    Attributes:
        accept: Of each group of words one has to occur.
        forbid: None of these may occur.
        after_a_week: Whether it can be answered when only a week of messages is left.
    """

    id: str
    asker: str
    kind: str
    text: str
    accept: tuple[Words, ...]
    forbid: Words
    messages: tuple[int, ...]
    after_a_week: bool

    def is_answered_by(self, answer: str) -> bool:
        return all(words.occur_in(answer) for words in self.accept) and not self.forbid.occur_in(answer)


@dataclass(frozen=True)
class DeskGroup:
    """A group with its labels and questions."""

    name: str
    script: Script
    members: Mapping[str, Member]
    must: Sequence[Label]
    may: Sequence[Label]
    superseded: Sequence[Label]
    never: Sequence[Label]
    questions: Sequence[DeskQuestion]
    asked_at: datetime

    def subject_of(self, stored: str) -> str:
        """The key of a stored subject; of somebody who is no member the subject itself."""
        keys = {f"user:{member.user_id}": member.key for member in self.members.values()}
        return keys.get(stored, stored)


def desk_groups(folder: Path = GROUPS) -> list[str]:
    """The names of all groups."""
    return sorted(path.parent.name for path in folder.glob("*/talk.jsonl"))


def read_desk_group(name: str, folder: Path = GROUPS) -> DeskGroup:
    """Read a group.

    Raises:
        NoGroup: There is none of this name, or a label or a question lacks a field.
    """
    if not (folder / name / "talk.jsonl").is_file():
        raise NoGroup(f"there is no group {name!r} in {folder}; there are: {', '.join(desk_groups(folder))}")
    labels, asked = (_toml(folder / name / file) for file in ("labels.toml", "questions.toml"))
    try:
        refusals = tuple(asked["refusals"])
        return DeskGroup(
            name,
            read_script(folder / name / "talk.jsonl", clock=ReplayClock(asked["asked_at"])),
            {key: _member(key, fields) for key, fields in labels["members"].items()},
            *([_label(fields) for fields in labels[kind]] for kind in ("must", "may", "superseded", "never")),
            [_question(fields, refusals) for fields in asked["question"]],
            asked["asked_at"],
        )
    except (KeyError, TypeError) as error:  # of a class without one of its fields, too
        raise NoGroup(f"{folder / name}: a label or a question is not as README.md has it: {error}") from error


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise NoGroup(f"{file} cannot be read: {error}") from error


def _member(key: str, fields: Mapping[str, Any]) -> Member:
    return Member(key, fields["user_id"], fields["name"], tuple(fields["called"]), fields.get("note", ""))


def _label(fields: Mapping[str, Any]) -> Label:
    words = {"words": Words(tuple(fields["words"])), "unless": Words(tuple(fields.get("unless", ())))}
    return Label(**{**fields, **words, "messages": tuple(fields["messages"])})


def _question(fields: Mapping[str, Any], refusals: tuple[str, ...]) -> DeskQuestion:
    accept = tuple(Words(tuple(_with_refusals(group, refusals))) for group in fields["accept"])
    given = {"accept": accept, "forbid": Words(tuple(fields["forbid"])), "messages": tuple(fields["messages"])}
    return DeskQuestion(**{**fields, **given})


def _with_refusals(group: Sequence[str], refusals: Sequence[str]) -> list[str]:
    return [word for given in group for word in (refusals if given == _REFUSAL else (given,))]
