"""The administrators of a chat, as Telegram tells them; asked at most once an hour per chat by the worker, more often
where fresher knowledge is needed."""

import logging
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple, NoReturn

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState, chat_fields
from shared.application.chats.state import Chats
from shared.domain.conversation.messages import Message
from shared.domain.errors import ChatMigrated, ChatUnavailable, GoesOnElsewhere, PermanentError
from shared.domain.intake.updates import AdminChanged, UpdateOutcome, UpdateResult
from shared.domain.people.admin_history import AdminNote, join_notes, notes_of_list, was_admin

log = logging.getLogger(__name__)

_FRESH = timedelta(hours=1)

_SKEW = timedelta(minutes=1)
"""A list counts as newer than a change that Telegram tells only by so much: their clock is not ours."""


async def chat_admins(app: App, state: ChatState, *, within: timedelta = _FRESH) -> frozenset[int]:
    """User ids of the chat's administrators, and the chat's own id (anonymous admins speak as the chat).

    When Telegram does not answer, what was known last is used, but not where it has to be asked now; when nothing was
    ever known, the error passes through.

    Args:
        within: How old Telegram's word may be; zero to ask now.

    Raises:
        ChatUnavailable: Telegram is out of reach, and nothing is known that would do; or the chat goes on under another
            id, for which to ask again.
    """
    if state.chat_id > 0:
        return frozenset({state.chat_id})
    now, asked = app.clock.now(), state.admins_checked_at
    if asked is not None and timedelta(0) <= now - asked < within:  # another instance's clock may be ahead
        return await _read_noted_admins(app.chats, state)
    try:
        admins = await app.gateway.administrators(state.chat_id)
    except ChatUnavailable:
        if not within or (asked is None and not state.admins):
            raise
        return await _read_noted_admins(app.chats, state)
    except ChatMigrated as error:
        await go_on_elsewhere(app, state.chat_id, error)
    except PermanentError as error:
        log.warning("nobody knows the administrators: %s", error)
        admins = frozenset()
    await _note_list(app.chats, state, admins, now)
    return admins | {state.chat_id}


async def _read_noted_admins(chats: Chats, state: ChatState) -> frozenset[int]:
    """Return who administrates as the store has it now: another instance may just have been told of a demotion."""
    return (await chats.state(state.chat_id, fresh=True)).admins | {state.chat_id}


async def _note_list(chats: Chats, state: ChatState, admins: frozenset[int], now: datetime) -> None:
    """Keep what a list says, and who came and who went since the one before."""
    known = chat_fields(admins=admins, admins_checked_at=now)
    if admins == state.admins:
        await chats.change(state.chat_id, known)
        return

    def note(before: ChatState) -> dict[str, Any]:
        news = notes_of_list(before.admins, before.admins_checked_at, admins, now)
        history = chat_fields(admin_history=join_notes(before.admin_history, news)) if news else {}
        return {**known, **history}

    with suppress(GoesOnElsewhere):  # who administrates a group that moves meanwhile is asked under its new id
        await chats.amend(state.chat_id, note)


async def admin_changed(chats: Chats, update: AdminChanged) -> UpdateOutcome:
    """Note at once that somebody became an admin or is none any more; what became of it."""
    state = await chats.current(update.chat.chat_id)
    await note_admin(chats, state.chat_id, AdminNote(update.at, update.user_id, update.is_admin, told=True))
    return UpdateOutcome(UpdateResult.ADMIN, "promoted" if update.is_admin else "demoted")


async def note_admin(chats: Chats, chat_id: int, told: AdminNote) -> None:
    """Keep what Telegram told of one admin: it holds at once, also against a list that is not old yet.

    Whatever order changes are told in, the newest decides who is an admin now, and a list that was read since.
    """

    def note(state: ChatState) -> dict[str, Any]:
        notes = [told]
        if state.admins_checked_at is not None and state.admins_checked_at > told.at + _SKEW:
            notes.append(AdminNote(state.admins_checked_at, told.user_id, told.user_id in state.admins, told=False))
        history = join_notes(state.admin_history, notes)
        newest = max(each for each in history if each.user_id == told.user_id)
        admins = state.admins | {told.user_id} if newest.is_admin else state.admins - {told.user_id}
        return chat_fields(admins=admins, admin_history=history)

    await chats.amend(chat_id, note)


# --- who was one when it was said ---------------------------------------------------------------


class AdminRecord(NamedTuple):
    """The people who may lay down rules in a chat: by who they were when they said it (law 5).

    Attributes:
        now: Who administrates it now, and the chat itself (`chat_admins`).
    """

    now: frozenset[int]
    history: tuple[AdminNote, ...] = ()

    def with_rights(self, message: Message) -> Message:
        """The message with whether its author was an admin when they sent it and when it got its words, if it is known.

        Both: nobody decrees by what they said before they were one, nor by what they edit when they are none any more.
        """
        if message.is_admin is True or message.user_id == message.chat_id:
            return message
        then = [was_admin(self.history, message.user_id, at) for at in (message.sent_at, message.worded_at)]
        if then == [None, None]:
            return message
        return replace(message, is_admin=all(message.user_id in self.now if was is None else was for was in then))

    def may_rule(self, message: Message) -> bool:
        """Return whether an admin who may lay down rules said the message."""
        return self.with_rights(message).is_by_admin(self.now)


async def admin_record(app: App, state: ChatState) -> AdminRecord:
    """Return who decrees in a chat, now and before.

    Raises:
        ChatUnavailable: As `chat_admins`.
    """
    return AdminRecord(await chat_admins(app, state), (await app.chats.state(state.chat_id)).admin_history)


async def go_on_elsewhere(app: App, chat_id: int, error: ChatMigrated) -> NoReturn:
    """Have a chat go on under the id that Telegram names.

    Raises:
        ChatUnavailable: Always; asked again, its members are those there.
    """
    from shared.application.chats.migration import begin_migration

    await begin_migration(app, chat_id, error.new_chat_id)
    raise ChatUnavailable(f"chat {chat_id} goes on as {error.new_chat_id}") from error
