"""Reading the text of a setting: each function takes one and returns its value, or raises ValueError with what would be
right."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from types import MappingProxyType

from shared.application.policy import TOOLS
from shared.domain.chats.hours import timezone_named
from shared.domain.facts.weights import CATEGORY_WEIGHTS, MAX_WEIGHT

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""The form that `setWebhook` takes as secret_token (Bot API)."""

_SECRETS = 2


def matching(pattern: str, hint: str, *, ends_without: str = "") -> Callable[[str], str]:
    """A text of this form; `hint` says what would be one, and characters that it may end in can be left out."""

    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(hint)
        return text.rstrip(ends_without) if ends_without else text

    return parse


def one_of(*choices: str) -> Callable[[str], str]:
    """One of a few words."""
    return matching("|".join(map(re.escape, choices)), "use " + " or ".join(choices))


def switch(text: str) -> bool:
    """True or false."""
    return one_of("true", "false")(text) == "true"


def number(low: int, high: int) -> Callable[[str], int]:
    """A whole number between two, both allowed."""

    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,12}", text) or not low <= int(text) <= high:
            raise ValueError(f"use a whole number from {low} to {high}")
        return int(text)

    return parse


def seconds(low: int, high: int) -> Callable[[str], timedelta]:
    """A time as a whole number of seconds."""
    whole = number(low, high)
    return lambda text: timedelta(seconds=whole(text))


def days(low: int, high: int) -> Callable[[str], timedelta]:
    """A time as a whole number of days."""
    whole = number(low, high)
    return lambda text: timedelta(days=whole(text))


def weights(text: str) -> Mapping[str, float]:
    """Our weights with those named in the text instead."""
    named: dict[str, float] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        category, _, weight = (part.strip() for part in item.partition("="))
        if category not in CATEGORY_WEIGHTS or category in named:
            raise ValueError("use each of these once at most: " + ", ".join(CATEGORY_WEIGHTS))
        if not re.fullmatch(r"\d{1,2}(?:\.\d{1,4})?", weight) or float(weight) > MAX_WEIGHT:
            raise ValueError(f"use category=weight with a weight from 0 to {MAX_WEIGHT:.0f}, like rule=1.5,topic=0.8")
        named[category] = float(weight)
    return MappingProxyType({**CATEGORY_WEIGHTS, **named})


def secrets(text: str) -> tuple[str, ...]:
    """One secret, or during a rotation two: the new one first."""
    found = tuple(map(str.strip, text.split(",")))
    if not 1 <= len(set(found)) == len(found) <= _SECRETS or not all(map(_SECRET.fullmatch, found)):
        raise ValueError("use 1 to 256 characters of A-Z a-z 0-9 _ -, or two such secrets as NEW,OLD")
    return found


def tools(text: str) -> tuple[str, ...]:
    """Names of tools, each once."""
    named = _split_list(text)
    if named == ("none",):
        return ()
    if not named or any(name not in TOOLS for name in named) or len(set(named)) < len(named):
        raise ValueError("use none, or each of these once at most: " + ", ".join(TOOLS))
    return named


def zone(text: str) -> str:
    """The IANA name of a time zone."""
    return timezone_named(text).key


def names(text: str) -> tuple[str, ...]:
    """One or more names, case-folded."""
    named = _split_list(text.casefold())
    if not named:
        raise ValueError("use one or more names, separated by commas")
    return named


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


TOKEN = matching(r"[0-9]{1,16}:[A-Za-z0-9_-]+", "use the token that @BotFather gave, like 123456:ABC…")
HOST = matching(r"[^\s/:]+:\d{1,5}", "use host:port, like 127.0.0.1:8791")
WORD = matching(r"[^\s/]{1,200}", "use a name without spaces or slashes")
USERNAME = matching(r"[A-Za-z0-9_]{3,64}", "use the bot's user name without @")
URL = matching(r"https?://[^\s/]+[^\s]*", "use an http:// or https:// address", ends_without="/")
GUARDED_URL = matching(
    r"https://[^\s/]+\S*|http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:/\S*)?",
    "use an https:// address (http:// only on this machine)",
)
"""An address that nobody on the way can answer for."""
STORE = matching(r"firestore|sqlite:.+", "use sqlite:PATH or firestore")
ARCHIVE = matching(
    r"folder:.+|s3://[a-z0-9][a-z0-9._-]{1,221}(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/?",
    "use folder:PATH or s3://BUCKET/PREFIX, the prefix of A-Z a-z 0-9 _ . - and /",
    ends_without="/",
)
