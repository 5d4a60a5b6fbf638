"""Detects the language of a text, and gives its words as lemmas.

Ukrainian and English are equals here. Detection looks at script and letters only: a word list would be slower and
no better on one-line messages. Lemmas come from simplemma, whose tables take most of a second to load, so only the
first call pays and the hot path never calls it.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

Language = Literal["uk", "en"]

LANGUAGE_NAMES = {"uk": "Ukrainian", "en": "English"}

_WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
_APOSTROPHE = re.compile("[’ʼ‘`′]")
_MAX_CHARS = 4_096
_MISREAD = dict.fromkeys(("київ", "києва", "києву", "києві", "києвом", "києвові"), "київ") | {"сумах": "суми"}
"""Names that the lemmatiser takes for common words ("кий", "сума")."""


def unify_apostrophes(text: str) -> str:
    """Return a text with every apostrophe a Ukrainian keyboard produces as ASCII `'`; its length is unchanged."""
    return _APOSTROPHE.sub("'", text)


def fold(text: str) -> str:
    """NFC, case folded, white space collapsed: the form in which texts are compared."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def tokens(text: str) -> list[str]:
    """Words and numbers in order, folded; an apostrophe inside a word stays in it, as ASCII."""
    return _WORD.findall(fold(unify_apostrophes(text)))


def detect_language(text: str) -> Language | None:
    """The language of `text` by its first 4,096 characters; None without letters, or when they speak for another."""
    letters = [char for char in unicodedata.normalize("NFC", text[:_MAX_CHARS]).lower() if char.isalpha()]
    cyrillic = sum("Ѐ" <= char <= "ӿ" for char in letters)
    latin = sum("a" <= char <= "z" for char in letters)
    if not letters or 2 * max(cyrillic, latin) <= len(letters):
        return None
    if latin > cyrillic:
        return "en"
    foreign = sum(char in "ыэъё" for char in letters)
    return "uk" if foreign == 0 or sum(char in "іїєґ" for char in letters) > foreign else None


@lru_cache(maxsize=20_000)
def lemma(word: str) -> str:
    """Dictionary form of one folded word; an unknown word, and no word, is its own lemma."""
    if not word:
        return word
    if word in _MISREAD:
        return _MISREAD[word]
    import simplemma

    languages = ("uk",) if any("Ѐ" <= char <= "ӿ" for char in word) else ("en",)
    return str(simplemma.lemmatize(word, lang=languages)).casefold()


def is_known(word: str) -> bool:
    """Return whether the Ukrainian dictionary has this folded form."""
    if not word:
        return False
    import simplemma

    return bool(simplemma.is_known(word, lang="uk"))


def lemmas(text: str) -> list[str]:
    """Lemmas of the words of `text`, in order, for matching and counting; numbers stay as they are."""
    return [lemma(word) for word in tokens(text)]


_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_LATIN = re.compile(r"[A-Za-z]")
_MENTION = re.compile(r"@\w+")


def asker_language(text: str, *, chat_language: str | None, client_language: str | None) -> Language:
    """The language of an answer: that of the question if it has words, else the chat's, else the app's.

    Args:
        text: What was asked; "", an emoji or a username says nothing.
        chat_language: "uk", "en" or None.
        client_language: IETF tag of the asker's Telegram app, or None.
    """
    text = _MENTION.sub("", text)
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    if cyrillic + latin >= 3:
        return "uk" if cyrillic >= latin else "en"
    return interface_language(chat_language, client_language)


def interface_language(chat_language: str | None, client_language: str | None) -> Language:
    """The language of commands and notices: the chat's, else the app's, else English."""
    return "uk" if (chat_language or (client_language or "").split("-")[0].lower()) == "uk" else "en"
