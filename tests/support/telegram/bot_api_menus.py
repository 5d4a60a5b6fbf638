"""The bot's menus of commands, as the fake Bot API keeps them: one for each scope and language."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.support.telegram.bot_api_rules import bad

_MOST = 100
_NAME = re.compile("[a-z0-9_]{1,32}")
_LANGUAGE = re.compile("[a-z]{2}")

Menu = list[tuple[str, str]]
"""Name and description of each command, in order."""


class Menus:
    """What setMyCommands, getMyCommands and deleteMyCommands do."""

    def __init__(self) -> None:
        self._menus: dict[tuple[str, str], list[dict[str, str]]] = {}

    def of(self, scope: str, language: str = "") -> Menu:
        """The menu of a scope that is not a single chat's; [] when there is none."""
        return [(each["command"], each["description"]) for each in self.get({"scope": {"type": scope}}, language)]

    def set(self, params: dict[str, Any]) -> bool:
        """The method setMyCommands."""
        commands = params["commands"]
        if len(commands) > _MOST:
            raise bad("too many bot commands")
        for each in commands:
            if _NAME.fullmatch(each["command"]) is None:
                raise bad("BOT_COMMAND_INVALID")
            if not 1 <= len(each["description"]) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
        self._menus[_key(params)] = commands
        return True

    def get(self, params: dict[str, Any], language: str = "") -> list[dict[str, str]]:
        """The method getMyCommands."""
        return self._menus.get(_key({"language_code": language} | params), [])

    def delete(self, params: dict[str, Any]) -> bool:
        """The method deleteMyCommands."""
        self._menus.pop(_key(params), None)
        return True


def _key(params: dict[str, Any]) -> tuple[str, str]:
    language = params.get("language_code", "")
    if language and _LANGUAGE.fullmatch(language) is None:
        raise bad("LANGUAGE_CODE_INVALID")
    return json.dumps(params.get("scope", {"type": "default"}), sort_keys=True), language
