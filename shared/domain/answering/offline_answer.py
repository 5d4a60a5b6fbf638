"""An answer without a language model: the memory quotes itself.

Deterministic. It never composes a claim: every line is a stored fact or message with the name of who said it. What
does not fit the question is left out, and so are secrets of others (`private_details`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from math import log
from typing import Literal, NamedTuple

from shared.domain.answering.private_details import holds_private_detail, may_answer_privately
from shared.domain.text.data_files import read_data, stop_words
from shared.domain.text.plain import one_line

MAX_LINES = 4
"""Most facts quoted at once."""

BUDGET_CHARS = 900
"""What the quoted lines may take together; with the sentences around them an answer stays under 1,150 characters."""

_FACTS_OF_EVERYTHING = 3
_FOUND_LINES, _FACTS_BESIDE_FOUND = 3, 2
_TALK_LINES = 2
_DESCRIPTION_CHARS = 180
_QUOTE_CHARS = 220
_NAME_CHARS = 40
_STEM = 5
# The share of the best score that a line needs to stand beside it: one rare word in common outweighs a frequent one.
_KEPT_SHARE = 0.5

_LINK = re.compile(r"\(https://t\.me/[^)]*\)")
_WORD = re.compile(r"\w+(?:['’ʼ`]\w+)*")
_APOSTROPHES = re.compile(r"['’ʼ`]")
_EVERY_WEEKDAY = re.compile(r"^що(?=понеділ|вівтор|серед|четвер|пятниц|субот|неділ)")
_KNOWLEDGE = re.compile(
    r"знає(?:ш|те|мо)|пам['’ʼ`]?ята(?:єш|єте|ємо)|відомо|розкажи про|хто так(?:ий|а|і)\b"
    r"|you (?:know|remember)|is known|tell (?:me|us) about|who is\b",
    re.IGNORECASE,
)
_FLOOR = 0.25
"""Of a question: where not even the best of the messages found answers so much of it, they have nothing to do with it.
One alone may, and be put in other words. Own choice; tests/scenarios/whole/test_weeks.py says what may not be lost."""

Subject = Literal["chat", "asker", "other"]


class Saying(NamedTuple):
    """What somebody said.

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

    @property
    def searched(self) -> str:
        """Everything of it that a question may be about; who a fact is about is said in its description."""
        return f"{self.description or self.who} {self.text}"


def compose_offline_answer(
    *,
    question: str,
    language: Literal["uk", "en"],
    facts: Sequence[Saying] = (),
    found: Sequence[Saying] = (),
    talk: Sequence[Saying] = (),
    meant: Subject = "chat",
    small_talk: str = "",
) -> str:
    """The stored words nearest to the question, as Markdown of at most about 1,150 characters without its links.

    Facts that share words or a topic with the question come first, and beside them the best messages that a search of
    the whole memory found; a question about what is known of somebody, or at all, gets the best facts; without a fact
    the best three messages found; failing that, recent messages that share words with it; failing that, the answer
    says that nothing is known.

    Args:
        question: What was asked.
        language: The asker's; only the sentences around the quotes depend on it.
        facts: Best first.
        found: Messages that the search for the question found, best first.
        talk: Recent messages, oldest first; when the last one is the question itself it is not quoted back.
        meant: Whom the question is about: the asker, others whom it names, or the chat.
        small_talk: A reply that is all there is to say (`reply_to_small_talk`), or "".
    """
    if small_talk:
        return small_talk
    phrases = read_data(__package__, "offline_answer")["phrases"][language]
    of_whom = [fact for fact in facts if _is_of(meant, fact)]
    said = found if max((saying.coverage for saying in found), default=0.0) >= _FLOOR else ()
    heard = [saying for saying in talk if saying.by_asker or meant != "asker"]
    lines: list[str] = []
    for heading, sayings in _evidence(question, meant, of_whom, said, heard):
        told = [each for each in sayings if each.by_asker or not _is_private(question, each)]
        if told:
            lines += [phrases[heading], *map(_line, told)]
        elif sayings and not lines:
            lines = [phrases["private"]]
    return "\n".join(_within_budget(lines or [phrases["nothing"]]))


def _is_of(meant: Subject, fact: Saying) -> bool:
    """Return whether a fact may answer: nobody's own is told as somebody else's."""
    return fact.about == "asker" if meant == "asker" else meant == "chat" or fact.about != "asker"


def _is_private(question: str, said: Saying) -> bool:
    texts = (said.text, said.description)
    return any(holds_private_detail(text) or may_answer_privately(question, text) for text in texts)


