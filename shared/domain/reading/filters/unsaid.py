"""Whether a model's fact says what its quote says: a true quote proves nothing beside a fact about something else.

Neither may it tell of what is unknown, nor guess: a hedge is forgiven when the quote hedges, too, and "not mentioned"
only when the quote tells that the speaker kept something from somebody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shared.domain.conversation.messages import Message
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.support import is_said, matters, numbers, support
from shared.domain.reading.matching.tables import read_marks
from shared.domain.reading.patterns.answers import asks, is_yes_or_no
from shared.domain.text.language import tokens
from shared.domain.text.names import same_name, same_stem
from shared.domain.text.words import analyse

_LEAST = 1 / 3
"""Share of a fact's meaningful words that its quotes have to say (on the cases of tests/evals: a model
words the rest anew, "I'm a nurse" as "works as a nurse")."""


_MARKS = read_marks(__package__, "unknowns")


def is_unknown(content: str, said: str) -> bool:
    """Return whether a content tells of something unknown, unsaid or guessed, which its quote does not tell itself."""
    words, quoted = analyse(content), analyse(said)
    if _MARKS["hedge"].mark(words) and not _MARKS["unsure"].mark(quoted):
        return True
    return any(_MARKS[name].mark(words) and not _MARKS[name].mark(quoted) for name in ("unknown", "unsaid", "nothing"))


def said_by(evidence: Evidence, messages: Mapping[int, Message]) -> str:
    """Return what a quote says: its words and, before a yes or no, the question of somebody else that it answers."""
    message = messages.get(evidence.message_id)
    question = _find_question(message, messages) if message is not None and is_yes_or_no(message.text) else None
    return evidence.quote if question is None else f"{question.text} {evidence.quote}"


def is_unsaid(candidate: Candidate, text: str, said: str, participants: Mapping[int, Sequence[str]]) -> bool:
    """Return whether what was said shares too little of a fact's content; naming somebody is no content.

    Args:
        text: The description, as it is judged.
        said: What the quotes say (`said_by`).
        participants: Members by id, each with the names and usernames they are known by.
    """
    names = frozenset(word for known in participants.values() for name in known for word in tokens(name))
    words = tokens(said)
    value = [word for word in tokens(candidate.value) if matters(word) and not _is_name(word, names)]
    if value and all(is_said(word, words) for word in value):
        return False
    told = numbers(text)
    if told and told <= numbers(said):
        return False  # "is 40 years old" by "forty already"
    return support([word for word in tokens(text) if not _is_name(word, names)], words) < _LEAST


def _is_name(word: str, names: Collection[str]) -> bool:
    return word in names or any(same_name(word, name) or same_stem(word, name) for name in names)


def _find_question(answer: Message, messages: Mapping[int, Message]) -> Message | None:
    """Return the question that an answer answers: the message replied to, else the last one before it."""
    if answer.reply_to is not None:
        asked = messages.get(answer.reply_to)
    else:
        before = [each for each in messages.values() if each.message_id < answer.message_id]
        asked = max(before, key=lambda each: each.message_id, default=None)
    return asked if asked is not None and asked.user_id != answer.user_id and asks(asked) else None
