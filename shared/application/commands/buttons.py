"""All actions of buttons, with who may use them and which function carries them out: the one place that says so.

As in `table`, a row holds what loads its function.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.application.commands.call import ButtonFunction, Who


class Action(NamedTuple):
    """The action of a button; `name` is what it is sealed with. The rest as of `CommandSpec`.

    One that belongs to somebody (`Sealed.owner`) is theirs alone, whoever else may do it.
    """

    name: str
    who: Who
    load: Callable[[], ButtonFunction]
    destructive: bool = False


def load_vote(name: str) -> ButtonFunction:
    """Import what a vote or a decision on a fact does and return it."""
    run: ButtonFunction
    match name:
        case "ay":
            from shared.application.commands.facts.questions import agree as run
        case "an":
            from shared.application.commands.facts.questions import oppose as run
        case "ah":
            from shared.application.commands.facts.questions import agree_in_conflict as run
        case "ar":
            from shared.application.commands.facts.questions import prefer_rival as run
        case "yes":
            from shared.application.commands.facts.votes import vote_for as run
        case "no":
            from shared.application.commands.facts.votes import vote_against as run
        case "drop":
            from shared.application.commands.facts.votes import press_drop as run
        case "dra":
            from shared.application.commands.facts.votes import drop_by_admin as run
        case "dro":
            from shared.application.commands.facts.votes import drop_own as run
    return run


def load_about_facts_button(name: str) -> ButtonFunction:
    """Import what a button about facts does and return it."""
    match name:
        case "fix":
            from shared.application.commands.facts.fix import ask_for_words as run
        case "list":
            from shared.application.commands.facts.overview import turn_page as run
        case "back":
            from shared.application.commands.facts.overview import go_back as run
        case "see":
            from shared.application.commands.facts.overview import choose_visibility as run
        case "card":
            from shared.application.commands.facts.card import open_card as run
        case "whyc":
            from shared.application.commands.facts.why import say_card as run
        case "pin":
            from shared.application.commands.facts.remember import press_pin as run
    return run


def load_about_chat_button(name: str) -> ButtonFunction:
    """Import what a button about the chat, or about somebody's own words, does and return it."""
    match name:
        case "rst":
            from shared.application.commands.chat.reset import confirm as run
        case "set":
            from shared.application.commands.settings.menu import press as run
        case "rgn":
            from shared.application.commands.chat.regen import confirm as run
        case "keep":
            from shared.application.commands.call import leave

            return leave
        case "fga":
            from shared.application.commands.privacy.consent import ask_again as run
        case "fgt":
            from shared.application.commands.privacy.consent import confirm as run
        case "opt":
            from shared.application.commands.privacy.consent import opt_out_by_button as run
    return run


def _row(name: str, who: Who, find: Callable[[str], ButtonFunction], *, destructive: bool = False) -> Action:
    return Action(name, who, partial(find, name), destructive)


ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        _row("rst", "admins", load_about_chat_button, destructive=True),
        _row("set", "admins", load_about_chat_button, destructive=True),
        _row("rgn", "admins", load_about_chat_button, destructive=True),
        _row("ay", "members", load_vote),
        _row("an", "members", load_vote),
        _row("ah", "members", load_vote),
        _row("ar", "members", load_vote),
        _row("keep", "everybody", load_about_chat_button),
        _row("yes", "members", load_vote),
        _row("no", "members", load_vote),
        _row("drop", "members", load_vote),
        _row("dra", "admins", load_vote, destructive=True),
        _row("dro", "people", load_vote),
        _row("fix", "members", load_about_facts_button),
        _row("list", "everybody", load_about_facts_button),
        _row("back", "everybody", load_about_facts_button),
        _row("see", "people", load_about_facts_button),
        _row("card", "everybody", load_about_facts_button),
        _row("whyc", "everybody", load_about_facts_button),
        _row("pin", "admins", load_about_facts_button),
        _row("fga", "people", load_about_chat_button),
        _row("fgt", "people", load_about_chat_button, destructive=True),
        _row("opt", "people", load_about_chat_button),
    )
}
"""All actions, by the name that buttons are sealed with."""
