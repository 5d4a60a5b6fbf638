"""In which language to speak to somebody."""

from __future__ import annotations

import re

from shared.domain.text.language import Language

_CYRILLIC = re.compile(r"[Ѐ-ӿ]")
_LATIN = re.compile(r"[A-Za-z]")


def asker_language(text: str, *, chat_language: str | None, client_language: str | None) -> Language:
    """The language of an answer: that of the question if it has words, else the chat's, else the app's.

    Args:
        text: What was asked; "" or an emoji says nothing.
        chat_language: "uk", "en" or None.
        client_language: IETF tag of the asker's Telegram app, or None.
    """
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    if cyrillic + latin >= 3:
        return "uk" if cyrillic >= latin else "en"
    return interface_language(chat_language, client_language)


def interface_language(chat_language: str | None, client_language: str | None) -> Language:
    """The language of commands and notices: the chat's, else the app's, else English."""
    known = chat_language or (client_language or "").split("-")[0].lower()
    return "uk" if known == "uk" else "en"
