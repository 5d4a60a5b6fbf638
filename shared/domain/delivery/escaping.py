"""Plain text as Telegram's HTML, and back."""

import html
import re


def escape(text: str) -> str:
    """Text for Telegram's HTML: `<`, `>`, `&` and `"` become entities."""
    return html.escape(text, quote=False).replace('"', "&quot;")


def plain(markup: str) -> str:
    """The text that a reader of Telegram HTML sees."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))
