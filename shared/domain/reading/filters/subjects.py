"""The subject of a sentence: the member it begins with, in whichever script the name is, or somebody else (law 4)."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shared.domain.reading.filters.reasons import Reason
from shared.domain.reading.filters.support import is_first_person, is_said
from shared.domain.text.data_files import word_sets
from shared.domain.text.language import lemma, tokens, unify_apostrophes
from shared.domain.text.names import is_cyrillic, same_name, same_stem, sound
from shared.domain.text.words import readings

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_WORDS = word_sets(__package__, "subjects")
_MIN_DECLINED = 3
_NEAR = 4
"""First words of a sentence that say whose relative it is about."""

_INFLECTED = ("s", "ed", "ing")


@dataclass(frozen=True, slots=True)
class Lead:
    """The beginning of a sentence, and whom it names.

    Attributes:
        members: The participants whom it names first, all of them where names are alike.
        generic: Whether it says "the user" or the like.
        possessive: Whether it is about something of theirs ("olya's boss").
        rest: What follows.
    """

    members: frozenset[int]
    generic: bool
    possessive: bool
    rest: str


def lead_of(text: str, participants: Mapping[int, Sequence[str]]) -> Lead:
    """Read the subject off the beginning of a sentence."""
    plain = unicodedata.normalize("NFC", unify_apostrophes(text))
    found = list(_WORD.finditer(plain))[:8]
    words = [match.group().casefold() for match in found]
    at, generic, possessive = 0, False, False
    while at < len(words) and (words[at] in _WORDS["articles"] or _trim(words[at]) in _WORDS["generic"]):
        generic = generic or _trim(words[at]) in _WORDS["generic"]
        possessive = words[at].endswith("'s")
        at += 1
    if at and not generic:
        at = 0
    members, length = _match_participants(words[at:], participants)
    if not length and generic and at < len(words) and words[at].isdigit() and int(words[at]) in participants:
        members, length = frozenset({int(words[at])}), 1
    if length:
        possessive = words[at + length - 1].endswith("'s")
    end = found[at + length - 1].end() if at + length else 0
    return Lead(members, generic, possessive, plain[end:].lstrip(" :,–—-"))


def _trim(word: str) -> str:
    return word.removesuffix("'s").removesuffix("'")


def _match_participants(words: Sequence[str], participants: Mapping[int, Sequence[str]]) -> tuple[frozenset[int], int]:
    """The participants whose name takes most words at the beginning, and how many."""
    for same in (same_name, _same_declined):
        lengths = {
            user_id: max((_length(words, name, same) for name in names), default=0)
            for user_id, names in participants.items()
        }
        if longest := max(lengths.values(), default=0):
            return frozenset(user_id for user_id, length in lengths.items() if length == longest), longest
    return frozenset(), 0


def _same_declined(one: str, other: str) -> bool:
    """Return whether two words, one of them Cyrillic, are one name but for a case ending; weaker than `same_name`."""
    cyrillic = min(len(one), len(other)) >= _MIN_DECLINED and (is_cyrillic(one) or is_cyrillic(other))
    return cyrillic and same_stem(one, other)


def _length(words: Sequence[str], name: str, same: Callable[[str, str], bool]) -> int:
    """Return how many words at the beginning are this name, or the first word of it."""
    parts = [part for part in tokens(name) if part]
    if not parts or not words:
        return 0
    if len(words) >= len(parts) and all(same(_trim(word), part) for word, part in zip(words, parts, strict=False)):
        return len(parts)
    joined = sound("".join(parts)) == sound(_trim(words[0]))
    return int(joined or (len(parts[0]) > 1 and same(_trim(words[0]), parts[0])))


def find_named_member(text: str, participants: Mapping[int, Sequence[str]]) -> int | None:
    """The one participant with whose name or username the sentence begins."""
    members = lead_of(text, participants).members
    return next(iter(members)) if len(members) == 1 else None


def wrong_subject(text: str, about: int, said: str, participants: Mapping[int, Sequence[str]]) -> Reason | None:
    """Return WRONG_AUTHOR for a sentence about another participant, NON_PARTICIPANT about anybody else, else None."""
    lead = lead_of(text, participants)
    if about in lead.members or (lead.generic and not lead.members):
        return None
    if lead.members:
        return Reason.WRONG_AUTHOR
    if _leaves_subject_out(text, said) or _is_someone_of(text, participants[about]):
        return None
    return Reason.NON_PARTICIPANT


def _is_someone_of(text: str, names: Sequence[str]) -> bool:
    """Return whether somebody is told of by what they are to the member ("Брат Олі", "friends call olya")."""
    words = tokens(text)[:_NEAR]
    if not words or not {words[0], lemma(words[0])} & _WORDS["persons"]:
        return False
    tried = ((words[at:], name) for at in range(1, len(words)) for name in names)
    return any(_length(*each, same_name) or _length(*each, _same_declined) for each in tried)


def _leaves_subject_out(text: str, said: str) -> bool:
    """Return whether a sentence goes without its subject, the member ("Lives in Lutsk", "Улюблений колір зелений")."""
    words = tokens(text)[:3]
    if not words:
        return False
    first, base = words[0], lemma(words[0])
    spoken = frozenset(tokens(said))
    if first in _WORDS["of_others"] and spoken & _WORDS["of_others"] and not is_first_person(spoken):
        return False
    if first in _WORDS["pronouns"] | _WORDS["auxiliaries"] or first[0].isdigit() or base in _WORDS["attributes"]:
        return True
    if base in _WORDS["persons"] or first in _WORDS["persons"]:
        return False
    return _begins_with_verb(words) or (not _is_followed_by_verb(words) and _is_predicate(first, said))


def _begins_with_verb(words: Sequence[str]) -> bool:
    first = words[0]
    if first.isascii():
        return first.endswith(_INFLECTED) and lemma(first) != first
    return _is_finite(first) and not any(map(_is_finite, words[1:2]))


def _is_followed_by_verb(words: Sequence[str]) -> bool:
    """Return whether the first word is what a verb is about: "Marta collects …", "Юрко живе …"."""
    if len(words) < 2:
        return False
    second = words[1]
    inflected = second.isascii() and not second.endswith("ing") and lemma(second) != second
    return second in _WORDS["auxiliaries"] or inflected or _is_finite(second)


def _is_finite(word: str) -> bool:
    """Return whether the dictionary knows the word as a Ukrainian verb with a person; made-up verbs may be names."""
    return lemma(word) != word and not {"#he", "#past", "#i", "#we"}.isdisjoint(readings(word))


def _is_predicate(first: str, said: str) -> bool:
    """Return whether the quote says the word of its speaker ("vegan" in "I'm vegan"), not of somebody else."""
    words = tokens(said)
    if not is_said(first, words):
        return False
    place = next((at for at, word in enumerate(words) if is_said(first, [word])), 0)
    written = [match for match in _WORD.finditer(unify_apostrophes(said)) if match[0].casefold() == words[place]]
    proper = any(match.start() and match[0][0].isupper() for match in written)
    return words[max(0, place - 1)] not in _WORDS["theirs"] and not proper
