"""The people of a script: who does what a line says, and whose words a message carries."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import replace

from infra.local.chat.raw_updates import Person
from infra.local.script.fields import ScriptFields
from infra.local.script.steps import Origin

FIRST_USER = 101
"""Members without an id are numbered from here, in order of appearance, past the ids that lines give."""

_ORIGIN = ("user_id", "name", "username", "is_bot", "hidden", "message_id", "chat_id", "date")
_API_ORIGINS = {
    "user": "sender_user",
    "hidden_user": "sender_user_name",
    "chat": "sender_chat",
    "channel": "chat",
}
"""Types of the Bot API's `MessageOrigin`, with the field that says who it is."""


class People:
    """The people of a script: a person named once, by id or name, is known from then on.

    Args:
        taken: Ids that lines give.
    """

    def __init__(self, taken: Collection[int] = frozenset()) -> None:
        self._ids: dict[str, int] = {}
        self._known: dict[int, Person] = {}
        self._free = (number for number in itertools.count(FIRST_USER) if number not in taken)

    def person(self, fields: ScriptFields) -> Person:
        """Return who is named; of what is not said again, what was said last counts.

        Raises:
            ScriptError: Nobody is named.
        """
        user_id, name = fields.integer("user_id"), (fields.text("name") or "").strip()
        if user_id is None and not name:
            raise fields.error('neither "user_id" nor "name" says who speaks')
        if user_id == 0:
            raise fields.error('"user_id" 0 is nobody')
        if user_id is None:
            user_id = self._ids[name] if name in self._ids else next(self._free)
        username = fields.text("username") or None
        known = self._known.get(user_id) or Person(user_id, name or username or f"user {user_id}")
        person = replace(
            known,
            name=name or known.name,
            username=username or known.username,
            is_bot=fields.flag("is_bot") if fields.has("is_bot") else known.is_bot,
        )
        if not fields.has("sender_chat"):  # else the name is the chat's
            self._known[user_id] = person
        self._ids.setdefault(person.name, user_id)
        return person

    def origin(self, fields: ScriptFields, key: str) -> Origin | None:
        """Return whose words a message carries: the person named, or the author of the message that is.

        The form of the Bot API, with an "origin" inside, is taken as well.

        Raises:
            ScriptError: It is of neither form.
        """
        origin = fields.find(key)
        if origin is None:
            return None
        if origin.has("origin") or origin.has("type"):
            return self._as_delivered(origin, origin.find("origin") or origin)
        origin.refuse_unknown(_ORIGIN, f'"{key}"')
        message_id, named = origin.positive("message_id"), origin.has("user_id") or origin.has("name")
        if not named and (message_id is None or origin.has("chat_id")):
            raise origin.error('neither "user_id", "name" nor a "message_id" of this group says whose words they are')
        return Origin(
            self.person(origin) if named else None,
            origin.flag("hidden"),
            message_id,
            origin.integer("chat_id"),
            origin.date("date"),
        )

    def _as_delivered(self, outer: ScriptFields, origin: ScriptFields) -> Origin:
        kind = origin.one_of("type", _API_ORIGINS)
        if kind is None:
            raise origin.error('"type" is missing')
        chat = outer.find("chat") if outer is not origin else None
        message_id = outer.positive("message_id") or origin.positive("message_id")
        chat_id = None if chat is None else chat.integer("id")
        if kind == "hidden_user":
            return Origin(Person(1, origin.text("sender_user_name") or "?"), True, message_id, chat_id)
        who = origin.find(_API_ORIGINS[kind])
        if who is None or (user_id := who.integer("id")) is None:
            raise origin.error(f'"{_API_ORIGINS[kind]}" with an "id" is missing')
        name = who.text("first_name") or who.text("title") or f"user {user_id}"
        return Origin(Person(user_id, name, who.text("username"), who.flag("is_bot")), False, message_id, chat_id)
