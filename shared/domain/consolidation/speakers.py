"""The people of a talk: how a line names them, and whom a message speaks to."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from shared.domain.consolidation.items import MOST_NAME
from shared.domain.consolidation.likeness import is_proper
from shared.domain.conversation.messages import Message
from shared.domain.people.labels import families_of
from shared.domain.text.data_files import common_words, stop_words, word_lists
from shared.domain.text.language import fold, lemma, tokens, unify_apostrophes
from shared.domain.text.names import is_cyrillic, phonetic_key, same_name, same_stem
from shared.domain.text.plain import one_line
from shared.domain.text.words import readings

_HANDLE = re.compile(r"(?<!\w)@(\w{3,32})")
_CALL = re.compile(r"^\W*([^\W\d_]{2,20}(?:['-][^\W\d_]+)?)\s*[,!:]|,\s*([^\W\d_]{2,20}(?:['-][^\W\d_]+)?)\W*$")
_NAME_FIRST = re.compile(r"^([A-ZА-ЯІЇЄҐ][^\W\d_]{2,20})\s*,")
_CALLS = frozenset(word_lists(__package__, "words")["calls"])


class Speakers:
    """The people of a talk.

    Attributes:
        by_id: Every message, by its id.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self.by_id: Mapping[int, Message] = {m.message_id: m for m in messages}
        self._last = {m.user_id: m for m in sorted(messages, key=lambda m: (m.sent_at, m.message_id))}
        self._first_names = Counter(_first_name(m.name) for m in self._last.values())

    def short_name(self, user_id: int) -> str:
        """A member's first name, the whole one where two share it; on one line, without a colon."""
        name = self._last[user_id].name
        first = _first_name(name)
        return name_of(first if first and self._first_names[first] == 1 else name)

    def addressee(self, message: Message, said: str) -> int | None:
        """Return whom a sentence of a message is said to: by handle, by name, or as the author of what it replies
        to."""
        named = self.find_called_member(message, said)
        if named is not None or _HANDLE.search(said):
            return named
        replied = self.by_id.get(message.reply_to or 0)
        return replied.user_id if replied is not None and replied.user_id != message.user_id else None

    def find_called_member(self, message: Message, said: str) -> int | None:
        """Return whom a sentence names as the one that it is said to."""
        if handle := _HANDLE.search(said):
            return next((u for u, m in self._last.items() if fold(m.username or "") == fold(handle[1])), None)
        if (call := _CALL.search(unify_apostrophes(said))) is None:
            return None
        word = fold(call[1] or call[2])
        others = [u for u, m in self._last.items() if u != message.user_id and goes_by(word, m.name)]
        return others[0] if len(others) == 1 else None

    def stranger(self, said: str) -> str:
        """The name that a sentence begins with, of somebody who has not spoken here; "" when there is none."""
        call = _NAME_FIRST.match(unify_apostrophes(said))
        if call is None:
            return ""
        word = fold(call[1])
        base = lemma(word)
        if base in common_words() or base in _CALLS or {base, word} & stop_words() or "#inf" in readings(word):
            return ""
        if not is_cyrillic(base) and not families_of(phonetic_key(base)):
            return ""  # "Brownies, make two"
        return name_of(base.capitalize() if is_cyrillic(base) and is_proper(fold(call[1])) else call[1])

    def is_bot(self, user_id: int) -> bool:
        """Return whether a speaker is a bot."""
        return self._last[user_id].is_bot


def name_of(name: str) -> str:
    """A display name as a line may show it: short, visible, and no colon or bracket that could begin a part of it."""
    return one_line(re.sub(r"[:\[\]<>\\]", " ", name), MOST_NAME)


def goes_by(word: str, name: str) -> bool:
    """Return whether a folded word is a form of any part of a display name ("Тарасе", "Бодю" of "Богдан")."""
    if {word, lemma(word)} & common_words() or word in _CALLS:
        return False
    return any(
        same_name(word, part)
        or (len(word) > 2 and same_stem(word, part))
        or not families_of(phonetic_key(word)).isdisjoint(families_of(phonetic_key(part)))
        for part in tokens(name)
    )


def _first_name(name: str) -> str:
    return next(iter(name.split()), "")
