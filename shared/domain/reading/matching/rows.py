"""One row of the pattern tables, who listens for it, and what is found: its words as a value and as a description.

Rows that describe members are tried at the beginning of each statement; rows that describe the chat anywhere in a
sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import CONSENSUS_MEMBERS
from shared.domain.reading.matching.clauses import Sentence
from shared.domain.text.data_files import expressions, read_data, word_sets
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

    @property
    def is_decided(self) -> bool:
        """Return whether it is a rule that nobody else has to agree with: an admin's."""
        return self.kind == "rule" and self.needs == 0


@dataclass(frozen=True, slots=True)
class Listener:
    """The listener to a talk: the bot's names, what it already said, and the chat's admins.

    Attributes:
        bot_names: Names under which the bot is addressed.
        told: What bots said before this message: repeating it teaches nothing.
        admins: Members whose word makes a rule.
        consensus: Members, the proposer among them, whose agreement makes one, too (law 5).
    """

    bot_names: tuple[str, ...]
    told: Sequence[str]
    admins: frozenset[int]
    consensus: int = CONSENSUS_MEMBERS


_SAYS = expressions(__package__, "rows")
_LEADS = {
    name: re.compile(rf"^{found.pattern}", re.IGNORECASE) for name, found in expressions(__package__, "labels").items()
}
_EDGES = word_sets(__package__, "rows")["edges"]
_MAX_VALUE = 80
_MAX_DESCRIPTION = 240


def trim(words: str) -> str:
    """The content of a slot without what the speaker went on to say."""
    return _SAYS["tail"].sub("", words).strip(" .,:;!?—–-\"'»«")


def value_of(words: str) -> str:
    """Words as a slot's value: folded to lower case, at most 80 characters, cut at a word."""
    lowered = trim(words).lower()
    return lowered if len(lowered) <= _MAX_VALUE else lowered[:_MAX_VALUE].rsplit(" ", 1)[0]


def slot_value(words: str) -> str:
    """A capture as a slot's value: without leading articles and prepositions, a single Ukrainian word as its lemma."""
    kept = value_of(words).split()
    while len(kept) > 1 and kept[0] in _EDGES:
        kept = kept[1:]
    return lemma(kept[0]) if len(kept) == 1 and not kept[0].isascii() else " ".join(kept)


def label(category: str, lang: Language, said: str) -> str:
    """A readable sentence: the category in the talk's language, then the words as said, without what leads to them."""
    told, labelled = said.strip(" .,:;!"), read_data(__package__, "labels")[lang][category]
    while (rest := _LEADS["opening"].sub("", told, count=1)) != told and rest:
        told = rest
    if (headed := _LEADS["heading"].match(told)) and len(told[headed.end() :].split()) > 1:
        told = told[headed.end() :]
        return label(category, lang, told) if headed[0].strip()[-1] in ":,–—-" else clip(f"{labelled} {told}")
    if category == "preference":
        told = _LEADS["proposal"].sub("", told, count=1)
    return clip(f"{labelled}: {told}")


def clip(text: str) -> str:
    """A description of at most 240 characters, cut at a word; ends in a full stop."""
    kept = text if len(text) <= _MAX_DESCRIPTION else text[:_MAX_DESCRIPTION].rsplit(" ", 1)[0] + "…"
    return kept if kept.endswith((".", "…", "!", "?")) else f"{kept}."
