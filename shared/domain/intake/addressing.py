"""Is this message for the bot, or for everybody? By its form alone, which costs nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.domain.intake.updates import MessageReceived


STOP = "gryadstop"
"""Name of the command that ends what is being answered to its author; `asks_to_stop` tells who says it in a word."""

_STOPPING = frozenset(("стоп", "зупинись", "зупинися", "скасуй", "stop", "cancel"))


def is_addressed(
    *,
    text: str,
    chat_type: str,
    mentions: Collection[str],
    mentioned_ids: Collection[int],
    reply_to_user_id: int | None,
    bot_id: int,
    bot_username: str,
    bot_names: Sequence[str],
) -> bool:
    """Return whether the author speaks to the bot: private chat, mention, reply to the bot, or its name as a whole
    word.

    Args:
        text: Text or caption; an empty one addresses only in a private chat or by reply.
        chat_type: Telegram's: "private", "group", "supergroup" or "channel".
        mentions: Lower-case user names mentioned, without "@".
        mentioned_ids: Users mentioned without a user name.
        reply_to_user_id: Author of the message replied to, or None.
        bot_id: The bot's user id, 0 when it has none.
    """
    if chat_type == "private":
        return True
    if bot_username.lower() in mentions or bot_id in mentioned_ids:
        return True
    if reply_to_user_id is not None and reply_to_user_id == bot_id:
        return True
    return _names((*bot_names, f"@{bot_username.lower()}")).search(text.casefold()) is not None


def is_our_command(name: str, target: str | None, *, bot_username: str, private: bool) -> bool:
    """Return whether a command is for this bot: `/gryad…`, or one that every bot has and that names this bot or is
    given in private.

    Args:
        name: Lower case, without the slash.
        target: Lower-case user name of the bot that it names, or None.
    """
    if target is not None and target != bot_username.lower():
        return False
    return name.startswith("gryad") or (name in ("start", "help") and (private or target is not None))


def asks_to_stop(text: str, *, bot_username: str, bot_names: Sequence[str]) -> bool:
    """Return whether a message to the bot says "stop" and nothing else, but whom it speaks to."""
    address = {f"@{bot_username}".casefold(), *map(str.casefold, bot_names)}
    words = [word for word in re.findall(r"@?\w+", text.casefold()) if word not in address]
    return len(words) == 1 and words[0] in _STOPPING


def without_address(text: str, *, bot_username: str, bot_names: Sequence[str]) -> str:
    """The text without a leading mention or name of the bot ("гряг, які правила?" becomes "які правила?")."""
    names = "|".join(re.escape(name) for name in bot_names)
    lead = re.compile(rf"^\s*(?:@{re.escape(bot_username)}|(?:{names}))(?!\w)[\s,:;.!—–-]*", re.IGNORECASE)
    return lead.sub("", text, count=1).strip() or text.strip()


@lru_cache(maxsize=64)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(name) for name in names)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


MIN_WORDS = 3
"""The least number of words of a question that says what it is about."""

_ENDS = re.compile(r"\?[?!)\s]*$")
_WORD = re.compile(r"\w+(?:['’ʼ]\w+)*")


def asks_everybody(update: MessageReceived) -> bool:
    """Return whether a message is a person's question to nobody in particular, by its form alone."""
    message = update.message
    own = message.user_id > 0 and not (message.is_bot or message.forwarded or update.command or message.media)
    alone = message.reply_to is None and not (update.mentions or update.mentioned_ids)
    asks = _ENDS.search(message.text) is not None and len(_WORD.findall(message.text)) >= MIN_WORDS
    return own and alone and asks and update.chat.type in ("group", "supergroup")
