"""The local chat: what its members do becomes updates, and these take the way of Telegram's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from infra.local.assembly import Local
from infra.local.chat.composing import compose, edit_message
from infra.local.chat.delivering import deliver
from infra.local.chat.messenger import Impossible, Messenger
from infra.local.chat.raw_updates import (
    LocalChat,
    Person,
    button_update,
    member_update,
    reaction_update,
    speaker_json,
    text_json,
)
from infra.local.events import Done, Line, LineEdited, Listener, Notice
from infra.local.night import counts_as_text, run_night
from infra.local.script.steps import Action, Comment, Edit, Member, Night, PressButton, React, Say
from infra.telegram.updates import parse_update
from shared.application.conversation.message_codec import read_message
from shared.application.documents import messages_path
from shared.application.intake.questions import calls_for_an_answer

_BECOMES = {
    "joined": "member",
    "left": "left",
    "banned": "kicked",
    "administrator": "administrator",
    "member": "member",
}
"""Memberships by a script's word: the status of the Bot API."""

_SECOND = timedelta(seconds=1)

_HAPPENED = {
    "joined": "joined",
    "left": "left",
    "banned": "was banned",
    "administrator": "is an administrator now",
    "member": "is an administrator no more",
}


class Room:
    """One chat of a local run, and the private chats of its members with the bot.

    Args:
        ahead: Whether everything that was said is extracted before the bot is asked something, as if the chat had
            been idle: for replays, where nobody waits.
        is_excerpt: Messages may reply to what is not there.
    """

    def __init__(
        self,
        local: Local,
        messenger: Messenger,
        listener: Listener,
        chat: LocalChat,
        *,
        ahead: bool,
        is_excerpt: bool = False,
    ) -> None:
        self.chat = chat
        self._local = local
        self._messenger = messenger
        self._listener = listener
        self._ahead = ahead
        self._is_excerpt = is_excerpt
        self._last_update = 0

    async def recall(self) -> dict[str, int]:
        """Go on where an earlier run ended: administrators, who wrote what; the members' ids by name."""
        state = await self._local.app.chats.state(self.chat.chat_id)
        found, ids = await self._local.observer.query(messages_path(self.chat.chat_id)), dict[str, int]()
        for document in found:
            stored = read_message(document)
            said = stored.message
            person = Person(said.user_id, said.name, said.username, said.is_bot)
            message = {"message_id": said.message_id, "chat": self.chat.to_json()}
            message["date"] = int(said.sent_at.timestamp())
            self._messenger.keep(message | speaker_json(person, self.chat) | text_json(said.text, caption=False))
            self._local.clock.reach(stored.received_at + self._local.app.policy.window)
            if not person.is_bot:
                ids[person.name] = person.user_id
        self._messenger.open_chat(self.chat, admins=state.admins)
        return ids

    async def make_admin(self, person: Person) -> None:
        """Give somebody the rights of an administrator, unless they have them."""
        if self._messenger.status(self.chat.chat_id, person.user_id) != "administrator":
            await self.change_member(Member(person, "administrator"))
            self._local.clock.skip(_SECOND)  # dates are whole seconds, and what they say now is said with these rights

    async def take(self, action: Action) -> Done:
        """Have something done.

        Raises:
            Impossible: Telegram does not allow it.
            TransientError: Something is down.
        """
        match action:
            case Say():
                return await self.say(action)
            case Edit():
                return await self.edit(action)
            case PressButton():
                return await self.press(action)
            case React():
                return await self.react(action)
            case Member():
                return await self.change_member(action)
            case Night():
                return await self.night()
            case Comment():
                return Done("a comment", self.chat.chat_id)

    async def say(self, said: Say) -> Done:
        """Deliver a message to this chat, or to the private one of its author."""
        chat = self._chat(said.person, private=said.private, writes=said.private)
        self._check_speaker(chat, said)
        message_id = said.message_id
        if message_id is None:
            message_id = await self._messenger.next_id(chat.chat_id)
        elif self._messenger.message(chat.chat_id, message_id) is not None:
            raise Impossible(f"message {message_id} stands there already")
        self._messenger.keep_id(chat.chat_id, message_id)
        message = self._compose(chat, said, message_id)
        self._listener(
            Line(
                chat.chat_id,
                message_id,
                said.person.name,
                f"[{said.media}] {said.text}".strip() if said.media else said.text,
                said.reply_to,
                is_bot=said.person.is_bot,
                is_admin=said.is_admin,
                private_to=said.person.name if said.private else "",
            )
        )
        if self._ahead and self._calls_for_an_answer(message):
            await self._local.worker.settle(chat.chat_id)
            message = self._compose(chat, said, message_id)  # it is said now, after the pause
        self._messenger.keep(message)
        return await self._deliver({"update_id": self._update_id(), "message": message}, chat.chat_id, message_id)

    def _compose(self, chat: LocalChat, said: Say, message_id: int) -> dict[str, Any]:
        now = self._local.clock.now()
        return compose(self._messenger, chat, said, message_id, now, is_excerpt=self._is_excerpt)

    def _check_speaker(self, chat: LocalChat, said: Say) -> None:
        self._messenger.act(chat.chat_id, said.person)
        is_admin = self._messenger.status(self.chat.chat_id, said.person.user_id) == "administrator"
        if said.is_admin and not is_admin and said.person.user_id > 0:
            raise Impossible(
                f'{said.person.name} is no administrator now; {{"member": "administrator"}} makes them one'
            )
        if said.sender_chat == chat.chat_id and not is_admin:
            raise Impossible(f"{said.person.name} is no administrator, and only these speak as the group itself")

    async def edit(self, edit: Edit) -> Done:
        """Change a message of somebody's own."""
        chat = self._chat(edit.person, private=edit.private)
        self._messenger.act(chat.chat_id, edit.person)
        message = edit_message(self._message(chat, edit.message_id), edit.person, edit.text, self._local.clock.now())
        self._messenger.keep(message)
        self._listener(LineEdited(chat.chat_id, edit.message_id, edit.text, author=edit.person.name))
        raw = {"update_id": self._update_id(), "edited_message": message}
        return await self._deliver(raw, chat.chat_id, edit.message_id)

    async def press(self, press: PressButton) -> Done:
        """Press a button of the bot's."""
        private = self._chat(press.person, private=True)
        places = (private.chat_id,) if press.private else (self.chat.chat_id, private.chat_id)
        found = self._messenger.keyboard(places, press.message_id)
        if found is None:
            where = "" if press.message_id is None else f" under message {press.message_id}"
            raise Impossible(f"{press.person.name} sees no button{where}")
        chat_id, message_id, buttons = found
        self._messenger.act(chat_id, press.person)
        if not 1 <= press.number <= len(buttons):
            count = "one button" if len(buttons) == 1 else f"{len(buttons)} buttons"
            raise Impossible(f"there is no button {press.number}: message {message_id} has {count}")
        button = buttons[press.number - 1]
        self._listener(Notice(f"{press.person.name} pressed [{button.label}]"))
        shown = self._message(self.chat if chat_id == self.chat.chat_id else private, message_id)
        raw = button_update(self._update_id(), press.person, shown, button.data)
        return await self._deliver(raw, chat_id, message_id)

    async def react(self, reaction: React) -> Done:
        """Let somebody's reaction to a message of the group be another one."""
        person, chat, message_id = reaction.person, self.chat, reaction.message_id
        self._messenger.act(chat.chat_id, person)
        self._message(chat, message_id)
        before = self._messenger.react(chat.chat_id, message_id, person.user_id, reaction.emoji)
        if before == reaction.emoji:
            said = f"{before} already" if before else "none, so there is none to take back"
            raise Impossible(f"{person.name}'s reaction to message {message_id} is {said}")
        what = f"reacted {reaction.emoji} to" if reaction.emoji else "took the reaction back from"
        self._listener(Notice(f"{person.name} {what} {message_id}"))
        now = self._local.clock.now()
        raw = reaction_update(self._update_id(), chat, person, message_id, now, before, reaction.emoji)
        return await self._deliver(raw, chat.chat_id, message_id)

    async def change_member(self, member: Member) -> Done:
        """Let somebody come, go, or be given or lose the rights of an administrator."""
        person, chat_id, new = member.person, self.chat.chat_id, _BECOMES[member.standing]
        old = self._messenger.status(chat_id, person.user_id) or ("left" if member.standing == "joined" else "member")
        if member.standing == "member" and old != "administrator":
            raise Impossible(f"{person.name} is no administrator, so there are no rights to lose")
        if (old in ("member", "administrator")) if member.standing == "joined" else old == new:
            raise Impossible(f"{person.name} is {_describe_status(old)} already")
        if member.standing in ("left", "administrator") and old in ("left", "kicked"):
            raise Impossible(f"{person.name} is not in the chat")
        self._messenger.set_status(chat_id, person.user_id, new)
        self._listener(Notice(f"{person.name} {_HAPPENED[member.standing]}"))
        raw = member_update(self._update_id(), self.chat, person, self._local.clock.now(), old, new)
        return await self._deliver(raw, chat_id)

    async def night(self) -> Done:
        """Have all that was said read, and run all jobs of the night."""
        for chat_id in sorted(self._messenger.spoken_in):
            await self._local.worker.settle(chat_id)
        counts = await run_night(self._local)
        self._listener(Notice(f"Night: {counts_as_text(counts)}"))
        return Done("night", self.chat.chat_id, night=counts)

    def _chat(self, person: Person, *, private: bool, writes: bool = False) -> LocalChat:
        """Return this chat, or the bot's private one with somebody."""
        chat = self._messenger.meet(person, writes=writes)
        return chat if private else self.chat

    def _message(self, chat: LocalChat, message_id: int) -> Mapping[str, Any]:
        found = self._messenger.message(chat.chat_id, message_id)
        if found is None:
            raise Impossible(f"there is no message {message_id}")
        return found

    def _calls_for_an_answer(self, message: Mapping[str, Any]) -> bool:
        update = parse_update({"update_id": 1, "message": message})
        return calls_for_an_answer(update, self._local.app.policy)

    async def _deliver(self, raw: Mapping[str, Any], chat_id: int, message_id: int | None = None) -> Done:
        return Done(await deliver(self._local, raw, self._listener), chat_id, message_id)

    def _update_id(self) -> int:
        """Return microseconds since 1970, so that no later run uses one again: an update is answered once."""
        self._last_update = max(self._last_update + 1, int(self._local.clock.now().timestamp() * 1e6))
        return self._last_update


def _describe_status(status: str) -> str:
    """Return a status of the Bot API for people."""
    return {"member": "a member", "administrator": "an administrator", "left": "gone", "kicked": "banned"}[status]
