"""Every row about members and the chat, as tables by language."""

from __future__ import annotations

from functools import cache

from shared.domain.reading.matching.tables import Table
from shared.domain.reading.patterns.named_lists import chat_lists, member_lists
from shared.domain.reading.patterns.row_files import rows_about
from shared.domain.text.language import Language


@cache
def member_table(lang: Language) -> Table:
    """The rows about members in one language."""
    return Table(rows_about("members", lang), member_lists(lang))


@cache
def chat_table(lang: Language) -> Table:
    """The rows about the chat in one language."""
    return Table(rows_about("chat", lang), chat_lists(lang))
