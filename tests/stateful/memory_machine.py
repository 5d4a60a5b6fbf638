"""The memory of one group under whatever its members do, held against a model so simple that one sees that it is right.

The model keeps, for each statement, which messages say it. A fact is there while one of them stands. Forgetting a
member takes what they said and what is told of them; forgetting or editing a message takes that message.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from infra.telegram.updates import parse_update
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, facts_path, message_path
from shared.application.facts.codec import fact_from_fields
from shared.application.facts.memory import learn_candidates, retract_message
from shared.application.forgetting.forget import forget_member, forget_messages
from shared.application.intake.receive import receive_update
from shared.application.ports.store import DocumentStore
from shared.application.schedule import Schedule
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from tests.support import updates
from tests.support.exports import app_on
from tests.support.queues import SteppedClock

CHAT = updates.CHAT_ID
MEMBERS = {101: "Ольга", 102: "Тарас", 103: "Мирослава"}
STATEMENTS = {
    "drink": ("preference", "люблю вівсяну каву", "вівсяна кава"),
    "town": ("personal_info", "мешкаю в Чернівцях", "чернівці"),
    "craft": ("skill", "ремонтую годинники", "ремонт годинників"),
}
"""What a member says of themselves, by key: its category, their words, the value."""


class Told(NamedTuple):
    """A message that says something.

    Attributes:
        secret: A word that nobody else says: by it one sees that nothing is left.
    """

    message_id: int
    user_id: int
    key: str
    secret: str


class _Queue:
    """Takes every task and runs none: what is looked at is the memory itself."""

    async def enqueue(self, task: Any) -> bool:
        del task
        return True


class MemoryMachine(RuleBasedStateMachine):
    """Real use cases on a real store; `open_store` makes an empty one for each example."""

    open_store: ClassVar[Callable[[], DocumentStore]]
    told = Bundle("told")

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._store = self._do(self._opened())
        clock = SteppedClock(datetime.fromtimestamp(updates.START, UTC))
        queue = _Queue()
        app = app_on(self._store, clock=clock)
        self._app = replace(app, queue=queue, schedule=Schedule(queue, clock, app.policy))
        self._clock = clock
        self._said: dict[int, Told] = {}
        self._updates = 0
        self._gone: list[str] = []
        self._number = 0

    async def _opened(self) -> DocumentStore:
        return type(self).open_store()

    def _do(self, work: Any) -> Any:
        return self._runner.run(work)

    def teardown(self) -> None:
        self._do(self._store.aclose())
        self._runner.close()

    # --- What members do ---

    @rule(target=told, user_id=st.sampled_from(sorted(MEMBERS)), key=st.sampled_from(sorted(STATEMENTS)))
    def say(self, user_id: int, key: str) -> Told:
        """Somebody says something of themselves, and it is learnt."""
        self._number += 1
        told = Told(self._number, user_id, key, f"слівце{self._number}щось")
        category, words, value = STATEMENTS[key]
        text = f"{words} {told.secret}"
        self._do(self._receive(text, told))
        at = self._clock.now()
        quote = Evidence(at, told.message_id, user_id, text, 0.9)
        slot = (f"user:{user_id}", category, key, value, f"{words}")
        self._do(learn_candidates(self._app, CHAT, [Candidate(*slot, 0.9, (quote,), single=True)]))
        self._said[told.message_id] = told
        return told

    async def _receive(self, text: str, told: Told, *, edited: bool = False) -> None:
        self._clock.advance(timedelta(minutes=1))
        sender = updates.user(told.user_id, MEMBERS[told.user_id])
        moment = {"edit_date": int(self._clock.now().timestamp())} if edited else {}
        update = updates.message_update(
            text,
            update_id=self._next_update(),
            message_id=told.message_id,
            sender=sender,
            date=int(self._clock.now().timestamp()),
            edited=edited,
            **moment,
        )
        await receive_update(self._app, parse_update(update))

    def _next_update(self) -> int:
        self._updates += 1
        return self._updates

    @rule(told=told)
    def repeat(self, told: Told) -> None:
        """The same is learnt once more, as by a task that runs again; of what is gone nothing comes back."""
        category, words, value = STATEMENTS[told.key]
        quote = Evidence(self._clock.now(), told.message_id, told.user_id, f"{words} {told.secret}", 0.9)
        slot = (f"user:{told.user_id}", category, told.key, value, f"{words}")
        self._do(learn_candidates(self._app, CHAT, [Candidate(*slot, 0.9, (quote,), single=True)]))

    @rule(told=told)
    def edit(self, told: Told) -> None:
        """They say something else instead."""
        if told.message_id in self._said:
            self._do(self._receive("нічого такого", told, edited=True))
            self._do(retract_message(self._app, CHAT, told.message_id, cause="edited"))
            del self._said[told.message_id]

    @rule(told=told)
    def forget_message(self, told: Told) -> None:
        """One message is to be forgotten."""
        self._do(forget_messages(self._app, CHAT, [told.message_id]))
        self._said.pop(told.message_id, None)
        self._gone.append(told.secret)

    @rule(user_id=st.sampled_from(sorted(MEMBERS)))
    def forget(self, user_id: int) -> None:
        """Somebody wants to be forgotten."""
        self._do(forget_member(self._app, CHAT, user_id))
        mine = [told for told in self._said.values() if told.user_id == user_id]
        for told in mine:
            del self._said[told.message_id]
        self._gone += [told.secret for told in mine]
        self._clock.advance(timedelta(minutes=5))

    # --- What must hold ---

    @invariant()
    def believes_what_is_said(self) -> None:
        """There is a fact exactly where a message says it, on exactly those messages."""
        wanted: dict[tuple[str, str], set[int]] = {}
        for told in self._said.values():
            wanted.setdefault((f"user:{told.user_id}", told.key), set()).add(told.message_id)
        documents = self._do(self._store.query(facts_path(CHAT)))
        facts = [fact_from_fields(document.data | {"id": document.id}) for document in documents]
        found = {(fact.subject, fact.key): {e.message_id for e in fact.evidence} for fact in facts if fact.evidence}
        assert found == wanted

    @invariant()
    def quotes_are_verbatim(self) -> None:
        """Every quote stands in a message of who is said to have said it."""
        for document in self._do(self._store.query(facts_path(CHAT))):
            for evidence in fact_from_fields(document.data | {"id": document.id}).evidence:
                stored = self._do(self._store.get(message_path(CHAT, evidence.message_id)))
                assert stored is not None
                message = read_message(stored).message
                assert evidence.quote in message.text
                assert message.user_id == evidence.user_id

    @invariant()
    def nothing_of_what_is_gone_is_left(self) -> None:
        """No document holds a word of what was forgotten."""
        everything = self._do(self._texts())
        assert [secret for secret in self._gone if secret in everything] == []

    async def _texts(self) -> str:
        found = [document.data async for document in self._store.subtree(chat_path(CHAT))]
        found += [document.data for document in await self._store.query("updates")]
        found += [document.data for document in await self._store.query("dead_letters")]
        return json.dumps(found, default=str, ensure_ascii=False)
