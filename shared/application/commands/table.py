"""All commands, with who may use them and which function carries them out: the one place that says so.

A row holds no function but what loads it: one command must not import the modules of all the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.application.commands.call import CommandFunction, ReplyFunction, Who


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


def load_about_facts(name: str) -> CommandFunction:
    """Import a command about facts and return it."""
    match name:
        case "gryadchatfacts":
            from shared.application.commands.facts.overview import list_chat_facts as run
        case "gryadfacts":
            from shared.application.commands.facts.overview import list_member_facts as run
        case "gryadwhy":
            from shared.application.commands.facts.why import explain_answer as run
        case "gryadfix":
            from shared.application.commands.facts.fix import fix as run
        case "gryaddrop":
            from shared.application.commands.facts.fix import drop as run
        case "gryadremember":
            from shared.application.commands.facts.remember import remember as run
        case "gryadfreeze":
            from shared.application.commands.facts.remember import freeze as run
    return run


def load_about_chat(name: str) -> CommandFunction:
    """Import a command about the chat as a whole, or about the bot in it, and return it."""
    match name:
        case "gryadhelp":
            from shared.application.commands.dispatch import show_help as run
        case "gryadprofile":
            from shared.application.commands.later import show_profile as run
        case "gryadstop":
            from shared.application.commands.later import confirm_stop as run
        case "gryadrecap":
            from shared.application.commands.chat.recap import tell as run
        case "gryadcontext":
            from shared.application.commands.chat.context_file import show_context as run
        case "gryadsettings":
            from shared.application.commands.settings.menu import show as run
        case "gryadchatreset":
            from shared.application.commands.chat.reset import ask as run
        case "gryadregen":
            from shared.application.commands.chat.regen import regenerate as run
        case "gryadstats":
            from shared.application.commands.chat.stats import show as run
    return run


def load_about_oneself(name: str) -> CommandFunction:
    """Import a command about somebody's own words and return it."""
    match name:
        case "gryadforgetme":
            from shared.application.commands.privacy.consent import ask as run
        case "gryadoptout":
            from shared.application.commands.privacy.consent import opt_out as run
        case "gryadoptin":
            from shared.application.commands.privacy.consent import opt_in as run
        case "gryadexport":
            from shared.application.commands.privacy.export import export as run
    return run


def _rows(
    who: Who, find: Callable[[str], CommandFunction], *names: str, destructive: bool = False
) -> dict[str, CommandSpec]:
    return {name: CommandSpec(name, who, partial(find, name), destructive) for name in names}


COMMANDS: dict[str, CommandSpec] = {
    **_rows("everybody", load_about_chat, "gryadhelp"),
    **_rows("everybody", load_about_facts, "gryadchatfacts"),
    **_rows("people", load_about_facts, "gryadfacts"),
    **_rows("everybody", load_about_facts, "gryadwhy", "gryadfix", "gryaddrop", "gryadremember"),
    **_rows("everybody", load_about_chat, "gryadrecap", "gryadcontext", "gryadprofile", "gryadstop"),
    **_rows("people", load_about_oneself, "gryadforgetme", "gryadoptout", "gryadoptin", "gryadexport"),
    **_rows("admins", load_about_chat, "gryadsettings", "gryadchatreset", destructive=True),
    **_rows("admins", load_about_chat, "gryadregen"),
    **_rows("admins", load_about_facts, "gryadfreeze"),
    **_rows("admins", load_about_chat, "gryadstats"),
}
"""All commands by name, in the order in which help and menu show them."""

ALIASES = {"start": "gryadhelp", "help": "gryadhelp"}
"""Commands that every bot has."""


def load_reply(name: str) -> ReplyFunction:
    """Import what takes a reply to a question of the bot, by `asks["action"]` of the question, and return it."""
    match name:
        case "fix":
            from shared.application.commands.facts.fix import take_words as run
        case "card":
            from shared.application.commands.facts.fix import take_reply as run
        case "question":
            from shared.application.commands.facts.questions import reply_to_question as run
        case "set":
            from shared.application.commands.settings.menu import take_typed as run
    return run


REPLIES: dict[str, Callable[[], ReplyFunction]] = {
    action: partial(load_reply, action) for action in ("fix", "card", "question", "set")
}
"""The loaders of functions that take a reply, by the action of what is replied to. The function checks who may."""
