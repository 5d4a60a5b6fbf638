"""What admins can choose, row by row: where it is stored, what it is now, and which words choose it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, get_args

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choice_codec import ChoiceLocation
from shared.application.chats.choices import MAX_INSTRUCTIONS, TASKS, Choices
from shared.application.commands.settings.zones import zone_shown, zone_typed
from shared.application.policy import Policy
from shared.domain.chats.quiet_hours import parse_quiet_hours
from shared.domain.delivery.markup import plain
from shared.domain.facts.memory_profile import Profile
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line, unescape_inert
from shared.locales import say

_SHOWN = 60
"""Characters of the admins' own words that the menu shows."""

_ON = frozenset(("on", "yes", "true", "так", "увімкнути", "увімкнено"))
_OFF = frozenset(("off", "no", "false", "ні", "вимкнути", "вимкнено"))
_DEFAULT = frozenset(("default", "типово", "за замовчуванням", "auto", "авто"))
_APOSTROPHES = str.maketrans("’ʼ`", "'''")


class Wrong(ValueError):
    """What was typed is no choice; `text` says what to type instead, in the reader's language.

    Attributes:
        key: Of a text of the locales.
        choices: Keys of texts that name what could be typed.
        places: Other values.
    """

    def __init__(self, key: str, *, choices: Sequence[str] = (), **places: str) -> None:
        super().__init__(key)
        self.key, self.choices, self.places = key, choices, places

    def text(self, row: SettingRow, language: Language) -> str:
        """Return what to type instead, as markup."""
        options = "; ".join(word(language, key) for key in self.choices)
        return say(language, self.key, row=typed_name(row, language), options=options, **self.places)


class SettingRow(NamedTuple):
    """One thing to choose.

    Attributes:
        name: As sealed in buttons and typed in a command; its texts are `row_<name>` and `row_<name>_about`.
        place: Where it is stored.
        now: What holds now, as a code of `options` or as text.
        read: Typed words, case-folded or not, as what is stored. Raises `Wrong`.
        options: Codes that are offered as buttons; `read` takes each of them.
        is_typed: Whether other words than the options may be typed, for which the menu asks.
        groups_only: Whether it means nothing in a private chat.
    """

    name: str
    place: ChoiceLocation
    now: Callable[[ChatState, Choices], str]
    read: Callable[[str, Policy], Any]
    options: tuple[str, ...] = ()
    is_typed: bool = False
    groups_only: bool = False


def word(language: Language, key: str) -> str:
    """A text of the locales without markup."""
    return plain(say(language, key))


# --- reading what was typed ----------------------------------------------------------------------


def _among(row: str, *codes: str) -> Callable[[str, Policy], str]:
    """One of a few, by its code or its name in either language."""

    def read(text: str, policy: Policy) -> str:
        del policy
        wanted = text.casefold().translate(_APOSTROPHES)
        for code in codes:
            if wanted in (code, *(word(each, f"choice_{row}_{code}").casefold() for each in get_args(Language))):
                return code
        raise Wrong("settings_wrong_option", choices=[f"choice_{row}_{code}" for code in codes])

    return read


def _switch(text: str, policy: Policy) -> bool:
    del policy
    wanted = text.casefold()
    if wanted not in _ON | _OFF:
        raise Wrong("settings_wrong_switch")
    return wanted in _ON


def _own_words(text: str, policy: Policy) -> str:
    del policy
    line = one_line(text, len(text))
    if not line:
        raise Wrong("settings_empty")
    if len(line) > MAX_INSTRUCTIONS:
        raise Wrong("settings_too_long", length=str(len(line)), most=str(MAX_INSTRUCTIONS))
    if has_injection(text) or has_injection(line):
        raise Wrong("settings_injection")
    return line


def _quiet_hours(text: str, policy: Policy) -> str:
    del policy
    try:
        hours = text.replace(":00", "").replace("—", "-")
        return str(parse_quiet_hours("off" if text.casefold() in _OFF else hours))
    except ValueError as error:
        raise Wrong("settings_wrong_quiet") from error


def _zone(text: str, policy: Policy) -> str:
    del policy
    try:
        return zone_typed(text)
    except ValueError as error:
        raise Wrong("settings_wrong_timezone") from error


def _days(text: str, policy: Policy) -> int:
    match, most = (
        re.fullmatch(r"(\d{1,6})(?:\s*(?:d|days?|дн\.?|днів|дні|день))?", text.casefold()),
        policy.retention.days,
    )
    if match is None or not 1 <= int(match[1]) <= most:
        raise Wrong("settings_wrong_retention", most=str(most))
    return int(match[1])


def _tokens(text: str, policy: Policy) -> int:
    """A number, or a share of the deployment's budget."""
    most = policy.tokens_per_day
    if text.casefold() in _OFF:
        return 0
    bare = re.sub(r"[\s\u00a0_']", "", text)
    match = re.fullmatch(r"(\d{1,12})(%?)", bare)
    tokens = None if match is None else int(match[1]) * most // 100 if match[2] else int(match[1])
    if tokens is None or tokens > most:
        raise Wrong("settings_wrong_budget", most=str(most))
    return tokens


# --- the rows ------------------------------------------------------------------------------------


def _on(holds: bool) -> str:
    return "on" if holds else "off"


def _prompt(task: str) -> SettingRow:
    place = ChoiceLocation(task, prompt=True)
    return SettingRow(f"prompt_{task}", place, lambda _, c: c.custom_instructions[task], _own_words, is_typed=True)


PROMPTS = tuple(_prompt(task) for task in TASKS)
"""The admins' own words for single tasks of the memory."""

