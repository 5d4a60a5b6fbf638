"""The memory of one group under whatever its members do, held against a model so simple that one sees that it is right.

The model keeps, for each statement, which messages say it, and which value they name. A fact is there while one of them
stands, and holds what the newest says; what it held before is back when that goes. About the chat members vote: as many
as make a consensus, and more than are for it, close it as long as that is their last word. Forgetting a member takes
what they said, told and voted; forgetting or editing a message takes that message; forgetting the chat takes all. Of
who opted out nothing more is heard, and what was learnt before stays.
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
from shared.application.facts.moderation import vote
from shared.application.forgetting.consent import apply_consent, opt_out
from shared.application.forgetting.forget import forget_chat, forget_member, forget_messages
from shared.application.intake.receive import receive_update
from shared.application.ports.store import DocumentStore
from shared.application.schedule import Schedule
from shared.domain.facts.change import Cause
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate, Fact
from tests.support import updates
from tests.support.exports import app_on
from tests.support.queues import SteppedClock

CHAT = updates.CHAT_ID
MEMBERS = {101: "Ольга", 102: "Тарас", 103: "Мирослава"}
CONSENSUS = 2
STATEMENTS = {
    "drink": ("preference", ("люблю вівсяну каву", "вівсяна кава"), ("люблю м'ятний чай", "м'ятний чай")),
    "town": ("personal_info", ("мешкаю в Чернівцях", "чернівці"), ("мешкаю в Одесі", "одеса")),
    "craft": ("skill", ("ремонтую годинники", "ремонт годинників"), ("шию вітрила", "пошиття вітрил")),
}
"""What a member says of themselves, by key: its category, and two of their words with the value."""

CUSTOM = "feast"
"""The key of what is said of the chat, with one value that all share."""

_OF_CHAT = ("tradition", ("щонеділі в нас вареники", "вареники щонеділі"))


class Told(NamedTuple):
    """A message that says something.

    Attributes:
        which: Which of the two values.
        at: When it was said.
        secret: A word that nobody else says: by it one sees that nothing is left.
    """

    message_id: int
    user_id: int
    key: str
    which: int
    at: datetime
    secret: str

    @property
    def subject(self) -> str:
        """Whom it is about."""
        return "chat" if self.key == CUSTOM else f"user:{self.user_id}"

    @property
    def text(self) -> str:
        """The message."""
        return f"{self.words} {self.secret}"

    @property
    def words(self) -> str:
        """What is said, without the secret."""
        return self._said[0]

    @property
    def value(self) -> str:
        """What is to be believed then."""
        return self._said[1]

    @property
    def category(self) -> str:
        """What kind of fact it is."""
        return _OF_CHAT[0] if self.key == CUSTOM else STATEMENTS[self.key][0]

    @property
    def _said(self) -> tuple[str, str]:
        return _OF_CHAT[1] if self.key == CUSTOM else STATEMENTS[self.key][1 + self.which]

    def candidate(self) -> Candidate:
        """What a reading finds in it."""
        quote = Evidence(self.at, self.message_id, self.user_id, self.text, 0.9)
        slot = (self.subject, self.category, self.key, self.value, self.words)
        return Candidate(*slot, 0.9, (quote,), single=True)


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
        policy = app.policy._replace(consensus=CONSENSUS)
        self._app = replace(app, queue=queue, policy=policy, schedule=Schedule(queue, clock, policy))
        self._clock = clock
        self._said: dict[int, Told] = {}
        self._votes: dict[int, tuple[datetime, bool]] = {}
        self._opted_out: set[int] = set()
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

    @rule(target=told, user_id=st.sampled_from(sorted(MEMBERS)), key=st.sampled_from([*sorted(STATEMENTS), CUSTOM]))
    def say(self, user_id: int, key: str) -> Told:
        """Somebody says something of themselves, or of the chat, and it is learnt."""
        return self._say(user_id, key, 0)

    @rule(target=told, told=told)
    def correct(self, told: Told) -> Told:
        """They say the other value."""
        return self._say(told.user_id, told.key, 1 - told.which)

    def _say(self, user_id: int, key: str, which: int) -> Told:
        self._number += 1
        self._clock.advance(timedelta(minutes=1))
        told = Told(self._number, user_id, key, which, self._clock.now(), f"слівце{self._number}щось")
        self._do(self._receive(told.text, told))
        self._do(learn_candidates(self._app, CHAT, [told.candidate()]))
        if user_id in self._opted_out:
            self._gone.append(told.secret)
        else:
            self._said[told.message_id] = told
        return told

    async def _receive(self, text: str, told: Told, *, edited: bool = False) -> None:
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
        self._do(learn_candidates(self._app, CHAT, [told.candidate()]))

    @rule(told=told)
    def edit(self, told: Told) -> None:
        """They say something else instead."""
        if told.message_id in self._said and told.user_id not in self._opted_out:
            self._clock.advance(timedelta(minutes=1))
            self._do(self._receive("нічого такого", told, edited=True))
            self._do(retract_message(self._app, CHAT, told.message_id, cause=Cause.EDITED))
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
        self._votes.pop(user_id, None)
        self._gone += [told.secret for told in mine]
        self._clock.advance(timedelta(minutes=5))

    @rule(user_ids=st.sets(st.sampled_from(sorted(MEMBERS)), min_size=1), supports=st.booleans())
    def vote(self, user_ids: set[int], supports: bool) -> None:
        """Members are for or against what is said of the chat, as far as it is known."""
        for fact in self._facts():
            for user_id in sorted(user_ids) if fact.subject == "chat" else ():
                self._clock.advance(timedelta(minutes=1))
                self._do(vote(self._app, CHAT, fact.id, user_id, supports=supports))
                if user_id not in self._opted_out:
                    self._votes[user_id] = (self._clock.now(), supports)

    @rule(user_id=st.sampled_from(sorted(MEMBERS)))
    def opt_out(self, user_id: int) -> None:
        """Somebody wants nothing of theirs heard any more, and its task runs."""
        self._clock.advance(timedelta(minutes=1))
        if self._do(opt_out(self._app, CHAT, user_id)):
            chosen = {"chat_id": CHAT, "user_id": user_id, "since": self._clock.now().isoformat()}
            self._do(apply_consent(self._app, chosen))
        self._opted_out.add(user_id)

    @rule()
    def forget_all(self) -> None:
        """The chat is to be forgotten; who opted out still has."""
        self._do(forget_chat(self._app, CHAT))
        self._gone += [told.secret for told in self._said.values()]
        self._said, self._votes = {}, {}
        self._clock.advance(timedelta(minutes=5))

    # --- What must hold ---

    @invariant()
    def believes_what_is_said(self) -> None:
        """There is a fact exactly where a message says it and no vote closes it: the newest value, with its newest
        message; and all messages of its slot, and no others, are quoted for one value or another."""
        slots: dict[tuple[str, str], list[Told]] = {}
        for told in self._said.values():
            slots.setdefault((told.subject, told.key), []).append(told)
        quoted = {slot: {each.message_id for each in all_} for slot, all_ in slots.items()}
        newest = {slot: max(all_, key=lambda each: each.at) for slot, all_ in slots.items()}
        facts = {(fact.subject, fact.key): fact for fact in self._facts()}
        found = {slot: {e.message_id for c in claims_of(fact) for e in c.evidence} for slot, fact in facts.items()}
        assert {slot: ids for slot, ids in found.items() if ids} == quoted
        held = {slot: fact for slot, fact in facts.items() if fact.evidence}
        assert held.keys() == {slot for slot in slots if slot[0] != "chat" or not self._is_voted_out()}
        for slot, fact in held.items():
            assert fact.value == newest[slot].value
            assert newest[slot].message_id in {e.message_id for e in fact.evidence} or slot[0] == "chat"

    def _is_voted_out(self) -> bool:
        """Return whether the last words about the chat are a consensus against it, and more than are for it."""
        last = dict(self._votes)
        for told in self._said.values():
            if told.key == CUSTOM:
                last[told.user_id] = max(last.get(told.user_id, (told.at, True)), (told.at, True))
        against = sum(not supports for _, supports in last.values())
        return against >= CONSENSUS and against > len(last) - against

    def _facts(self) -> list[Fact]:
        documents = self._do(self._store.query(facts_path(CHAT)))
        return [fact_from_fields(document.data | {"id": document.id}) for document in documents]

    @invariant()
    def quotes_are_verbatim(self) -> None:
        """Every quote stands in a message of who is said to have said it."""
        for fact in self._facts():
            for evidence in (each for claim in claims_of(fact) for each in claim.evidence):
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
