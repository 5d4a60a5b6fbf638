"""Is this a question to nobody in particular? By its form alone, which costs nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.domain.intake.updates import MessageReceived

MIN_WORDS = 3
"""Of a question that says what it is about."""

_ENDS = re.compile(r"\?[?!)\s]*$")
_WORD = re.compile(r"\w+(?:['’ʼ]\w+)*")


def asks_everybody(update: MessageReceived) -> bool:
    """Return whether a message is a person's question to nobody in particular, by its form alone."""
    message = update.message
    own = message.user_id > 0 and not (message.is_bot or message.forwarded or update.command or message.media)
    alone = message.reply_to is None and not (update.mentions or update.mentioned_ids)
    asks = _ENDS.search(message.text) is not None and len(_WORD.findall(message.text)) >= MIN_WORDS
    return own and alone and asks and update.chat.type in ("group", "supergroup")
