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


def _rows(who: Who, find: Callable[[str], ButtonFunction], *names: str, destructive: bool = False) -> dict[str, Action]:
    return {name: Action(name, who, partial(find, name), destructive) for name in names}


ACTIONS: dict[str, Action] = {
    **_rows("everybody", load_about_chat_button, "keep"),
    **_rows("everybody", load_about_facts_button, "list", "back", "card", "whyc"),
    **_rows("members", load_vote, "ay", "an", "ah", "ar", "yes", "no", "drop"),
    **_rows("members", load_about_facts_button, "fix"),
    **_rows("people", load_vote, "dro"),
    **_rows("people", load_about_facts_button, "see"),
    **_rows("people", load_about_chat_button, "fga", "opt"),
    **_rows("people", load_about_chat_button, "fgt", destructive=True),
    **_rows("admins", load_about_chat_button, "rst", "set", "rgn", destructive=True),
    **_rows("admins", load_vote, "dra", destructive=True),
    **_rows("admins", load_about_facts_button, "pin"),
}
"""All actions, by the name that buttons are sealed with."""
