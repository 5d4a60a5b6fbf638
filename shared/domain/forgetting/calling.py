"""Recognises texts that only call a forgotten member by name: they retell nothing, and are neither found nor quoted.

Imported when there is one, as `telling` is.
"""

import re

from shared.domain.forgetting.forgotten import Erased, mark
from shared.domain.forgetting.telling import content_words, mark_all, names_in, words_in
from shared.domain.text.language import fold
from shared.domain.text.names import one_script, phonetic_key

_CLAUSE = re.compile(r"[^\w\s'’@-]+")
_VOCATIVE = ("о", "ю", "е", "є", "у")

BESIDE_A_CALL = 1
"""Telling words beside a name by which it is still only called."""


def calls(salt: str, person: Erased, text: str) -> bool:
    """Return whether a text does little more than call the member by name: "oh Moira", "Надю!", not "привіт Наді"; of
    who has come back and tells of themselves anew none does."""
    named = {word for word, keys in names_in(text) if (mark_all(salt, keys) & person.names) - person.shared}
    beside = [word for word in content_words(text) if word.word not in named]
    if not named or person.taken or len(beside) > BESIDE_A_CALL:
        return False
    clauses = (list(words_in(one_script(clause))) for clause in _CLAUSE.split(text))
    return any(
        _is_called(salt, person, word)
        for clause in clauses
        for word in clause
        if len(clause) <= 1 + BESIDE_A_CALL and word[0].isupper() and fold(word) in named
    )


def _is_called(salt: str, person: Erased, word: str) -> bool:
    """Return whether a form of a name names or calls, as no case of somebody who is only told of does."""
    folded = fold(word)
    sounds = word.isascii() and mark(salt, f"n:{phonetic_key(folded)}") in person.names
    return sounds or mark(salt, f"w:{folded}") in person.names or folded.endswith(_VOCATIVE)
