"""Texts that would call people or lead elsewhere, and what Telegram makes of them."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from shared.domain.delivery.markup import plain

_HOSTILE = (
    *("tg://user?id=1", "TG://resolve?domain=x", "tg:", "//", "/", ":", "ton://a", "javascript:alert(1)", "ftp://h"),
    *(
        "https://e.org/?q=1",
        "http://e.org/@anna/x",
        "https://",
        "[клік](tg://user?id=104)",
        "[a](",
        ")",
        "[x]",
        "](tg:",
    ),
    *('<a href="tg://user?id=5">', "</a>", "@anna", "@", "@_b", "@@", "anna", "пан@anna", "a@b.com", " ", "\n", "\r"),
    *("**", "*", "`", "```", "~~", "\\", "&amp;", "&#58;", "&", "\u202e", "\u2028", "\u030a", "\u200b", "я", "\n\n> "),
)
hostile = st.lists(st.sampled_from(_HOSTILE) | st.text(max_size=4), max_size=40).map("".join)


def entities(html: str) -> tuple[list[str], list[str], list[str]]:
    """What Telegram makes of a text: targets of links, schemes of bare addresses, mentions. Written anew, by its rules:
    the markup is taken away first, code is left out, and some characters are not there for it."""
    targets = re.findall(r'href="([^"]*)"', html)
    seen = plain(re.sub(r"(?s)<(code|pre)\b.*?</\1>", " ", html))
    return (targets, *bare(seen))


def bare(seen: str) -> tuple[list[str], list[str]]:
    seen = re.sub("[\r\u0333\u033f\u030a\u2028-\u202e]", "", seen)
    schemes = re.findall(r"([A-Za-z0-9]+)://", seen)
    return schemes, re.findall(r"(?<![A-Za-z0-9_])@[A-Za-z0-9_]{3,32}", re.sub(r"https?://[\w.]+\.\w+/\S*", "", seen))
