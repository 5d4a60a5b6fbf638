"""The topics of a group: known subjects, and nouns that several members use on several days.

There is no part-of-speech tagger here, so a noun is recognised by what is around it (English: an article or the like
goes before) or by its ending (Ukrainian: not a verb's, an adjective's or an adverb's). A missed topic costs less than a
wrong one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.domain.conversation.messages import Message
from shared.domain.reading.matching import terms
from shared.domain.reading.statistics.sampling import OFTEN, Habit, Sample, has_authors, is_widespread, wilson_lower
from shared.domain.text.data_files import common_words, determiners
from shared.domain.text.language import lemma, tokens, unify_apostrophes

STEADY = 0.05
"""Share of messages that a subject needs when it comes back on several days."""

MIN_TOPIC_DAYS = 3
MIN_TOPIC_AUTHORS = 4
MAX_WORDS_FOUND = 2
"""Topics named by a word of the talk, per window: the strongest."""

_NAMED_IN_TEXT = 0.5
_AFTER_DETERMINER = 1 / 3
_MAX_CHARS = 4_096
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_LETTERS = re.compile(r"[a-z]{3,24}|[а-щьюяєіїґ']{3,24}")
_NOT_A_NOUN = re.compile(r".*(?:ти|тися|тись|[иії]й|ючи|ачи|ськи|ly|ing)")


@dataclass(slots=True)
class _Use:
    """The uses of one dictionary form: in which messages, and what its occurrences look like."""

    messages: dict[int, Message] = field(default_factory=dict)
    times: int = 0
    inside: int = 0
    capital: int = 0
    addressed: int = 0
    determined: int = 0


def topic_habits(sample: Sample) -> list[Habit]:
    """Subjects and words that keep coming back, subjects first."""
    size = len(sample.talk)
    mentions: dict[str, list[Message]] = {}
    for message in sample.talk:
        for subject in terms.subjects(message.text[:_MAX_CHARS]):
            mentions.setdefault(subject, []).append(message)
    habits = []
    for name, using in sorted(mentions.items()):
        if is_widespread(using, size, OFTEN) or _comes_back(using, sample):
            told = {"value": name, "uk": terms.subject_label(name), "en": name.replace("_", " ")}
            habits.append(Habit("subject", using, size, told=told))
    return [*habits, *(Habit("word", using, size, told={"value": word}) for word, using in _recurring_words(sample))]


def _comes_back(using: Sequence[Message], sample: Sample) -> bool:
    """Return whether several members mention it on several days, in more than a few messages."""
    return (
        wilson_lower(len(using), len(sample.talk)) >= STEADY
        and has_authors(using, MIN_TOPIC_AUTHORS)
        and sample.days(using) >= MIN_TOPIC_DAYS
    )


def _recurring_words(sample: Sample) -> list[tuple[str, list[Message]]]:
    if sample.days(sample.talk) < MIN_TOPIC_DAYS:  # before the lemmatiser's tables are loaded for nothing
        return []
    called = [*sample.names, *(f"{m.name} {m.username or ''}" for m in sample.talk)]
    names = {lemma(word) for name in called for word in tokens(name)}
    found = [
        (word, list(use.messages.values()))
        for word, use in _uses(sample.talk).items()
        if word not in names and _may_be_topic(word, use) and _comes_back(list(use.messages.values()), sample)
    ]
    return sorted(found, key=lambda pair: (-len(pair[1]), pair[0]))[:MAX_WORDS_FOUND]


def _uses(talk: Sequence[Message]) -> dict[str, _Use]:
    uses: dict[str, _Use] = {}
    for message in talk:
        text = unify_apostrophes(message.text[:_MAX_CHARS])
        before = ""
        for match in _WORD.finditer(text):
            word = match.group().casefold()
            use = uses.setdefault(lemma(word), _Use())
            use.messages[message.message_id] = message
            use.times += 1
            use.determined += before in determiners()
            _note_writing(use, text, match)
            before = word
    return uses


def _note_writing(use: _Use, text: str, match: re.Match[str]) -> None:
    """Count the signs of a name: a capital inside a sentence, and a call ("Olha, …") at the start."""
    head = text[: match.start()].rstrip()
    if head and head[-1] not in ".!?…:\n":
        use.inside += 1
        use.capital += match.group()[0].isupper()
    if not head.strip("@") and text[match.end() : match.end() + 1] in (",", ":"):
        use.addressed += 1
    use.capital += text[: match.start()].endswith("@")


def _may_be_topic(word: str, use: _Use) -> bool:
    if not _LETTERS.fullmatch(word) or word in common_words() or terms.subjects(word):
        return False
    adverb = word.endswith("о") and lemma(f"{word}го") == f"{word[:-1]}ий"  # "весело", "веселий", but not "місто"
    if _NOT_A_NOUN.fullmatch(word) or adverb:
        return False
    is_name = use.capital > _NAMED_IN_TEXT * use.inside or use.addressed > _NAMED_IN_TEXT * use.times
    return not is_name and (not word.isascii() or use.determined >= _AFTER_DETERMINER * use.times)
