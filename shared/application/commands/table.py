"""All commands, with who may use them and which function carries them out: the one place that says so.

A row holds no function but what loads it: one command must not import the modules of all the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.application.commands.authority import Who
    from shared.application.commands.call import CommandFunction, ReplyFunction


class CommandSpec(NamedTuple):
    """A command.

    Attributes:
        name: Without the slash. Its texts: `about_<name>` (one line for menu and help) and `usage_<name>` (with an
            example).
        load: Imports the function that carries it out, and returns it.
        destructive: Who may is asked of Telegram itself, not of what it said minutes ago.
    """

    name: str
    who: Who
    load: Callable[[], CommandFunction]
    destructive: bool = False


def _load_help() -> CommandFunction:
    from shared.application.commands.dispatch import show_help

    return show_help


def _load_chatfacts() -> CommandFunction:
    from shared.application.commands.facts.overview import list_chat_facts

    return list_chat_facts


def _load_facts() -> CommandFunction:
    from shared.application.commands.facts.overview import list_member_facts

    return list_member_facts


def _load_why() -> CommandFunction:
    from shared.application.commands.facts.why import explain_answer

    return explain_answer


def _load_fix() -> CommandFunction:
    from shared.application.commands.facts.fix import fix

    return fix


def _load_drop() -> CommandFunction:
    from shared.application.commands.facts.fix import drop

    return drop


def _load_remember() -> CommandFunction:
    from shared.application.commands.facts.remember import remember

    return remember


def _load_recap() -> CommandFunction:
    from shared.application.commands.chat.recap import tell

    return tell


def _load_context() -> CommandFunction:
    from shared.application.commands.chat.board import show_context

    return show_context


def _load_profile() -> CommandFunction:
    from shared.application.commands.later import show_profile

    return show_profile


def _load_stop() -> CommandFunction:
    from shared.application.commands.later import confirm_stop

    return confirm_stop


def _load_forgetme() -> CommandFunction:
    from shared.application.commands.privacy.consent import ask

    return ask


def _load_optout() -> CommandFunction:
    from shared.application.commands.privacy.consent import opt_out

    return opt_out


def _load_optin() -> CommandFunction:
    from shared.application.commands.privacy.consent import opt_in

    return opt_in


def _load_export() -> CommandFunction:
    from shared.application.commands.privacy.export import export

    return export


def _load_settings() -> CommandFunction:
    from shared.application.commands.settings.menu import show

    return show


def _load_chatreset() -> CommandFunction:
    from shared.application.commands.chat.reset import ask

    return ask


def _load_regen() -> CommandFunction:
    from shared.application.commands.chat.regen import regenerate

    return regenerate


def _load_freeze() -> CommandFunction:
    from shared.application.commands.facts.remember import freeze

    return freeze


def _load_stats() -> CommandFunction:
    from shared.application.commands.chat.stats import show

    return show


COMMANDS: dict[str, CommandSpec] = {
    command.name: command
    for command in (
        CommandSpec("gryadhelp", "everybody", _load_help),
        CommandSpec("gryadchatfacts", "everybody", _load_chatfacts),
        CommandSpec("gryadfacts", "people", _load_facts),
        CommandSpec("gryadwhy", "everybody", _load_why),
        CommandSpec("gryadfix", "everybody", _load_fix),
        CommandSpec("gryaddrop", "everybody", _load_drop),
        CommandSpec("gryadremember", "everybody", _load_remember),
        CommandSpec("gryadrecap", "everybody", _load_recap),
        CommandSpec("gryadcontext", "everybody", _load_context),
        CommandSpec("gryadprofile", "everybody", _load_profile),
        CommandSpec("gryadstop", "everybody", _load_stop),
        CommandSpec("gryadforgetme", "people", _load_forgetme),
        CommandSpec("gryadoptout", "people", _load_optout),
        CommandSpec("gryadoptin", "people", _load_optin),
        CommandSpec("gryadexport", "people", _load_export),
        CommandSpec("gryadsettings", "admins", _load_settings, destructive=True),
        CommandSpec("gryadchatreset", "admins", _load_chatreset, destructive=True),
        CommandSpec("gryadregen", "admins", _load_regen),
        CommandSpec("gryadfreeze", "admins", _load_freeze),
        CommandSpec("gryadstats", "admins", _load_stats),
    )
}
"""In the order in which help and menu show them."""

ALIASES = {"start": "gryadhelp", "help": "gryadhelp"}
"""Commands that every bot has."""


def _load_correction() -> ReplyFunction:
    from shared.application.commands.facts.fix import take_words

    return take_words


def _load_reply_to_card() -> ReplyFunction:
    from shared.application.commands.facts.fix import take_reply

    return take_reply


def _load_reply_to_question() -> ReplyFunction:
    from shared.application.commands.facts.questions import reply_to_question

    return reply_to_question


def _load_typed_setting() -> ReplyFunction:
    from shared.application.commands.settings.menu import take_typed

    return take_typed


REPLIES: dict[str, Callable[[], ReplyFunction]] = {
    "fix": _load_correction,
    "card": _load_reply_to_card,
    "question": _load_reply_to_question,
    "set": _load_typed_setting,
}
"""What loads the function that takes a reply to a question of the bot, by `asks["action"]` of the question.

The function checks who may.
"""
