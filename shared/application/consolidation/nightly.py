"""Consolidation: the suggester finds items, the reviewer checks, merges and closes them, the committer writes.

Suggestions come from rules where no model reads the talk; what a model finds is in CONTEXT.md since it read it
(`model_lane`). Code verifies every quote and its author, whoever suggested it. A run that dies anywhere leaves the
document as it was; run again, it comes to the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import Method, choices_for
from shared.application.chats.context_codec import context_path
from shared.application.chats.job import JobResult
from shared.application.chats.migration import is_moving_in
from shared.application.consolidation.committing import ATTEMPTS, Plan, commit, usual_language
from shared.application.consolidation.context_file_codec import ContextFile, read_context_file
from shared.application.consolidation.talk import ReviewTalk, read_talk
from shared.application.conversation.consent_gate import may_speak
from shared.application.facts.profiles import subject_facts
from shared.application.spending.asking import OFFLINE
from shared.domain.consolidation.document import read_back
from shared.domain.consolidation.items import Item, Quote, Suggestion
from shared.domain.consolidation.merging import merge, next_end, settle
from shared.domain.consolidation.resolving import resolve_items
from shared.domain.consolidation.reviewing import Refused, verify
from shared.domain.consolidation.suggesting import suggest
from shared.domain.errors import Contention
from shared.domain.text.language import Language, detect_language

_DAY = timedelta(days=1)


class Rejection(NamedTuple):
    """Something that did not get into CONTEXT.md: what it says, and why in one word."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Consolidation:
    """One run, pass by pass.

    Attributes:
        before, after: CONTEXT.md before and after it.
        read: Messages that were read.
        suggested: What was suggested.
        refused: What of it did not stand.
        resolved: Items that are settled, each with the words that say so.
        made_by: "<model>/<prompt version>" of the last reading that changed it, or "offline".
        changed: Whether the words of CONTEXT.md changed.
        next_at: When an item will be too old, or None.
        more: There is more talk to read right now.
    """

    before: ContextFile = field(default_factory=ContextFile)
    after: ContextFile = field(default_factory=ContextFile)
    read: int = 0
    suggested: Sequence[Suggestion] = ()
    refused: Sequence[Rejection] = ()
    resolved: Sequence[tuple[Item, Quote]] = ()
    made_by: str = ""
    changed: bool = False
    next_at: datetime | None = None
    more: bool = False

    def continue_with(self, later: Consolidation) -> Consolidation:
        """This run and the one that went on where it ended, as one."""
        return replace(
            later,
            before=self.before,
            read=self.read + later.read,
            suggested=(*self.suggested, *later.suggested),
            refused=(*self.refused, *later.refused),
            resolved=(*self.resolved, *later.resolved),
            changed=self.changed or later.changed,
        )

    @property
    def counts(self) -> dict[str, int]:
        """Count for the log how much was read, suggested, refused and why, resolved, and is there now."""
        counts = {
            "read": self.read,
            "suggested": len(self.suggested),
            "resolved": len(self.resolved),
            "items": len(self.after.items),
            "written": int(self.changed),
        }
        why = Counter(f"refused_{rejection.reason}" for rejection in self.refused)
        return {name: count for name, count in (counts | why).items() if count}


async def consolidate_chat(app: App, state: ChatState) -> JobResult:
    """The nightly job `consolidate` of one chat.

    Raises:
        Contention: Something came between three times; run it again.
        StoreUnavailable: As the store.
    """
    done = await consolidate(app, state)
    return JobResult(done.counts, done.next_at, done.more)


async def consolidate(app: App, state: ChatState, *, dry_run: bool = False) -> Consolidation:
    """Bring a chat's CONTEXT.md up to date with what was said since the last time.

    A private chat is left alone, and so is one that is gone, has moved, or in which nothing was ever said; one into
    which another is still moving waits for its messages, which show what is in it.

    Args:
        dry_run: Do everything but write it.

    Raises:
        Contention: Something came between three times.
    """
    for _ in range(ATTEMPTS):
        if not state.known or state.migrated_to is not None or state.is_private(by_default=app.policy.private_mode):
            return Consolidation()
        if await is_moving_in(app.store, state.chat_id):
            return Consolidation(next_at=app.clock.now())
        reviewed = await _review(app, state)
        if reviewed is None:
            return Consolidation()
        plan, report = reviewed
        committed = await commit(app, state, plan, dry_run=dry_run)
        if committed is not None:
            tomorrow = app.clock.now() + _DAY
            end = next_end(committed.file.items, choices_for(app.policy, state).timezone)
            next_at = max(end, tomorrow) if end is not None else None
            return replace(report, after=committed.file, changed=committed.changed, next_at=next_at)
        state = await app.chats.state(state.chat_id, fresh=True)
    raise Contention(f"the context of chat {state.chat_id} changed {ATTEMPTS} times while it was consolidated")


async def _review(app: App, state: ChatState) -> tuple[Plan, Consolidation] | None:
    """The first two passes, and what to tell of them; None when there is nothing to look at."""
    document = await app.store.get(context_path(state.chat_id))
    before, now = read_context_file(document), app.clock.now()
    talk = await read_talk(app.store, app.clock, state, since=before.until)
    if document is None and talk.until is None:
        return None
    edited = read_back(before.text, before.items, language=before.language, now=now)
    known, closed, zone = edited.items, [*before.closed, *edited.dismissed], choices_for(app.policy, state).timezone
    now = now.astimezone(zone)
    language = _language(talk, usual=usual_language(state, before._replace(items=known)))
    suggested = list[Suggestion]()
    if talk.messages and (app.model is None or not choices_for(app.policy, state).method.includes(Method.MODEL)):
        facts = await subject_facts(app.store, app.policy, state, ["chat"], now=now)
        suggested += suggest(talk.whole, facts["chat"], zone=zone, language=language, known=known)
    said, allowed = talk.by_id, partial(may_speak, state)
    judged = partial(verify, messages=said, may_speak=allowed, zone=zone, language=language, known=known)
    verified = [(suggestion, judged(suggestion)) for suggestion in suggested]
    found = [item for _, item in verified if not isinstance(item, Refused)]
    merged = merge(known, found, closed=closed, now=now)
    done = resolve_items(merged, talk.messages)
    tidied = settle(merged, done, closed=closed, now=now)
    plan = Plan(
        before,
        items=tidied.items,
        closed=tidied.closed,
        language=language,
        made_by=before.made_by or OFFLINE,
        until=max(filter(None, (before.until, talk.until)), default=None),
    )
    report = Consolidation(
        before=before,
        read=len(talk.messages),
        suggested=suggested,
        refused=[Rejection(each.text, str(why.reason)) for each, why in verified if isinstance(why, Refused)],
        resolved=[(item, done[item.id]) for item in merged if item.id in done],
        made_by=plan.made_by,
        more=talk.more,
    )
    return plan, report


def _language(talk: ReviewTalk, *, usual: Language) -> Language:
    """Return what most of the last days' messages are in; the chat's own language changes with every chunk."""
    spoken = Counter(found for m in talk.whole if m.may_teach and (found := detect_language(m.text)))
    return max(spoken, key=lambda language: (spoken[language], language == usual), default=usual)