def _evidence(
    question: str, meant: Subject, facts: Sequence[Saying], found: Sequence[Saying], talk: Sequence[Saying]
) -> list[tuple[str, Sequence[Saying]]]:
    asked = _terms(question)
    picked = [fact for fact in facts if fact.relevance > 0]
    chosen = (picked or [facts[i] for i in _relevant(asked, [fact.searched for fact in facts])])[:MAX_LINES]
    if _KNOWLEDGE.search(question) and (known := [fact for fact in facts if fact.about == meant]):
        if meant != "chat":
            return [("facts", known[:MAX_LINES])]
        chosen = chosen if asked else known[:_FACTS_OF_EVERYTHING]
    quoted = {fact.text for fact in chosen}
    besides = [saying for saying in found if saying.text not in quoted][:_FOUND_LINES]
    if chosen and besides:
        return [("facts", chosen[:_FACTS_BESIDE_FOUND]), ("besides", besides)]
    if chosen:
        return [("facts", chosen)]
    is_asked_last = bool(talk) and one_line(talk[-1].text).endswith(one_line(question))
    # The newest first: of equally fitting messages it is the likeliest to hold still.
    earlier = list(reversed(talk[:-1] if is_asked_last else talk))
    near = _relevant(asked, [entry.searched for entry in earlier], floor=_FLOOR)
    said = besides or [earlier[i] for i in near[:_TALK_LINES]]
    return [("talk", said)]


def _relevant(asked: Sequence[str], texts: Sequence[str], *, floor: float = 0.0) -> list[int]:
    """Indices of the texts that share terms with the question, best first; a term counts the more the rarer it is.

    Args:
        floor: The share of the question, so weighed, that a text has to hold.
    """
    held = [_terms(text) for text in texts]
    scores, whole = [0.0] * len(texts), 0.0
    for term in asked:
        hits = [i for i, terms in enumerate(held) if any(_alike(term, other) for other in terms)]
        telling = log(1 + len(texts) / (len(hits) or 0.5))
        whole += telling
        for i in hits:
            scores[i] += telling
    enough = max(max(scores, default=0.0) * _KEPT_SHARE, floor * whole)
    found = [i for i, score in enumerate(scores) if score > 0 and score >= enough]
    return sorted(found, key=lambda i: -scores[i])


def _terms(text: str) -> list[str]:
    """Words worth comparing, each once, in order; words of a known topic become `#topic`."""
    return list(dict.fromkeys(_term(word) for word in _words(text)))


def _words(text: str) -> Iterable[str]:
    for match in _WORD.finditer(text.casefold()):
        word = _EVERY_WEEKDAY.sub("", _APOSTROPHES.sub("", match.group()))
        is_particle = len(word) < 3  # in both languages
        if not is_particle and word not in stop_words() and word not in _said_to_the_bot():
            yield word


@cache
def _said_to_the_bot() -> frozenset[str]:
    return frozenset(read_data(__package__, "offline_answer")["to_the_bot"].split())


@cache
def _topics() -> dict[str, tuple[str, ...]]:
    return {topic: tuple(text.split()) for topic, text in read_data(__package__, "offline_answer")["topics"].items()}


def _term(word: str) -> str:
    return next((f"#{topic}" for topic, beginnings in _topics().items() if word.startswith(beginnings)), word)


def _alike(one: str, other: str) -> bool:
    """Return whether two terms are the same topic, or forms of one word: a common beginning of up to five letters."""
    if one == other:
        return True
    if "#" in one + other or abs(len(one) - len(other)) > 3:  # a longer ending makes another word
        return False
    shorter = min(len(one), len(other))
    # A Ukrainian name of three letters changes the last one (Оля, Олю); English words of three letters do not change.
    needed = 2 if shorter == 3 and not one.isascii() else min(_STEM, max(3, shorter - 1))
    return one[:needed] == other[:needed]


def _line(saying: Saying) -> str:
    date = "" if saying.said_at is None else f"{saying.said_at:%d.%m.%Y}"
    when = f" ([{date}]({saying.link}))" if date and saying.link else f" ({date})" if date else ""
    said = f"{_safe(saying.who, _NAME_CHARS)}: «{_safe(saying.text, _QUOTE_CHARS)}»{when}"
    about = _safe(saying.description, _DESCRIPTION_CHARS)
    return f"• {about} — {said}" if about else f"• {said}"


# Guillemets end the quotation; the others mean something in Markdown and are to be seen as they were typed.
_INERT = str.maketrans({"«": "„", "»": "“"} | {char: f"\\{char}" for char in "\\`*_[]<>&~#"})


def _safe(text: str, limit: int) -> str:
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
