"""Who agrees with whom: support, objection and taking back, and what follows for a finding.

A reaction belongs to the message it replies to, otherwise to the last finding of another member that is still near.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import is_person
from shared.domain.reading.matching.clauses import clean
from shared.domain.reading.matching.marks import read_marks
from shared.domain.reading.matching.rows import PatternFinding
from shared.domain.text.data_files import word_lists
from shared.domain.text.words import analyse

NEAR_MESSAGES = 8
"""How many messages later an unaddressed "+1" still counts."""

MAX_STRANGERS = 2
"""How many messages about something else may stand between."""

_OPENING_WORDS = 12
"""Words of a message that decide how it reacts; what is taken back is looked for in as many."""


_JOB = {"occupation", "workplace"}
_MARKS = read_marks(__package__, "consensus", word_lists(__package__, "consensus_lists"))
_CHANGED_JOB = _MARKS["changed_job"]


class Reaction(StrEnum):
    """What a message says about the one before it."""

    SUPPORT = "support"
    OBJECTION = "objection"
    RETRACTION = "retraction"


_SIGN = re.compile(
    r"^(?:(?:і|й|теж|and|ну|о|та),? )?(?:\+ ?1|\+{1,3}(?!\d)|100 ?%|💯|"
    r"👍|✅|🙌|☝|👆|❤|🔥|🤝|💪|✋|👌|🫡|🙋(?:‍[♂♀])?|➕)"
)
_AGAINST_SIGN = re.compile(r"^(?:-1|−1|👎|❌|🙅)")
_SUPPORT = _MARKS["support"]
_NOT_SUPPORT = _MARKS["not_support"]
_OBJECTION = _MARKS["objection"]
_RETRACTION = _MARKS["retraction"]


def reaction_of(text: str) -> Reaction | None:
    """Return how a message reacts to the one before it, judged by how it begins; None when it does not."""
    plain = " ".join(clean(text).replace("\ufe0f", "").split(" ")[:_OPENING_WORDS])
    words = analyse(plain)
    if _RETRACTION.mark(words):
        return Reaction.RETRACTION
    asks = "?" in plain[-4:]
    if not asks and (_SIGN.match(plain) or (_SUPPORT.begin(words) and not _NOT_SUPPORT.begin(words))):
        return Reaction.SUPPORT
    return Reaction.OBJECTION if _AGAINST_SIGN.match(plain) or _OBJECTION.begin(words) else None


@dataclass(slots=True)
class Thread:
    """A finding with those who answered to it."""

    finding: PatternFinding
    position: int
    supporters: dict[int, Message] = field(default_factory=dict)
    objectors: dict[int, Message] = field(default_factory=dict)

    @property
    def message_ids(self) -> set[int]:
        """The finding's message and its supporters' messages: a reply to any of them is about the finding."""
        return {self.finding.message.message_id, *(message.message_id for message in self.supporters.values())}

    def is_heard(self, user_id: int) -> bool:
        """Return whether somebody has reacted to it already."""
        return user_id in self.supporters or user_id in self.objectors

    @property
    def needs(self) -> int:
        """Supporters without whom it does not count; one more where its author is nobody's voice (a channel)."""
        needs = self.finding.needs
        return needs + 1 if needs and not is_person(self.finding.message.user_id) else needs

    def holds(self) -> bool:
        """Return whether enough members agree: an admin's rule needs nobody, a proposal needs more friends than
        foes."""
        if self.finding.kind == "rule" and self.finding.needs == 0:
            return True
        return len(self.supporters) >= self.needs and len(self.objectors) <= len(self.supporters)

    def is_replaced_by(self, later: Thread) -> bool:
        """Return whether its author (or an admin, of a rule) has since put another value into the same slot."""
        old, new = self.finding, later.finding
        same_slot = (old.subject, old.category, old.key) == (new.subject, new.category, new.key)
        entitled = old.message.user_id == new.message.user_id or (new.kind == "rule" and new.needs == 0)
        if entitled and old.subject == new.subject and _is_new_job(old, new):
            return True
        return same_slot and new.single and old.value != new.value and entitled and later.holds()


def _is_new_job(old: PatternFinding, new: PatternFinding) -> bool:
    """Return whether somebody tells of a change of job after they told of the old one, be it by place or by
    profession."""
    other = old.message.message_id != new.message.message_id
    return other and {old.key, new.key} == _JOB and _CHANGED_JOB.mark(analyse(new.message.text))


def threads_addressed_by(
    threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]
) -> list[Thread]:
    """The findings about the chat that a message reacts to: those of one message go together.

    Without a reply they are the newest that are open; whether anything else is, too, is for the caller to see.

    Args:
        strangers: Positions of messages that were neither findings nor reactions.
    """
    if message.reply_to is not None:
        return [thread for thread in _of_others(threads, message) if message.reply_to in thread.message_ids]
    found = open_threads(threads, message, position, strangers)
    newest = max((thread.position for thread in found), default=None)
    return [thread for thread in found if thread.position == newest]


def open_threads(threads: Sequence[Thread], message: Message, position: int, strangers: Sequence[int]) -> list[Thread]:
    """The findings of others about the chat that an unaddressed message may react to: those near by.

    Who has reacted to a finding already means another one, if there is another; else they change their mind.
    """
    near = [thread for thread in _of_others(threads, message) if _is_near(thread.position, position, strangers)]
    return [thread for thread in near if not thread.is_heard(message.user_id)] or near


def _of_others(threads: Sequence[Thread], message: Message) -> list[Thread]:
    return [
        thread
        for thread in threads
        if thread.finding.subject == "chat" and thread.finding.message.user_id != message.user_id
    ]


def _is_near(at: int, position: int, strangers: Sequence[int]) -> bool:
    between = sum(at < stranger < position for stranger in strangers)
    return position - at <= NEAR_MESSAGES and between <= MAX_STRANGERS
