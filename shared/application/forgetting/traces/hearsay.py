"""What others retell of a member who is forgotten: noted in hashes before anything is erased, found in what is stored.

What comes later is left out where messages are read (`hearing`); here is what makes that possible. The hashes lie in
the chat's document, under one salt of the chat, and stay as tombstones do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.documents import (
    chat_path,
    facts_path,
    member_path,
    message_from_fields,
    message_path,
)
from shared.application.forgetting.traces.scope import Scope, references
from shared.application.ports.store import Document, DocumentStore, Filter, Transaction, Upsert
from shared.domain.conversation.messages import Message
from shared.domain.forgetting.forgotten import Hearsay

_TOLD = frozenset(("value", "description", "wordings", "quote"))
"""Fields of a fact, however deep, that tell what is known."""


async def note_forgotten(app: App, scope: Scope, said: Sequence[Document]) -> Hearsay:
    """Keep of a member who is being forgotten by what others' retellings of them are recognised.

    Repeats harmlessly: what an earlier run noted stays, also when it has erased what it was noted from.

    Returns:
        This member alone, as noted; empty when it is not known what they are called.
    """
    if scope.user_id is None:
        return Hearsay()
    from shared.domain.forgetting.origins import id_key
    from shared.domain.forgetting.telling import Gone, erase_member

    user_id = scope.user_id
    member = await app.store.get(member_path(scope.chat_id, user_id))
    known = await app.store.query(facts_path(scope.chat_id), where=[Filter("subject", "==", f"user:{user_id}")])
    names, usernames = _names_in([*said, *([member] if member is not None else [])])
    gone = Gone(
        user_id,
        scope.until,
        names,
        usernames,
        [text for document in known for text in _texts_of_fact(document.data)],
        _words_of(said),
    )
    others = await _others(app.store, scope.chat_id, user_id) if names else []
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
            tx.write(Upsert(chat_path(scope.chat_id), {"hearsay": after.fields()}))
        return after.of(id_key(user_id))

    noted = await app.store.transaction(note)
    app.chats.forget(scope.chat_id)
    return noted


def _names_in(documents: Iterable[Document]) -> tuple[list[str], list[str]]:
    names, usernames = set[str](), set[str]()
    for document in documents:
        names |= {document.data.get("name") or ""}
        usernames |= {document.data.get("username") or "", *document.data.get("usernames_seen", ())}
    return sorted(names - {""}), sorted(usernames - {""})


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


def _words_of(said: Sequence[Document]) -> list[str]:
    """Return what somebody said themselves, the latest first."""
    own = [message_from_fields(0, document.data) for document in said]
    return [m.text for m in sorted(own, key=lambda m: m.sent_at, reverse=True) if m.may_teach]


async def _others(store: DocumentStore, chat_id: int, user_id: int) -> list[Any]:
    from shared.domain.forgetting.telling import Living

    members = await store.query(f"{chat_path(chat_id)}/members")
    found = []
    for document in members:
        if document.id != str(user_id):
            names, usernames = _names_in([document])
            found.append(Living(int(document.id), names, usernames))
    return found


class Retold:
    """Looks for what others retell of a member in documents that stream by.

    Attributes:
        messages: Those of others that do, by id: they go. Also by quotes in facts whose messages are gone.
        quoting: Those that do only by what they quote: they lose it.
    """

    def __init__(self, scope: Scope, hearsay: Hearsay) -> None:
        self._scope, self._hearsay = scope, hearsay
        self.messages: dict[int, str] = {}
        self.quoting: dict[int, str] = {}

    def see(self, document: Document) -> None:
        """Look at one document of the chat."""
        if not self._hearsay:
            return
        kind, data = document.path.split("/")[2], document.data
        if kind == "messages":
            message = message_from_fields(self._scope.chat_id, data)
            if self._hearsay.retold_in(replace(message, quote=None)):
                self.messages[message.message_id] = document.path
            elif message.quote is not None and self._hearsay.retold_in(message):
                self.quoting[message.message_id] = document.path
        elif kind == "facts":
            for quote in references(data):
                if "quote" in quote and not self._scope.covers_fields(quote) and self._is_retold(quote):
                    self.messages[quote["message_id"]] = message_path(self._scope.chat_id, quote["message_id"])

    def _is_retold(self, quote: Mapping[str, Any]) -> bool:
        said = Message(
            self._scope.chat_id, quote["message_id"], quote["sent_at"], quote["user_id"], "", text=quote["quote"]
        )
        return self._hearsay.retold_in(said)


async def facts_from(store: DocumentStore, chat_id: int, message_ids: Iterable[int]) -> set[str]:
    """Ids of the facts that lean on any of these messages."""
    found: set[str] = set()
    for message_id in message_ids:
        leaning = [Filter("evidence_message_ids", "array_contains", message_id)]
        for document in await store.query(facts_path(chat_id), where=leaning):
            found.add(document.data["conflicts_with"] or document.id)
    return found
