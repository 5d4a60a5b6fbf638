"""All commands and all actions of buttons, with who may use them: the one place that says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from shared.application.app import App
    from shared.application.commands.call import ButtonPress, CommandCall, Pressed
    from shared.application.delivery.answer import Answer

Who = Literal["everybody", "people", "members", "admins"]
"""`everybody`: also who speaks as a channel or anonymously; `people`: who shows who they are, for what is theirs alone;
`members`: people who are in the chat now, as Telegram says; `admins`: who administrates the chat now, as Telegram says,
anonymously or not, and everybody in their own private chat."""


class CommandSpec(NamedTuple):
    """A command.

    Attributes:
        name: Without the slash. Its texts: `about_<name>` (one line for menu and help) and `usage_<name>` (with an
            example).
        source: `module:function` under `shared.application.commands`.
        destructive: Who may is asked of Telegram itself, not of what it said minutes ago.
    """

    name: str
    who: Who
    source: str
    destructive: bool = False

    def load(self) -> Callable[[App, CommandCall], Awaitable[Answer]]:
        """The function that carries it out."""
        carry_out: Callable[[App, CommandCall], Awaitable[Answer]] = load_function(self.source)
        return carry_out


class Action(NamedTuple):
    """What a button does; `name` is what it is sealed with. The rest as of `CommandSpec`.

    One that belongs to somebody (`Sealed.owner`) is theirs alone, whoever else may do it.
    """

    name: str
    who: Who
    source: str
    destructive: bool = False

    def load(self) -> Callable[[App, ButtonPress], Awaitable[Pressed]]:
        """The function that carries it out."""
        carry_out: Callable[[App, ButtonPress], Awaitable[Pressed]] = load_function(self.source)
        return carry_out


COMMANDS: dict[str, CommandSpec] = {
    command.name: command
    for command in (
        CommandSpec("gryadhelp", "everybody", "help:show_help"),
        CommandSpec("gryadchatfacts", "everybody", "facts.overview:list_chat_facts"),
        CommandSpec("gryadfacts", "people", "facts.overview:list_member_facts"),
        CommandSpec("gryadwhy", "everybody", "facts.why:explain_answer"),
        CommandSpec("gryadfix", "everybody", "facts.fix:fix"),
        CommandSpec("gryaddrop", "everybody", "facts.fix:drop"),
        CommandSpec("gryadremember", "everybody", "facts.remember:remember"),
        CommandSpec("gryadrecap", "everybody", "chat.recap:tell"),
        CommandSpec("gryadcontext", "everybody", "chat.board:show_context"),
        CommandSpec("gryadprofile", "everybody", "chat.portrait:show_profile"),
        CommandSpec("gryadforgetme", "people", "privacy.forgetting:ask"),
        CommandSpec("gryadoptout", "people", "privacy.consent:opt_out"),
        CommandSpec("gryadoptin", "people", "privacy.consent:opt_in"),
        CommandSpec("gryadexport", "people", "privacy.export:export"),
        CommandSpec("gryadsettings", "admins", "settings.menu:show", destructive=True),
        CommandSpec("gryadchatreset", "admins", "chat.reset:ask", destructive=True),
        CommandSpec("gryadregen", "admins", "chat.regen:regenerate"),
        CommandSpec("gryadfreeze", "admins", "facts.freeze:freeze"),
        CommandSpec("gryadstats", "admins", "chat.stats:show"),
    )
}
"""In the order in which help and menu show them."""

ALIASES = {"start": "gryadhelp", "help": "gryadhelp"}
"""Commands that every bot has."""

ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        Action("rst", "admins", "chat.reset:confirm", destructive=True),
        Action("set", "admins", "settings.menu:press", destructive=True),
        Action("rgn", "admins", "chat.regen:confirm", destructive=True),
        Action("ay", "members", "facts.questions:agree"),
        Action("an", "members", "facts.questions:oppose"),
        Action("ah", "members", "facts.questions:agree_in_conflict"),
        Action("ar", "members", "facts.questions:prefer_rival"),
        Action("keep", "everybody", "replies:leave"),
        Action("yes", "members", "facts.votes:vote_for"),
        Action("no", "members", "facts.votes:vote_against"),
        Action("drop", "members", "facts.votes:press_drop"),
        Action("dra", "admins", "facts.votes:drop_by_admin", destructive=True),
        Action("dro", "people", "facts.votes:drop_own"),
        Action("fix", "members", "facts.fix:ask_for_words"),
        Action("list", "everybody", "facts.overview:turn_page"),
        Action("back", "everybody", "facts.overview:go_back"),
        Action("see", "people", "facts.overview:choose_visibility"),
        Action("card", "everybody", "facts.card:open_card"),
        Action("whyc", "everybody", "facts.why:say_card"),
        Action("pin", "admins", "facts.freeze:press_pin"),
        Action("fga", "people", "privacy.forgetting:ask_again"),
        Action("fgt", "people", "privacy.forgetting:confirm", destructive=True),
        Action("opt", "people", "privacy.consent:opt_out_by_button"),
    )
}
"""By the name that buttons are sealed with."""

REPLIES: dict[str, str] = {
    "fix": "facts.fix:take_words",
    "card": "facts.fix:take_reply",
    "question": "facts.questions:reply_to_question",
    "set": "settings.menu:take_typed",
}
"""What a reply to a question of the bot means: `asks["action"]` of the question, and `module:function` (`App`,
`CommandCall`, `asks`) that returns an `Answer`, or None when the reply is talk like any other. The function checks who
may."""


def load_function(source: str) -> Any:
    """Return what `module:function` under this package names."""
    module, _, name = source.partition(":")
    return getattr(import_module(f"shared.application.commands.{module}"), name)
