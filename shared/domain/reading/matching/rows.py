"""One row of the pattern tables: what to look for, what it means, and an example of each kind.

Rows that describe members are tried at the beginning of each statement; rows that describe the chat anywhere in a
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.conversation.messages import Message
from shared.domain.reading.matching.clauses import Sentence
from shared.domain.text.language import Language, lemma


@dataclass(frozen=True, slots=True)
class PatternRow:
    """One pattern.

    Attributes:
        name: Unique; names the row in tests.
        phrases: Tried in order (see `phrases`); captures `what` (content) and others fill the description.
        description: Sentence with `{what}`; "" describes with the category's label and the words as said.
        hit: A message that the row must find something in.
        miss: A message that looks alike and teaches nothing.
        needs_support: Whether others have to agree before it counts (the "we" may be somebody else's).
        momentary: Whether words like "today" may stand in the sentence.
        single: Whether the slot holds one value at a time.
    """

    name: str
    lang: Language
    category: str
    key: str
    confidence: float
    hit: str
    miss: str
    phrases: tuple[str, ...] = ()
    description: str = ""
    needs_support: bool = False
    momentary: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True)
class PatternFinding:
    """A candidate before consensus: what one sentence of one message says.

    Attributes:
        row: Name of the row that found it.
        kind: "statement" (holds by itself), "proposal" (needs agreement), "rule" (needs an admin or consensus).
        needs: Supporters without whom it does not count (an admin's rule needs none).
        answers: Id of the message whose question it answers, 0 when it stands by itself.
    """

    row: str
    kind: str
    message: Message
    sentence: Sentence
    subject: str
    category: str
    key: str
    value: str
    description: str
    confidence: float
    single: bool = False
    needs: int = 0
    answers: int = 0


_LABELS = {
    "uk": {
        "preference": "Уподобання чату",
        "tradition": "Традиція чату",
        "rule": "Правило чату",
        "norm": "Звичай чату",
        "topic": "Тема чату",
        "culture": "Культура чату",
        "event": "Подія чату",
        "shared_knowledge": "Спільне в чаті",
    },
    "en": {
        "preference": "Preference of the chat",
        "tradition": "Tradition of the chat",
        "rule": "Rule of the chat",
        "norm": "Custom of the chat",
        "topic": "Topic of the chat",
        "culture": "Culture of the chat",
        "event": "Event of the chat",
        "shared_knowledge": "Shared by the chat",
    },
}
_TAIL = re.compile(
    r"\s+(?:but|because|since|although|though|unless|so that|so|and (?:i|i'm|i've|my|we|we're|it|it's|he|she|they)|"
    r"while|who|which|"
    r"але|бо|тому|проте|хоча|оскільки|який|яка|яке|які|поки|і (?:я|ми|мій|моя)|та (?:я|ми)|а (?:я|ми))\s.*$"
    r"|\s+(?:btw|by the way|tbh|lol|haha+|imo|imho|though|too|as well|again|please|"
    r"до речі|ахах\w*|лол|чесно|теж|також|канєшно)$",
    re.IGNORECASE,
)
_MAX_VALUE = 80
_MAX_DESCRIPTION = 240


def trim(words: str) -> str:
    """The content of a slot without what the speaker went on to say."""
    shorter = _TAIL.sub("", words)
    return shorter.strip(" .,:;!?—–-\"'»«")


def value_of(words: str) -> str:
    """Words as a slot's value: folded to lower case, at most 80 characters, cut at a word."""
    lowered = trim(words).lower()
    if len(lowered) <= _MAX_VALUE:
        return lowered
    return lowered[:_MAX_VALUE].rsplit(" ", 1)[0]


_EDGES = frozenset({
    "у", "в", "на", "з", "із", "зі", "до", "від", "про", "за", "під", "біля",
    "a", "an", "the", "my", "in", "at", "on", "of", "to", "from", "about",
})  # fmt: skip


def slot_value(words: str) -> str:
    """A capture as a slot's value: without leading articles and prepositions, a single Ukrainian word as its lemma."""
    kept = value_of(words).split()
    while len(kept) > 1 and kept[0] in _EDGES:
        kept = kept[1:]
    return lemma(kept[0]) if len(kept) == 1 and not kept[0].isascii() else " ".join(kept)


def label(category: str, lang: Language, said: str) -> str:
    """A readable sentence: the category in the talk's language, then the words as said."""
    return clip(f"{_LABELS[lang][category]}: {said.strip(' .,:;!')}")


def clip(text: str) -> str:
    """A description of at most 240 characters, cut at a word; ends in a full stop."""
    kept = text if len(text) <= _MAX_DESCRIPTION else text[:_MAX_DESCRIPTION].rsplit(" ", 1)[0] + "…"
    return kept if kept.endswith((".", "…", "!", "?")) else f"{kept}."


def unique_names(rows: Sequence[PatternRow]) -> tuple[PatternRow, ...]:
    """The rows as a table.

    Raises:
        ValueError: Two rows have the same name.
    """
    names = [row.name for row in rows]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"rows with the same name: {sorted(doubled)}")
    return tuple(rows)
