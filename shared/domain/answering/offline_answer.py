"""An answer without a language model: the memory quotes itself.

Deterministic. It never composes a claim: every line is a stored fact or message with its author's name. What
does not fit the question is left out, and so are secrets of others (`private_details`).
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from shared.domain.reading.guards.private_details import is_private
from shared.domain.text.data_files import expressions, read_data
from shared.domain.text.plain import one_line
from shared.domain.text.terms import words_of

MAX_LINES = 4
"""Most facts quoted at once."""

BUDGET_CHARS = 900
"""The length of the quoted lines together; with the sentences around them an answer stays under 1,150 characters."""

_FACTS_OF_EVERYTHING = 3
_FOUND_LINES, _FACTS_BESIDE_FOUND = 3, 2
_DESCRIPTION_CHARS = 180
_QUOTE_CHARS = 220
_NAME_CHARS = 40

_LINK = re.compile(r"\(https://t\.me/[^)]*\)")
_SAYS = expressions(__package__, "offline_answer")
_THE_CHAT = "chat group чат група гурт"
_FLOOR = 0.25
"""The least share of a question: where not even the best of the messages found answers so much of it, they have nothing
to do with it. One alone may, in other words; tests/scenarios/whole/test_weeks.py says what may not be lost."""

Subject = Literal["chat", "asker", "other"]


class Saying(NamedTuple):
    """A person's words that an offline answer may quote.

    Attributes:
        description: The fact that it stands for, or "".
        said_at, link: When and where; shown as a date, and a link on it.
        relevance: How well the fact fits the question, beside the others, by a search of all facts; 0 when it does not.
        about: Of a fact: whom it is about.
        by_asker: Whether the one who asks said it.
        coverage: Of a message found: the share of the question that it answers.
    """

    who: str
    text: str
    description: str = ""
    said_at: datetime | None = None
    link: str | None = None
    relevance: float = 0.0
    about: Subject = "chat"
    by_asker: bool = False
    coverage: float = 1.0


def compose_offline_answer(
    *,
    question: str,
    language: Literal["uk", "en"],
    facts: Sequence[Saying] = (),
    found: Sequence[Saying] = (),
    meant: Subject = "chat",
    small_talk: str = "",
) -> str:
    """The stored words nearest to the question, as Markdown of at most about 1,150 characters without its links.

    Facts that share words or a topic with the question come first, and beside them the best messages that a search of
    the whole memory found; a question about what is known of somebody, or at all, gets the best facts; without a fact
    the best three messages found; failing that, the answer says that nothing is known.

    Args:
        question: What was asked.
        language: The asker's; only the sentences around the quotes depend on it.
        facts: Best first.
        found: Messages that the search for the question found, best first.
        meant: Whom the question is about: the asker, others whom it names, or the chat.
        small_talk: A reply that is all there is to say (`reply_to_small_talk`), or "".
    """
    if small_talk:
        return small_talk
    phrases = read_data(__package__, "offline_answer")["phrases"][language]
    of_whom = [fact for fact in facts if _is_of(meant, fact)]
    said = found if max((saying.coverage for saying in found), default=0.0) >= _FLOOR else ()
    lines: list[str] = []
    for heading, sayings in _evidence(question, meant, of_whom, said):
        told = [s for s in sayings if s.by_asker or not any(is_private(question, t) for t in (s.text, s.description))]
        if told:
            lines += [phrases[heading], *map(_line, told)]
        elif sayings and not lines:
            lines = [phrases["private"]]
    return "\n".join(_within_budget(lines or [phrases["nothing"]]))


def _is_of(meant: Subject, fact: Saying) -> bool:
    """Return whether a fact may answer: nobody's own is told as somebody else's."""
    return fact.about == "asker" if meant == "asker" else meant == "chat" or fact.about != "asker"


def _evidence(
    question: str, meant: Subject, facts: Sequence[Saying], found: Sequence[Saying]
) -> list[tuple[str, Sequence[Saying]]]:
    chosen = [fact for fact in facts if fact.relevance > 0][:MAX_LINES]
    if _SAYS["knowledge"].search(question) and (known := [fact for fact in facts if fact.about == meant]):
        if meant != "chat":
            return [("facts", known[:MAX_LINES])]
        is_about_all = {*words_of(_THE_CHAT)}.issuperset(words_of(_SAYS["knowledge"].sub("", question)))
        chosen = known[:_FACTS_OF_EVERYTHING] if is_about_all else chosen
    quoted = {fact.text for fact in chosen}
    besides = [saying for saying in found if saying.text not in quoted][:_FOUND_LINES]
    if chosen and besides:
        return [("facts", chosen[:_FACTS_BESIDE_FOUND]), ("besides", besides)]
    return [("facts", chosen)] if chosen else [("talk", besides)]


def _line(saying: Saying) -> str:
    date = "" if saying.said_at is None else f"{saying.said_at:%d.%m.%Y}"
    when = f" ([{date}]({saying.link}))" if date and saying.link else f" ({date})" if date else ""
    said = f"{_make_inert(saying.who, _NAME_CHARS)}: «{_make_inert(saying.text, _QUOTE_CHARS)}»{when}"
    about = _make_inert(saying.description, _DESCRIPTION_CHARS)
    return f"• {about} — {said}" if about else f"• {said}"


# Guillemets end the quotation; the others mean something in Markdown and are to be seen as they were typed.
_INERT = str.maketrans({"«": "„", "»": "“"} | {char: f"\\{char}" for char in "\\`*_[]<>&~#"})


def _make_inert(text: str, limit: int) -> str:
    return one_line(text, limit).translate(_INERT)


def _within_budget(lines: Sequence[str]) -> list[str]:
    """The first heading and line always, then as many as fit; no heading without a line."""
    kept: list[str] = []
    for line in lines:
        shown = len(_LINK.sub("", line))
        if len(kept) > 1 and sum(len(_LINK.sub("", one)) for one in kept) + shown > BUDGET_CHARS:
            break
        kept.append(line)
    while len(kept) > 1 and not kept[-1].startswith("•"):
        kept.pop()
    return kept
