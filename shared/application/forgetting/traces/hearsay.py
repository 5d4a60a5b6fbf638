"""Recognises what others retell of a member who is forgotten.

Before anything is erased, the member's names and telling words are noted as hashes; by these, what is stored already is
found here, and what comes later is left out where messages are read (`hearing`). The hashes lie in the chat's document,
under one salt of the chat, and stay as tombstones do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.chats.consent_codec import hearsay_fields
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, facts_path, member_path, message_path
from shared.application.facts.codec import about, leaning_on, slot_id_of
from shared.application.forgetting.traces.scope import Scope
from shared.application.forgetting.traces.walk import Reference, collection_of, quotes
from shared.application.people.member_codec import StoredMember, read_member
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.domain.conversation.messages import Message
from shared.domain.forgetting.forgotten import Hearsay

_TOLD = frozenset(("value", "description", "wordings", "quote"))
"""Fields of a fact, however deep, that tell what is known."""


async def note_forgotten(app: App, scope: Scope, said: Sequence[Message]) -> Hearsay:
    """Note, in hashes, by what others' retellings of a member who is being forgotten are recognised.

    Idempotent: what an earlier run noted stays, also when that run has erased what it was noted from. What is returned
    is of this member alone, and empty when it is not known what they are called.
    """
    if scope.user_id is None:
        return Hearsay()
    from shared.domain.forgetting.forgotten import id_key
    from shared.domain.forgetting.telling import Gone, Living, erase_member

    user_id = scope.user_id
    member = await app.store.get(member_path(scope.chat_id, user_id))
    known = await app.store.query(facts_path(scope.chat_id), where=[about(f"user:{user_id}")])
    names, usernames = names_of(said, None if member is None else read_member(member))
    told = [text for document in known for text in _texts_of_fact(document.data)]
    own = [m.text for m in sorted(said, key=lambda m: m.sent_at, reverse=True) if m.may_teach]
    gone = Gone(user_id, scope.until, names, usernames, told, own)
    members = await app.store.query(f"{chat_path(scope.chat_id)}/members") if names else []
    others = [Living(int(m.id), *names_of((), read_member(m))) for m in members if m.id != str(user_id)]
    fresh = app.ids.token()

    async def note(tx: Transaction) -> Hearsay:
        chat = await tx.get(chat_path(scope.chat_id))
        before = read_chat(scope.chat_id, chat).hearsay
        salt = before.salt or fresh
        if not names:
            return before.of(id_key(user_id))
        person = erase_member(salt, gone, others, people=before.people + 1)
        after = before.with_erased(salt, person, id_key=id_key(user_id))
        if chat is not None:
            tx.write(Upsert(chat_path(scope.chat_id), hearsay_fields(after)))
        return after.of(id_key(user_id))

    noted = await app.store.transaction(note)
    app.chats.forget(scope.chat_id)
    return noted


def _texts_of_fact(value: Any) -> Iterator[str]:
    """Yield what a fact tells, with its other values."""
    for name, inner in value.items() if isinstance(value, Mapping) else ():
        if name in _TOLD:
            yield from [inner] if isinstance(inner, str) else (each for each in inner or () if isinstance(each, str))
        elif isinstance(inner, Mapping):
            yield from _texts_of_fact(inner)
        elif isinstance(inner, list):
            for each in inner:
                yield from _texts_of_fact(each)


def names_of(said: Iterable[Message], member: StoredMember | None) -> tuple[list[str], list[str]]:
    """Return the names and the usernames (without "@") of a member in their messages and their own document, sorted."""
    named: list[Message | StoredMember] = [*said, *([] if member is None else [member])]
    usernames = {each.username for each in named} | set(() if member is None else member.usernames_seen)
    return sorted({each.name for each in named if each.name}), sorted(name for name in usernames if name)


class Retold:
    """Collects, from a stream of a chat's documents, the messages in which others retell a forgotten member.

    Attributes:
        messages: Paths of the messages that retell, by id: they go. Also known by quotes in facts, when they are gone.
        quoting: Paths of those that retell only in what they quote, by id: they lose the quote.
    """

    def __init__(self, scope: Scope, hearsay: Hearsay) -> None:
        self._scope, self._hearsay = scope, hearsay
        self.messages: dict[int, str] = {}
        self.quoting: dict[int, str] = {}

    def see(self, document: Document) -> None:
        """Look at one document of the chat."""
        if not self._hearsay:
            return
        kind = collection_of(document)
        if kind == "messages":
            message = read_message(document).message
            if self._hearsay.retold_in(replace(message, quote=None)):
                self.messages[message.message_id] = document.path
            elif message.quote is not None and self._hearsay.retold_in(message):
                self.quoting[message.message_id] = document.path
        elif kind == "facts":
            for quote in quotes(document.data):
                if not self._scope.covers_reference(quote) and (message_id := self._retold_by(quote)) is not None:
                    self.messages[message_id] = message_path(self._scope.chat_id, message_id)

    def _retold_by(self, quote: Reference) -> int | None:
        """Return the id of the message that a quote is from when it retells the member."""
        if quote.message_id is None or quote.user_id is None or quote.said_at is None:
            return None
        said = Message(self._scope.chat_id, quote.message_id, quote.said_at, quote.user_id, "", text=quote.quote or "")
        return quote.message_id if self._hearsay.retold_in(said) else None


async def facts_from(store: DocumentStore, chat_id: int, message_ids: Iterable[int]) -> set[str]:
    """Return the ids of the facts that lean on any of these messages."""
    found = [await store.query(facts_path(chat_id), where=[leaning_on(each)]) for each in message_ids]
    return {slot_id_of(document) for documents in found for document in documents}
