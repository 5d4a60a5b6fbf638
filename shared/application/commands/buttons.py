"""All actions of buttons, with who may use them and which function carries them out: the one place that says so.

As in `table`, a row holds what loads its function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shared.application.commands.authority import Who
    from shared.application.commands.call import ButtonFunction


class Action(NamedTuple):
    """What a button does; `name` is what it is sealed with. The rest as of `CommandSpec`.

    One that belongs to somebody (`Sealed.owner`) is theirs alone, whoever else may do it.
    """

    name: str
    who: Who
    load: Callable[[], ButtonFunction]
    destructive: bool = False


def _load_reset_chat() -> ButtonFunction:
    from shared.application.commands.chat.reset import confirm

    return confirm


def _load_change_setting() -> ButtonFunction:
    from shared.application.commands.settings.menu import press

    return press


def _load_regenerate() -> ButtonFunction:
    from shared.application.commands.chat.regen import confirm

    return confirm


def _load_agree() -> ButtonFunction:
    from shared.application.commands.facts.questions import agree

    return agree


def _load_oppose() -> ButtonFunction:
    from shared.application.commands.facts.questions import oppose

    return oppose


def _load_agree_in_conflict() -> ButtonFunction:
    from shared.application.commands.facts.questions import agree_in_conflict

    return agree_in_conflict


def _load_prefer_rival() -> ButtonFunction:
    from shared.application.commands.facts.questions import prefer_rival

    return prefer_rival


def _load_leave_as_it_is() -> ButtonFunction:
    from shared.application.commands.call import leave

    return leave


def _load_vote_for() -> ButtonFunction:
    from shared.application.commands.facts.votes import vote_for

    return vote_for


def _load_vote_against() -> ButtonFunction:
    from shared.application.commands.facts.votes import vote_against

    return vote_against


def _load_press_drop() -> ButtonFunction:
    from shared.application.commands.facts.votes import press_drop

    return press_drop


def _load_drop_by_admin() -> ButtonFunction:
    from shared.application.commands.facts.votes import drop_by_admin

    return drop_by_admin


def _load_drop_own() -> ButtonFunction:
    from shared.application.commands.facts.votes import drop_own

    return drop_own


def _load_ask_for_words() -> ButtonFunction:
    from shared.application.commands.facts.fix import ask_for_words

    return ask_for_words


def _load_turn_page() -> ButtonFunction:
    from shared.application.commands.facts.overview import turn_page

    return turn_page


def _load_go_back() -> ButtonFunction:
    from shared.application.commands.facts.overview import go_back

    return go_back


def _load_choose_visibility() -> ButtonFunction:
    from shared.application.commands.facts.overview import choose_visibility

    return choose_visibility


def _load_open_card() -> ButtonFunction:
    from shared.application.commands.facts.card import open_card

    return open_card


def _load_say_card() -> ButtonFunction:
    from shared.application.commands.facts.why import say_card

    return say_card


def _load_press_pin() -> ButtonFunction:
    from shared.application.commands.facts.remember import press_pin

    return press_pin


def _load_ask_again() -> ButtonFunction:
    from shared.application.commands.privacy.consent import ask_again

    return ask_again


def _load_forget_member() -> ButtonFunction:
    from shared.application.commands.privacy.consent import confirm

    return confirm


def _load_opt_out_by_button() -> ButtonFunction:
    from shared.application.commands.privacy.consent import opt_out_by_button

    return opt_out_by_button


ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        Action("rst", "admins", _load_reset_chat, destructive=True),
        Action("set", "admins", _load_change_setting, destructive=True),
        Action("rgn", "admins", _load_regenerate, destructive=True),
        Action("ay", "members", _load_agree),
        Action("an", "members", _load_oppose),
        Action("ah", "members", _load_agree_in_conflict),
        Action("ar", "members", _load_prefer_rival),
        Action("keep", "everybody", _load_leave_as_it_is),
        Action("yes", "members", _load_vote_for),
        Action("no", "members", _load_vote_against),
        Action("drop", "members", _load_press_drop),
        Action("dra", "admins", _load_drop_by_admin, destructive=True),
        Action("dro", "people", _load_drop_own),
        Action("fix", "members", _load_ask_for_words),
        Action("list", "everybody", _load_turn_page),
        Action("back", "everybody", _load_go_back),
        Action("see", "people", _load_choose_visibility),
        Action("card", "everybody", _load_open_card),
        Action("whyc", "everybody", _load_say_card),
        Action("pin", "admins", _load_press_pin),
        Action("fga", "people", _load_ask_again),
        Action("fgt", "people", _load_forget_member, destructive=True),
        Action("opt", "people", _load_opt_out_by_button),
    )
}
"""By the name that buttons are sealed with."""
