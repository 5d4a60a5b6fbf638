"""What the Bot API accepts: the types of its description, its little HTML, its inline keyboards."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

DESCRIPTION = Path(__file__).parents[2] / "data" / "bot_api.json"
INT64 = range(-(1 << 63), 1 << 63)
SURROGATE = re.compile("[\ud800-\udfff]")


@cache
def description() -> dict[str, Any]:
    return json.loads(DESCRIPTION.read_text("utf-8"))


class Refusal(Exception):
    """An answer with "ok": false."""

    def __init__(self, status: int, text: str, **parameters: float) -> None:
        super().__init__(text)
        self.status, self.text, self.parameters = status, text, parameters

    def response(self) -> web.Response:
        body: dict[str, Any] = {"ok": False, "error_code": self.status, "description": self.text}
        if self.parameters:
            body["parameters"] = self.parameters
        return web.json_response(body, status=self.status)


def bad(text: str) -> Refusal:
    return Refusal(400, f"Bad Request: {text}")


# --- Types -------------------------------------------------------------------------------------


def check(value: Any, type_name: str, path: str) -> None:
    """Refuse a decoded JSON value that is not of the described type, naming the path."""
    if type_name.startswith("Array of "):
        if type(value) is not list:
            raise bad(f"{path} must be an Array")
        for index, item in enumerate(value):
            check(item, type_name.removeprefix("Array of "), f"{path}[{index}]")
    elif type_name in _SCALARS:
        if not _SCALARS[type_name](value):
            raise bad(f"{path} must be a valid {type_name}")
    elif subtypes := description()["types"][type_name].get("subtypes"):
        check_any(value, subtypes, path)
    else:
        check_fields(value, description()["types"][type_name]["fields"], path)


_SCALARS = {
    "Integer": lambda value: type(value) is int and value in INT64,
    "Float": lambda value: type(value) in (int, float) and math.isfinite(value),
    "Boolean": lambda value: type(value) is bool,
    "String": lambda value: type(value) is str and not SURROGATE.search(value),
    "InputFile": lambda value: type(value) is str and value.startswith("attach://"),
}


def check_any(value: Any, type_names: Iterable[str], path: str) -> None:
    refusals = []
    for type_name in type_names:
        try:
            return check(value, type_name, path)
        except Refusal as refusal:
            refusals.append(refusal)
    raise refusals[0] if len(refusals) == 1 else bad(f"{path} is of none of the types {', '.join(type_names)}")


def check_fields(value: Any, fields: list[dict[str, Any]], path: str) -> None:
    if type(value) is not dict:
        raise bad(f"{path} must be an Object")
    known = {each["name"]: each for each in fields}
    for name in value:
        if name not in known:
            raise bad(f'unknown field "{path}.{name}"')
    for name, each in known.items():
        if name not in value:
            if each["required"]:
                raise bad(f'field "{path}.{name}" is required')
            continue
        check_any(value[name], each["types"], f"{path}.{name}")
        if value[name] != each.get("const", value[name]):
            raise bad(f'{path}.{name} must be "{each["const"]}"')


def decode(text: str, types: list[str], name: str) -> Any:
    """The value of a form field: Telegram takes numbers and JSON as text there."""
    if "Integer" in types and re.fullmatch(r"-?\d{1,20}", text):
        return int(text)
    if "String" in types or "InputFile" in types:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise bad(f"can't parse parameter {name} as JSON") from None


def check_call(method: str, raw: dict[str, Any], files: Collection[str] = ()) -> dict[str, Any]:
    """The decoded parameters of a call; refuses unknown, missing and mistyped ones."""
    fields = {each["name"]: each for each in description()["methods"][method]["fields"]}
    params: dict[str, Any] = {}
    for name, value in raw.items():
        if name not in fields:
            raise bad(f'unknown parameter "{name}" of {method}')
        params[name] = decode(value, fields[name]["types"], name) if isinstance(value, str) else value
    for name, each in fields.items():
        if name in files and "InputFile" in each["types"]:
            params[name] = f"attach://{name}"
        elif name in params:
            check_any(params[name], each["types"], name)
        elif each["required"]:
            raise bad(f'parameter "{name}" is required')
    return params


# --- Text --------------------------------------------------------------------------------------


class TelegramHtml(HTMLParser):
    """Telegram's own little HTML, as its documentation (not its lenient parser) has it."""

    ATTRIBUTES: ClassVar[dict[str, dict[str, str]]] = {
        **{tag: {} for tag in ("b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "tg-spoiler", "pre")},
        "a": {"href": ".+"},
        "code": {"class": r"language-\S+"},
        "span": {"class": "tg-spoiler"},
        "blockquote": {"expandable": ""},
        "tg-emoji": {"emoji-id": r"\d+"},
    }
    REQUIRED = frozenset(("a", "span", "tg-emoji"))
    BARE = re.compile(r"[<>]|&(?!(?:lt|gt|amp|quot|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        allowed = self.ATTRIBUTES.get(tag)
        if allowed is None:
            raise self.refusal(f'Unsupported start tag "{tag}"')
        if {"pre", "code"} & set(self.open) and (self.open, tag) != (["pre"], "code"):
            raise self.refusal(f'"{tag}" inside "{self.open[-1]}"')
        if tag == "blockquote" and tag in self.open:
            raise self.refusal("nested blockquote")
        if tag in self.REQUIRED and not attrs:
            raise self.refusal(f'"{tag}" without its attribute')
        for name, value in attrs:
            if name not in allowed or not re.fullmatch(allowed[name], value or ""):
                raise self.refusal(f'attribute "{name}" of "{tag}"')
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise self.refusal(f'self-closing tag "{tag}"')

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise self.refusal(f'Unexpected end tag "{tag}"')

    def handle_data(self, data: str) -> None:
        if self.BARE.search(data):
            raise self.refusal("unescaped <, > or &")
        self.text += data

    def handle_entityref(self, name: str) -> None:
        self.text += {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}[name]

    def handle_charref(self, name: str) -> None:
        code = int(name[1:], 16) if name[0] in "xX" else int(name)
        if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
            raise self.refusal(f"numeric entity {name}")
        self.text += chr(code)

    def handle_comment(self, data: str) -> None:
        raise self.refusal("a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment

    def refusal(self, reason: str) -> Refusal:
        return bad(f"can't parse entities: {reason}")

    @classmethod
    def parse(cls, html: str) -> str:
        """The text that people see."""
        parser = cls()
        if stray := re.search(cls.BARE.pattern.replace("[<>]|", ""), html):
            raise parser.refusal(f"unescaped & at {stray.start()}")
        # The standard parser takes "< b", "</>" and a trailing "<b" for text or nothing; Telegram does not.
        if stray := re.search(r"<(?!/?[a-zA-Z][^<>]*>)", html):
            raise parser.refusal(f"Unclosed start tag at byte offset {stray.start()}")
        parser.feed(html)
        parser.close()
        if parser.open:
            raise parser.refusal(f'Can\'t find end tag corresponding to start tag "{parser.open[-1]}"')
        return parser.text


MOST_UNITS = {"text": 4096, "caption": 1024}
"""UTF-16 units of a message's text and of a file's caption."""


def visible_text(params: dict[str, Any], of: str = "text") -> str:
    """The text that people see, or the caption, which may be missing."""
    mode = params.get("parse_mode", "")
    if mode not in ("", "HTML"):
        raise bad("unsupported parse_mode (this server speaks HTML)")
    text = params.get(of, "")
    text = (TelegramHtml.parse(text) if mode else text).strip()
    if not text and of == "text":
        raise bad("message text is empty")
    if len(text.encode("utf-16-le")) > 2 * MOST_UNITS[of]:
        raise bad("message is too long" if of == "text" else "message caption is too long")
    return text


Buttons = tuple[tuple[tuple[str, str], ...], ...]


def buttons_of(params: dict[str, Any]) -> Buttons:
    rows = params.get("reply_markup", {}).get("inline_keyboard", [])
    for button in (button for row in rows for button in row):
        if not button["text"] or len(button.keys() - {"text", "style", "icon_custom_emoji_id"}) != 1:
            raise bad("Text buttons are unallowed in the inline keyboard")
        if not 1 <= len(button.get("callback_data", "x").encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
    return tuple(tuple((button["text"], button.get("callback_data", "")) for button in row) for row in rows)
