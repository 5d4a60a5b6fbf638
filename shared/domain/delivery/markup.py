"""Telegram's HTML: from the model's Markdown, and from our own texts."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from shared.domain.delivery.escaping import escape as escape  # noqa: PLC0414 - they are spoken of together
from shared.domain.delivery.escaping import plain as plain  # noqa: PLC0414
from shared.domain.text.data_files import read_data

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_LINK = re.compile(r'<a href="([^"]*)">')
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "code": "`", "a": "[", "blockquote": "> "}
_MARKS |= {"pre": "```\n", "/pre": "\n```", "/blockquote": ""}
_SAFE_LINK = re.compile(r"https?://", re.IGNORECASE)


def markdown(markup: str) -> str:
    """Telegram HTML as Markdown that shows the same: what is text there stays text, whatever characters it has."""
    out: list[str] = []
    links: list[str] = []
    quoting = code = False
    for part in re.split(r"(<[^>]*>)", markup):
        if part.startswith("<"):
            quoting = part != "</blockquote>" and (quoting or part.startswith("<blockquote"))
            code = part not in ("</code>", "</pre>") and (code or part.startswith(("<code", "<pre")))
            if link := _LINK.match(part):
                links.append(html.unescape(link[1]).replace(")", "%29"))
            out.append(f"]({links.pop()})" if part == "</a>" and links else _mark(part))
        else:
            text = html.unescape(part)
            text = text.replace("`", "'") if code else literal(text)  # a mark of ours would end it
            out.append(text.replace("\n", "\n> ") if quoting else text)
    # A single line break would be a space.
    return re.sub(r"(?<=\S)\n(?=\S)", "  \n", "".join(out))


def _mark(tag: str) -> str:
    name = tag.strip("<>").split(" ", 1)[0]
    return _MARKS.get(name, _MARKS.get(name.removeprefix("/"), ""))


def literal(text: str) -> str:
    """Return Markdown that shows a text as it is, whatever characters it has."""
    escaped = re.sub(r"([\\`*_\[\]<>#~|])", r"\\\1", text)
    return re.sub(r"(?m)^(\s*(?:\d+(?=[.)]))?)([-+=.)])", r"\1\\\2", escaped)


def markdown_to_html(text: str) -> str:
    """Render the Markdown that models write (bold, italics, code, lists, links, quotes) as Telegram HTML.

    Everything else is text: raw HTML in the input is escaped, links other than http and https lose their target.
    The visible text is not longer than the input, give or take a line break.
    """
    rendered = _blocks(_parser().parse(text)).strip()
    return re.sub(r"\n{3,}", "\n\n", rendered) or escape(text.strip())


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return (
        MarkdownIt("commonmark", {"html": False})
        .enable("strikethrough")
        .disable(["image", "html_block", "html_inline"])
    )


def _blocks(tokens: Sequence[Token]) -> str:
    out, tags = list[str](), read_data(__package__, "tags")["html"]
    for token in tokens:
        if token.type == "inline":
            out.append(_inline(token.children or ()))
        elif token.type in ("fence", "code_block"):
            out.append(f"<pre>{escape(token.content.rstrip())}</pre>\n\n")
        elif token.type == "list_item_open":
            out.append(f"{token.info}. " if token.info else "• ")
        elif token.type == "paragraph_close" and token.hidden:
            out.append("\n")
        elif token.type == "blockquote_close":
            out = ["".join(out).rstrip(), tags[token.type]]
        else:
            out.append(tags.get(token.type, ""))
    return "".join(out)


def _inline(tokens: Sequence[Token]) -> str:
    out, tags = list[str](), read_data(__package__, "tags")["html"]
    linked = False
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrs.get("href", ""))
            linked = _SAFE_LINK.match(target) is not None
            out.append(f'<a href="{escape(target)}">' if linked else "")
        elif token.type == "link_close":
            out.append("</a>" if linked else "")
        elif token.type == "code_inline":
            out.append(f"<code>{escape(token.content)}</code>")
        else:
            out.append(tags.get(token.type, escape(token.content)))
    return "".join(out)
