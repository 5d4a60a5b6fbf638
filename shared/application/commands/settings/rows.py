"""The settings that admins can choose, row by row: where each is stored, its value now, and which words choose it.

The rows are data, in `rows.toml`.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import TASKS, Choices
from shared.application.chats.settings_codec import ChoiceLocation
from shared.application.commands.call import group_digits
from shared.application.commands.settings.typed import READERS, Reader, Wrong, choice_reader, fold_typed, zone_shown
from shared.application.delivery.wording import word
from shared.application.policy import Policy
from shared.domain.text.data_files import read_data
from shared.domain.text.language import Language
from shared.domain.text.plain import one_line, unescape_inert

_SHOWN = 60
"""Characters of the admins' own words that the menu shows."""


class SettingRow(NamedTuple):
    """One thing to choose.

    Attributes:
        name: As sealed in buttons and typed in a command; its texts are `row_<name>` and `row_<name>_about`.
        place: Where it is stored.
        now: What holds now, as a code of `options` or as text.
        read: Typed words as what is stored.
        options: Codes that are offered as buttons; `read` takes each of them.
        is_typed: Whether other words than the options may be typed, for which the menu asks.
        groups_only: Whether it means nothing in a private chat.
        shown: How a value is shown; the ways are those of `render_value`.
    """

    name: str
    place: ChoiceLocation
    now: Callable[[ChatState, Choices], str]
    read: Reader
    options: tuple[str, ...] = ()
    is_typed: bool = False
    groups_only: bool = False
    shown: str = "words"


def _on_or_off(holds: bool) -> str:
    return "on" if holds else "off"


_NOW: Mapping[str, Callable[[ChatState, Choices], str]] = {
    "language": lambda state, _: state.language or "auto",
    "persona": lambda state, choices: unescape_inert(choices.persona) if state.persona else "",
    "private": lambda _, choices: _on_or_off(choices.private),
    "profile": lambda _, choices: str(choices.profile),
    "unprompted": lambda _, choices: _on_or_off(choices.unprompted),
    "questions": lambda _, choices: _on_or_off(choices.questions),
    "quiet": lambda _, choices: str(choices.quiet_hours),
    "timezone": lambda _, choices: choices.timezone.key,
    "retention": lambda _, choices: str(choices.retention.days),
    "budget": lambda _, choices: str(choices.tokens_per_day),
    "leaving": lambda _, choices: "erase" if choices.erases_leavers else "keep",
}


def _row(name: str, stored_as: str, reader: str, options: tuple[str, ...] = (), **ways: Any) -> SettingRow:
    """Return one row of `rows.toml`, whose keys are the arguments."""
    return SettingRow(
        name=name,
        place=ChoiceLocation(stored_as, apart=ways.pop("apart", False)),
        now=_NOW[name],
        read=choice_reader(name, *options) if reader == "options" else READERS[reader],
        options=options,
        is_typed=ways.pop("typed", False),
        groups_only=ways.pop("groups", False),
        **ways,
    )


def _prompt(task: str) -> SettingRow:
    place, read = ChoiceLocation(task, prompt=True), READERS["words"]
    return SettingRow(f"prompt_{task}", place, lambda _, c: c.custom_instructions[task], read, is_typed=True)


PROMPTS = tuple(map(_prompt, TASKS))
"""The admins' own words for single tasks of the memory."""

_ROWS = tuple(_row(**fields) for fields in read_data(__package__, "rows")["row"])

ROWS = {row.name: row for row in (*_ROWS, *PROMPTS)}
"""All rows by name, in the order of the menu."""


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
    """Return the option of a row that a button carries as this code, or None."""
    return next((option for option in row.options if code_of(option) == code), None)


def is_choice(row: SettingRow, stored: object, policy: Policy) -> bool:
    """Return whether what is stored may be chosen now: the deployment may allow less, or it was stored wrong."""
    return stored is not None and type(value_of(row, str(stored), policy)) is type(stored)


def value_of(row: SettingRow, text: str, policy: Policy) -> Any:
    """Return what a text chooses, as it is stored; None when it is no choice."""
    try:
        return row.read(text, policy)
    except Wrong:
        return None


def row_typed(words: str) -> tuple[SettingRow | None, str]:
    """The row that the first of some words names, by its name or its title in either language, and the rest."""
    first, *rest = words.split(maxsplit=1)
    named = fold_typed(first)
    titled = (
        row for row in ROWS.values() if named in (row.name, *(typed_name(row, each) for each in get_args(Language)))
    )
    return next(titled, None), rest[0] if rest else ""


def typed_name(row: SettingRow, language: Language) -> str:
    """Return what a row is called where its name is typed; `row_typed` takes it."""
    return word(language, f"row_{row.name}").casefold()


def render_value(row: SettingRow, language: Language, value: str, policy: Policy) -> str:
    """A value as people read it."""
    match row.shown:
        case "switch":
            return word(language, f"choice_{value}")
        case "choice":
            return word(language, f"choice_{row.name}_{value}")
        case "hours" if value == "off":
            return word(language, "choice_quiet_off")
        case "days":
            return word(language, "settings_days", days=value)
        case "zone":
            return zone_shown(value)
        case "tokens":
            if int(value) == 0:
                return word(language, "choice_budget_off")
            percent = str(round(100 * int(value) / policy.tokens_per_day))
            return word(language, "settings_tokens", tokens=group_digits(int(value)), percent=percent)
    return one_line(value, _SHOWN) or word(language, "settings_nothing")
