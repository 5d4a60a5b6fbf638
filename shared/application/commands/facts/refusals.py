"""Why a fact cannot be corrected, confirmed or dropped, in a person's words."""

from __future__ import annotations

from shared.application.delivery.answer import Answer
from shared.application.delivery.wording import Rows, localized_text
from shared.domain.text.language import Language


def refused_words(language: Language, reason: str, rows: Rows = (), **values: str) -> Answer:
    """Return why words are not kept, as people understand it, and what to say instead."""
    key = f"refused_{_TOLD.get(str(reason), 'unclear')}"
    return Answer.of(localized_text(language, key, rows, **values))


_TOLD = {
    "opted_out": "opted_out",
    "private": "private",
    "channel": "channel",
    "anonymous": "anonymous",
    "speechless": "speechless",
    "no_ruler": "no_ruler",
    "anothers_voice": "anothers_voice",
    "foreign_source": "anothers_voice",
    "another_member": "another_member",
    "wrong_author": "another_member",
    "non_participant": "another_member",
    "retold_memory": "retold",
    "hearsay": "hearsay",
    "injection_marker": "injection",
    "assistant_fact": "about_me",
    "profile": "profile",
    "question": "question",
    "guess": "guess",
    "judgement": "judgement",
}
"""Reasons of the gate that have a text of their own."""
