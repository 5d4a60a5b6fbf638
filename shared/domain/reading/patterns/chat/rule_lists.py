"""What a rule lists ("no ads, politics (spam)"), and when it holds ("after 22:00"): parts of what is laid down.

Without them a rule would say less than the admin did, and a later one would be taken for the same.
"""

from __future__ import annotations

import re

from shared.domain.reading.matching import terms

_BORDER = re.compile(r"[,()]")
_OTHER_BORDER = re.compile(r"[:;\[\]]")
_JOINERS = frozenset(
    {"та", "і", "й", "чи", "або", "ані", "ні", "and", "or", "nor", "any", "всякого", "всякої", "всяких"}
)
_FORBIDS = frozenset(
    {"no", "not", "never", "stop", "avoid", "less", "only", "без", "не", "стоп", "менше", "тільки", "лише"}
)
_PLACE = re.compile(
    r"\s+(?:(?:у|в) (?:цьому |нашому )?(?:чаті|чат|групі)|тут|сюди|in (?:this|the|our) (?:chat|group|channel)|"
    r"(?:in )?here|please|pls|будь ласка)\W*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'’-]+")
_CLOCK = r"\d{1,2}(?:[:.]\d\d)?(?:\s?[ap]\.?m\b\.?)?"
_WHEN = re.compile(
    rf"(?<!\w)(?:після|до|з|від|о|об|after|before|from|until|till|between|at)\s+{_CLOCK}"
    rf"(?:\s*(?:до|по|і|та|–|—|-|to|till|until|and)\s*{_CLOCK})?(?!\w)",
    re.IGNORECASE,
)


def joined_lists(sentence: str) -> str:
    """The sentence, as long as it was, in which no border parts the things of one list: ", " becomes "/ ".

    A border joins when what stands on one side of it, up to the next border, only names things that chats regulate.
    """
    borders = list(_BORDER.finditer(sentence))
    if not borders:
        return sentence
    ends = [0, *(border.end() for border in borders)]
    starts = [*(border.start() for border in borders), len(sentence)]
    items = [
        _only_names_topics(_OTHER_BORDER.split(sentence[end:start])) for end, start in zip(ends, starts, strict=True)
    ]
    joined = list(sentence)
    for number, border in enumerate(borders):
        if items[number] or items[number + 1]:
            joined[border.start()] = "/"
    return "".join(joined)


def _only_names_topics(parts: list[str]) -> bool:
    """Return whether only things that chats regulate stand there, perhaps after a heading ("New rule: politics")."""
    *heading, part = parts
    if len(heading) > 1:
        return False
    words = [word for word in _WORD.findall(_PLACE.sub("", part).casefold()) if word not in _JOINERS]
    if not words or not _FORBIDS.isdisjoint(words):
        return False
    of_two_words = len(words) == 2 and bool(terms.topics(" ".join(words)))  # "voice notes"
    return of_two_words or all(terms.topics(word) for word in words)


def moment_of(said: str) -> str:
    """Return when a rule holds, in its own words ("після 22:00") or as a day ("friday"); "" when it always does."""
    found = _WHEN.search(said)
    return " ".join(found.group().casefold().split()) if found else terms.day(said) or ""
