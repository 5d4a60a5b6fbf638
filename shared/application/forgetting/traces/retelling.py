"""Finds which of the bot's messages were made with somebody's words or facts in view, whatever words they use.

What the model was given for an answer is stored in `answers`; any other message of the bot says in `people` whose
words and facts it shows. An answer goes when it was given something that is to be forgotten, a summary of talk in which
that stands, or another answer that goes, which it may repeat. Where it is no longer known what an answer was given, it
goes as well. Pure.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from shared.application.answering.answer_codec import AnswerSources, read_sources
from shared.application.app import App
from shared.application.chats.chat_codec import read_chat
from shared.application.chats.settings_codec import hearsay_fields
from shared.application.conversation.message_codec import StoredMessage, read_message
from shared.application.documents import chat_path, facts_path, member_path, message_path
from shared.application.facts.codec import about, depending_on, slot_id_of
from shared.application.forgetting.traces.scope import ForgottenWords, Reference, Scope, collection_of, quotes, texts
from shared.application.people.member_codec import StoredMember, read_member
from shared.application.ports.store import Document, DocumentStore, Transaction, Upsert
from shared.domain.conversation.messages import Message
from shared.domain.errors import GoesOnElsewhere
from shared.domain.forgetting.forgotten import Hearsay, id_key

_RANGE = re.compile(r"(?:\d+-)??(-?\d+)-(-?\d+)")
"""Ids of the first and the last message of a note, by its id; before them a meta summary's level."""


class _Answered(NamedTuple):
    id: str
    path: str
    is_theirs: bool
    sources: AnswerSources


@dataclass(slots=True)
class Retellings:
    """Collects what the bot said, and from what, and tells which of it goes.

    Grows with the answers of the retention time: some ids each.

    Attributes:
        scope: What is to be forgotten. It names no member when the member only opts out: then it holds the ids of their
            messages.
        whose: The member whose words and facts they are, or None when only messages are meant.
        words: What was said, as far as nobody else has said it.
        noted_until: From this instant on summaries hold nothing of what was to be forgotten, so answers that were given
            these later stay; None while summaries still may.
        made_with: Finds the ids of the notes that were made with any of some messages, wherever in their call.
    """

    scope: Scope
    whose: int | None
    words: ForgottenWords
    noted_until: datetime | None = None
    made_with: Callable[[frozenset[int]], Collection[str]] = lambda _: ()
    _answers: list[_Answered] = field(default_factory=list)
    _said: dict[str, dict[int, str]] = field(default_factory=dict)

    def answers(self, stored: StoredMessage) -> bool:
        """Return whether a message of the bot replies to what is to be forgotten.

        A member who only opts out keeps what they were told.
        """
        opts_out = self.scope.user_id is None and self.whose is not None
        return not opts_out and stored.message.reply_to in self.scope.message_ids

    def shows(self, stored: StoredMessage) -> bool:
        """Return whether a message of the bot that no model made shows their words or facts."""
        return self.whose in stored.people and stored.received_at <= self.scope.until

    def add_message(self, path: str, stored: StoredMessage) -> None:
        """Take note of a message of the bot."""
        for each in stored.answer_ids:
            self._said.setdefault(each, {})[stored.message.message_id] = path

    def add_answer(self, document: Document) -> None:
        """Take note of what an answer was made from."""
        sources = read_sources(document)
        is_theirs = self._is_theirs(document, sources)
        if self.noted_until is not None and self.noted_until < sources.made_at:
            sources = sources._replace(note_ids=())
        self._answers.append(_Answered(document.id, document.path, is_theirs, sources))

    def _is_theirs(self, document: Document, sources: AnswerSources) -> bool:
        scope = self.scope._replace(user_id=self.whose)
        if scope.is_named_in(document.data) or self.words.occur_in_any(texts(document.data)):
            return True
        # Memories that were left out of the record have no times of their own.
        is_named = self.whose in sources.people and (sources.made_at <= scope.until or sources.left_out > 0)
        return is_named or scope.subject in sources.subjects

    def find(self, gone: Collection[int], fact_ids: Collection[str]) -> tuple[set[str], dict[int, str]]:
        """Find the answers that go, by path, and their messages, by id.

        Args:
            gone: Messages that go.
            fact_ids: Facts in which the member is quoted.
        """
        known = {answer.id for answer in self._answers}
        found = {each: path for name, said in self._said.items() if name not in known for each, path in said.items()}
        paths, left, more = set[str](), self._answers, True
        while more:
            ids = frozenset({*gone, *found})
            ordered, notes = sorted(ids), frozenset(self.made_with(ids))
            going = [answer for answer in left if _goes(answer, ids, ordered, fact_ids, notes)]
            paths |= {answer.path for answer in going}
            left = [answer for answer in left if answer.path not in paths]
            told = [said for answer in going if (said := self._said.get(answer.id))]
            for said in told:
                found |= said
            more = bool(told)
        return paths, found


def _goes(
    answer: _Answered, gone: Set[int], ordered: Sequence[int], fact_ids: Collection[str], notes: Set[str]
) -> bool:
    given = answer.sources
    told = not gone.isdisjoint(given.message_ids) or not notes.isdisjoint(given.note_ids)
    leans = told or not given.fact_ids.isdisjoint(fact_ids)
    return answer.is_theirs or leans or any(_is_about(note_id, ordered) for note_id in given.note_ids)


def _is_about(note_id: str, ordered: Sequence[int]) -> bool:
    """Return whether a note is about any of some messages; one with an id of another form is about all."""
    parts = _RANGE.fullmatch(note_id)
    first, last = (-(2**63), 2**63) if parts is None else (int(parts[1]), int(parts[2]))
    return bisect_left(ordered, first) < bisect_right(ordered, last)


_TOLD = frozenset(("value", "description", "wordings", "quote"))
"""Fields of a fact, however deep, that tell what is known."""


async def note_forgotten(app: App, scope: Scope, said: Sequence[Message]) -> Hearsay:
    """Note, in hashes, by what others' retellings of a member who is being forgotten are recognised.

    Idempotent: what an earlier run noted stays, also when that run has erased what it was noted from. What is returned
    is of this member alone, and empty when it is not known what they are called.
    """
    if scope.user_id is None:
        return Hearsay()
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
        state = read_chat(scope.chat_id, chat)
        if state.migrated_to is not None:
            raise GoesOnElsewhere(f"chat {scope.chat_id} goes on as {state.migrated_to}")
        before = state.hearsay
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
                if not self._scope.covers_reference(quote) and (message_id := self._retelling_id(quote)) is not None:
                    self.messages[message_id] = message_path(self._scope.chat_id, message_id)

    def _retelling_id(self, quote: Reference) -> int | None:
        """Return the id of the message that a quote is from when it retells the member."""
        if quote.message_id is None or quote.user_id is None or quote.said_at is None:
            return None
        said = Message(self._scope.chat_id, quote.message_id, quote.said_at, quote.user_id, "", text=quote.quote or "")
        return quote.message_id if self._hearsay.retold_in(said) else None


async def facts_from(store: DocumentStore, chat_id: int, message_ids: Iterable[int]) -> set[str]:
    """Return the ids of the facts that lean on any of these messages."""
    found = [await store.query(facts_path(chat_id), where=[depending_on(each)]) for each in message_ids]
    return {slot_id_of(document) for documents in found for document in documents}
