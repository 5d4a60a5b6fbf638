"""One line of a script, as what it has somebody do."""

from __future__ import annotations

from collections.abc import Collection

from infra.local.chat.media import CAPTIONED, MEDIA
from infra.local.chat.raw_updates import Person
from infra.local.script.fields import ScriptFields
from infra.local.script.people import People
from infra.local.script.steps import Action, Comment, Edit, Member, Night, Origin, PressButton, React, Say, Standing

_EVERY = ("date", "user_id", "name", "username", "is_bot", "comment")
MESSAGE_KEYS = (
    *("message_id", "is_admin", "text", "reply_to", "forwarded", "private", "quote", "topic", "via_bot"),
    *("sender_chat", "external_reply", "media", "caption"),
)
"""The keys that a message may have, besides what every line may."""

_KINDS = {
    "edit": ("an edit", ("edit", "text", "caption", "private")),
    "press": ("a pressed button", ("press", "message_id", "private")),
    "react": ("a reaction", ("react", "message_id")),
    "member": ("a member's change", ("member",)),
    "night": ("a night", ("night",)),
}
"""Kinds of lines by the key that only such a line has: the name in errors, and its keys."""

_STANDINGS: dict[str, Standing] = {each: each for each in ("joined", "left", "banned", "administrator", "member")}


class LineReader:
    """Reads lines one after the other; members named without an id have the same one throughout.

    Args:
        taken: Ids that lines give.
    """

    def __init__(self, taken: Collection[int] = frozenset()) -> None:
        self._people = People(taken)

    def read(self, fields: ScriptFields) -> Action:
        """Return what a line has somebody do.

        Raises:
            ScriptError: It is not of any form, or has a key that means nothing there.
        """
        kinds = [kind for kind in _KINDS if fields.has(kind)]
        if len(kinds) > 1:
            raise fields.error(f"{' and '.join(kinds)} on one line; say one thing a line")
        if not kinds:
            return self._read_said(fields)
        what, keys = _KINDS[kinds[0]]
        fields.refuse_unknown((*_EVERY, *keys), what)
        match kinds[0]:
            case "edit":
                return self._read_edit(fields)
            case "press":
                return self._read_press(fields)
            case "react":
                return self._read_reaction(fields)
            case "member":
                return Member(self._people.person(fields), _STANDINGS[fields.one_of("member", _STANDINGS) or ""])
            case _:
                if not fields.flag("night"):
                    raise fields.error('"night" must be true')
                return Night()

    def _read_said(self, fields: ScriptFields) -> Action:
        fields.refuse_unknown((*_EVERY, *MESSAGE_KEYS), "a message")
        comment = fields.text("comment")
        if comment is not None and not any(fields.has(key) for key in (*_EVERY[:-1], *MESSAGE_KEYS)):
            return Comment(comment)
        person, media = self._people.person(fields), fields.one_of("media", MEDIA)
        said = Say(
            person,
            _words(fields, media),
            message_id=fields.positive("message_id"),
            is_admin=fields.flag("is_admin"),
            reply_to=fields.positive("reply_to"),
            quote=fields.text("quote"),
            external_reply=self._people.origin(fields, "external_reply"),
            forwarded=self._read_forwarded(fields),
            topic=fields.positive("topic"),
            via_bot=(fields.text("via_bot") or "").removeprefix("@") or None,
            sender_chat=fields.integer("sender_chat"),
            media=media,
            private=fields.flag("private"),
        )
        _check(fields, said)
        return said

    def _read_edit(self, fields: ScriptFields) -> Edit:
        message_id, text, caption = fields.positive("edit"), fields.text("text"), fields.text("caption")
        if (text is None) is (caption is None):
            raise fields.error('an edit has either the new "text" or the new "caption"')
        return Edit(self._people.person(fields), message_id or 0, text or caption or "", fields.flag("private"))

    def _read_press(self, fields: ScriptFields) -> PressButton:
        number = fields.positive("press") or 0
        return PressButton(self._people.person(fields), number, fields.positive("message_id"), fields.flag("private"))

    def _read_reaction(self, fields: ScriptFields) -> React:
        message_id = fields.positive("message_id")
        if message_id is None:
            raise fields.error('"message_id" does not say to which message the reaction is')
        return React(self._people.person(fields), message_id, fields.text("react") or "")

    def _read_forwarded(self, fields: ScriptFields) -> Origin | None:
        if fields.value("forwarded") in (None, False, True):
            return Origin(Person(1, "?"), hidden=True) if fields.flag("forwarded") else None
        return self._people.origin(fields, "forwarded")


def _words(fields: ScriptFields, media: str | None) -> str:
    """Return the text, or the caption of what has one."""
    text, caption = fields.text("text"), fields.text("caption")
    if media is None:
        if caption is not None:
            raise fields.error('"caption" belongs to "media"; without it, say "text"')
        if text is None:
            raise fields.error('"text" is missing')
        return text
    if text is not None:
        raise fields.error(f'what is said with a {media} is its "caption", not "text"')
    if caption and media not in CAPTIONED:
        raise fields.error(f"a {media} has no caption")
    return caption or ""


def _check(fields: ScriptFields, said: Say) -> None:
    if said.quote is not None and not (said.reply_to or said.external_reply):
        raise fields.error('"quote" needs "reply_to" or "external_reply": the message that is quoted')
    if said.quote == "":
        raise fields.error('"quote" is empty')
    if said.reply_to and said.external_reply:
        raise fields.error('"reply_to" and "external_reply" on one line; a message replies to one message')
    if said.private and (said.topic or said.sender_chat):
        raise fields.error("in private there are no topics, and nobody speaks as a chat")
    if said.sender_chat is not None and said.sender_chat >= 0:
        raise fields.error('"sender_chat" is the id of a group or channel, which is negative')
