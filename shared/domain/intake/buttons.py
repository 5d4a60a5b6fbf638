"""The data of the buttons under the bot's messages: an action, its arguments, whose button it is, and a seal.

Telegram hands back whatever a modified app sends as a button's data (Bot API, CallbackQuery), so only what this bot
sealed for this very chat is obeyed. The seal says that the bot offered it, never that the one who presses may do it.
"""

from __future__ import annotations

import base64
import hmac
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.domain.intake.updates import ButtonPressed

MAX_BYTES = 64
"""The size of a button's data (Bot API, InlineKeyboardButton)."""

_SEAL = 8
"""Bytes of the seal: one in 2^64 guesses passes."""

_ARGUMENT = re.compile(r"[A-Za-z0-9_.+-]*")
_ID = re.compile(r"[0-9a-f]{32}")


class Sealed(NamedTuple):
    """The content of a sealed button.

    Attributes:
        action: Lower-case letters, at most four.
        owner: The only user who may press it, or None for anybody whom the action allows.
    """

    action: str
    args: tuple[str, ...] = ()
    owner: int | None = None


def seal(key: bytes, chat_id: int, button: Sealed) -> str:
    """The data of a button, at most 64 ASCII characters.

    Raises:
        ValueError: The arguments have other characters than `A-Za-z0-9_.+-`, or are too long together.
    """
    if not re.fullmatch("[a-z]{1,4}", button.action) or not all(map(_ARGUMENT.fullmatch, button.args)):
        raise ValueError(f"a button's action or argument has characters that it may not have: {button}")
    owner = "" if button.owner is None else str(button.owner)
    said = "|".join([button.action, *button.args, owner])
    data = f"{said}|{_seal_of(key, chat_id, said)}"
    if len(data) > MAX_BYTES:
        raise ValueError(f"a button's data would have {len(data)} bytes, and {MAX_BYTES} is the most: {button.action}")
    return data


def unseal(key: bytes, chat_id: int, data: str) -> Sealed | None:
    """Return what a button's data hold; None for what this bot did not seal in this chat."""
    said, _, given = data.rpartition("|")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), _seal_of(key, chat_id, said).encode()):
        return None
    action, *args, owner = said.split("|")
    return Sealed(action, tuple(args), int(owner) if owner else None)


def refuse_at_sight(key: bytes, chat_id: int, press: ButtonPressed) -> str | None:
    """Return why a press is not obeyed, whoever pressed, as the name of a text of the locales; None when it may be.

    The data may be forged, belong to somebody else, or stand under another message: where Telegram shows that one, a
    modified app may send what another message of ours offers, and the seal is good for the whole chat.
    """
    sealed = unseal(key, chat_id, press.data)
    stands_there = press.offered is None or press.data in press.offered
    if sealed is None or not stands_there:
        return "old_button"
    return None if sealed.owner in (None, press.user_id) else "not_your_button"


def _seal_of(key: bytes, chat_id: int, said: str) -> str:
    digest = hmac.digest(key, f"{chat_id}|{said}".encode("utf-8", "replace"), "sha256")[:_SEAL]
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def short_id(fact_id: str) -> str:
    """The id of a fact in 22 characters instead of 32.

    Raises:
        ValueError: It is no fact's id.
    """
    if _ID.fullmatch(fact_id) is None:
        raise ValueError("not the id of a fact")
    return base64.urlsafe_b64encode(bytes.fromhex(fact_id)).decode().rstrip("=")


def long_id(short: str) -> str:
    """Return the id of a fact that `short_id` made shorter."""
    return base64.urlsafe_b64decode(f"{short}==").hex()
