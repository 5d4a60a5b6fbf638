"""To whom a question is put, and which of the things said before a word without an address can be meant for.

"+1" and "так" say nothing by themselves. Unless they reply to a message they count only where one thing alone is open
to who says them: with two, or after a question to somebody else, whatever is guessed makes somebody agree to words that
they never meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from shared.domain.conversation.messages import Message
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.text.language import lemma, tokens
from shared.domain.text.names import same_name
from shared.domain.text.word_sets import common_words
from shared.domain.text.words import readings

_MENTION = re.compile(r"(?<!\w)@(\w+)")
_BORDER = re.compile(r"[,:–—]| - ")


def is_put_to(message: Message, listener: Message, authors: Mapping[int, int]) -> bool:
    """Return whether what `message` asks may be meant for who wrote `listener`.

    It is not when it replies to a message of somebody else, mentions only others, or calls somebody by another name.

    Args:
        authors: Who wrote the messages that are known here, by message id.
    """
    if message.reply_to is not None:
        return authors.get(message.reply_to) in (listener.user_id, message.user_id)
    mentioned = {name.casefold() for name in _MENTION.findall(message.text)}
    if mentioned:
        return bool(listener.username) and str(listener.username).casefold() in mentioned
    called = list(_find_called_names(sentences(message.text)))
    return not called or any(_is_name_of(name, listener) for name in called)


def _find_called_names(told: Sequence[Sentence]) -> Iterable[str]:
    """Names that are called: a word between a border and the begin or end of a sentence ("Марку, ти …?")."""
    for sentence in told:
        parts = [tokens(part) for part in _BORDER.split(sentence.text)]
        ends = parts[:1] + parts[-1:] if len(parts) > 1 else parts if len(told) > 1 else []
        for words in ends:
            names = [word for word in words if _may_be_a_name(word)]
            if len(names) == 1 and all(word in common_words() for word in words if word not in names):
                yield names[0]


def _may_be_a_name(word: str) -> bool:
    """Return whether a word is neither one of every talk nor a Ukrainian verb ("слухай, …")."""
    common = word in common_words() or lemma(word) in common_words()
    return len(word) > 1 and not common and not any("#" in reading for reading in readings(word))


def _is_name_of(name: str, member: Message) -> bool:
    known = [*tokens(member.name), *tokens(member.username or "")]
    return any(same_name(name, each) for each in known)