_ROWS = (
    SettingRow(
        "language",
        ChoiceLocation("language"),
        lambda s, _: s.language or "auto",
        _among("language", "uk", "en"),
        ("uk", "en"),
    ),
    SettingRow(
        "persona",
        ChoiceLocation("persona"),
        lambda s, c: unescape_inert(c.persona) if s.persona else "",
        _own_words,
        is_typed=True,
    ),
    SettingRow(
        "private", ChoiceLocation("private_mode", apart=True), lambda _, c: _on(c.private), _switch, ("on", "off")
    ),
    SettingRow(
        "profile",
        ChoiceLocation("memory_profile"),
        lambda _, c: str(c.profile),
        _among("profile", *map(str, Profile)),
        tuple(map(str, Profile)),
    ),
    SettingRow(
        "unprompted",
        ChoiceLocation("unprompted"),
        lambda _, c: _on(c.unprompted),
        _switch,
        ("on", "off"),
        groups_only=True,
    ),
    SettingRow(
        "questions",
        ChoiceLocation("questions"),
        lambda _, c: _on(c.questions),
        _switch,
        ("on", "off"),
        groups_only=True,
    ),
    SettingRow(
        "quiet",
        ChoiceLocation("quiet_hours"),
        lambda _, c: str(c.quiet_hours),
        _quiet_hours,
        ("22-08", "23-07", "21-09", "off"),
        is_typed=True,
        groups_only=True,
    ),
    SettingRow(
        "timezone",
        ChoiceLocation("timezone"),
        lambda _, c: c.timezone.key,
        _zone,
        ("Europe/Kyiv", "Europe/Warsaw", "Europe/Berlin", "Europe/London", "America/New_York", "UTC"),
        is_typed=True,
    ),
    SettingRow(
        "retention",
        ChoiceLocation("retention_days"),
        lambda _, c: str(c.retention.days),
        _days,
        ("7", "30", "90", "180", "365"),
        is_typed=True,
    ),
    SettingRow(
        "budget",
        ChoiceLocation("tokens_per_day"),
        lambda _, c: str(c.tokens_per_day),
        _tokens,
        ("off", "25%", "50%", "100%"),
        is_typed=True,
    ),
    SettingRow(
        "leaving",
        ChoiceLocation("when_leaving"),
        lambda _, c: "erase" if c.erases_leavers else "keep",
        _among("leaving", "keep", "erase"),
        ("keep", "erase"),
        groups_only=True,
    ),
)

ROWS = {row.name: row for row in (*_ROWS, *PROMPTS)}
"""By name, in the order of the menu."""


def rows_of(state: ChatState) -> list[SettingRow]:
    """The rows of a chat's menu; the prompts have a page of their own."""
    return [row for row in _ROWS if state.chat_id < 0 or not row.groups_only]


def options_of(row: SettingRow, policy: Policy) -> list[str]:
    """Return what is offered: nothing that the deployment does not allow."""
    return [option for option in row.options if value_of(row, option, policy) is not None]


def code_of(option: str) -> str:
    """An option as a button carries it: of the letters that a seal allows."""
    return option.replace("/", ".").replace("%", "p")


def option_of(row: SettingRow, code: str) -> str | None:
    """Inverse of `code_of` among the row's options."""
    return next((option for option in row.options if code_of(option) == code), None)


def is_choice(row: SettingRow, stored: object, policy: Policy) -> bool:
    """Whether what is stored may be chosen now: the deployment may allow less than it did, or it was stored wrong."""
    return stored is not None and type(value_of(row, str(stored), policy)) is type(stored)


def value_of(row: SettingRow, text: str, policy: Policy) -> Any:
    """Return what a text chooses, as it is stored; None when it is no choice."""
    try:
        return row.read(text, policy)
    except Wrong:
        return None


def is_default(text: str) -> bool:
    """Return whether somebody types that nothing shall be chosen."""
    return text.casefold() in _DEFAULT


def row_typed(words: str) -> tuple[SettingRow | None, str]:
    """The row that the first of some words names, by its name or its title in either language, and the rest."""
    first, *rest = words.split(maxsplit=1)
    named = first.casefold().translate(_APOSTROPHES)
    return next((row for row in ROWS.values() if named in _names(row)), None), rest[0] if rest else ""


def typed_name(row: SettingRow, language: Language) -> str:
    """Return what a row is called where its name is typed; `row_typed` takes it."""
    return word(language, f"row_{row.name}").casefold()


def _names(row: SettingRow) -> Iterable[str]:
    return (row.name, *(word(language, f"row_{row.name}").casefold() for language in get_args(Language)))


# --- showing -------------------------------------------------------------------------------------


def render_value(row: SettingRow, language: Language, value: str, policy: Policy) -> str:
    """A value as people read it."""
    if row.name in ("private", "unprompted", "questions"):
        return word(language, f"choice_{value}")
    if row.name in ("language", "profile", "leaving"):
        return word(language, f"choice_{row.name}_{value}")
    if row.name == "quiet" and value == "off":
        return word(language, "choice_quiet_off")
    if row.name == "retention":
        return plain(say(language, "settings_days", days=value))
    if row.name == "timezone":
        return zone_shown(value)
    if row.name == "budget":
        return _budget(language, int(value), policy)
    return one_line(value, _SHOWN) or word(language, "settings_nothing")


def _budget(language: Language, tokens: int, policy: Policy) -> str:
    if tokens == 0:
        return word(language, "choice_budget_off")
    percent = round(100 * tokens / policy.tokens_per_day)
    return plain(say(language, "settings_tokens", tokens=f"{tokens:,}".replace(",", "\u00a0"), percent=str(percent)))
