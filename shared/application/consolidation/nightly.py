"""Consolidation: the suggester finds items, the reviewer checks, merges and closes them, the committer writes.

Suggestions come from rules and, where there is one, from the model; code verifies every quote and its author, whoever
suggested it. A run that dies anywhere leaves the document as it was; run again, it comes to the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import context_path
from shared.application.chats.migration import is_moving_in
from shared.application.consolidation.board_codec import StoredBoard, read_stored_board
from shared.application.consolidation.committing import ATTEMPTS, Plan, commit, usual_language
from shared.application.consolidation.model_lane import (
    BoardAnswer,
    Rejection,
    Settling,
    settle_by_model,
    suggest_by_model,
)
from shared.application.consolidation.talk import ReviewTalk, read_talk
from shared.application.facts.profiles import subject_facts
from shared.application.job import JobResult
from shared.domain.consolidation.document import read_back
from shared.domain.consolidation.items import Item, Quote, Suggestion
from shared.domain.consolidation.merging import merge, next_end, settle
from shared.domain.consolidation.resolving import resolve_items
from shared.domain.consolidation.reviewing import Refused, verify
from shared.domain.consolidation.suggesting import suggest
from shared.domain.conversation.messages import Message
from shared.domain.errors import Contention
from shared.domain.text.language import Language, detect_language
from shared.domain.text.quotes import find_verbatim

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Consolidation:
    """One run, pass by pass.

    Attributes:
        before, board: CONTEXT.md before and after it.
        read: Messages that were read.
        suggested: What was suggested, by rules and by the model.
        refused: What of it did not stand, and what of the model's answers could not be used.
        resolved: Items that are settled, each with the words that say so.
        made_by: "<model>/<prompt version>", or "offline".
        changed: Whether the words of CONTEXT.md changed.
        next_at: When an item will be too old, or the model that was away is asked again, or None.
        more: There is more talk to read right now.
    """

    before: StoredBoard = field(default_factory=StoredBoard)
    board: StoredBoard = field(default_factory=StoredBoard)
    read: int = 0
    suggested: Sequence[Suggestion] = ()
    refused: Sequence[Rejection] = ()
    resolved: Sequence[tuple[Item, Quote]] = ()
    made_by: str = ""
    changed: bool = False
    next_at: datetime | None = None
    more: bool = False

    def followed_by(self, later: Consolidation) -> Consolidation:
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
            "items": len(self.board.items),
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
    which another is still moving waits for its messages, which show what is on the board.

    Args:
        dry_run: Do everything but write it (the model is asked, and its usage booked).

    Raises:
        Contention: Something came between three times.
    """
    for _ in range(ATTEMPTS):
        if not state.known or state.migrated_to is not None or state.is_private(by_default=app.policy.private_mode):
            return Consolidation()
        if await is_moving_in(app.store, state.chat_id):
            return Consolidation(next_at=app.clock.now())
        review = await _review(app, state)
        if review is None:
            return Consolidation()
        committed = await commit(app, state, review.plan, dry_run=dry_run)
        if committed is not None:
            tomorrow = app.clock.now() + _DAY
            end = next_end(committed.board.items, choices_for(app.policy, state).timezone)
            moments = [max(end, tomorrow)] if end is not None else []
            return replace(
                review.report,
                board=committed.board,
                changed=committed.changed,
                next_at=min([*moments, *([tomorrow] if review.waits else [])], default=None),
            )
        state = await app.chats.state(state.chat_id, fresh=True)
    raise Contention(f"the context of chat {state.chat_id} changed {ATTEMPTS} times while it was consolidated")


class _Review(NamedTuple):
    """What the first two passes came to; whether the model is to be asked again."""

    plan: Plan
    report: Consolidation
    waits: bool


async def _review(app: App, state: ChatState) -> _Review | None:
    """The first two passes; None when there is nothing to look at.

    What the model could not be asked about is read once more another night, unless that held up the talk after it.
    """
    document = await app.store.get(context_path(state.chat_id))
    before, now = read_stored_board(document), app.clock.now()
    talk = await read_talk(app.store, app.clock, state, since=before.until)
    if document is None and talk.until is None:
        return None
    edited = read_back(before.text, before.items, language=before.language, now=now)
    known, closed, zone = edited.items, [*before.closed, *edited.dismissed], choices_for(app.policy, state).timezone
    now = now.astimezone(zone)
    language = _language(talk, usual=usual_language(state, before._replace(items=known)))
    by_model, suggested = BoardAnswer[Suggestion](), list[Suggestion]()
    if talk.messages:
        facts = await subject_facts(app.store, app.policy, state, ["chat"], now=now)
        suggested += suggest(talk.whole, facts["chat"], zone=zone, language=language, known=known)
        by_model = await suggest_by_model(app, state, talk.messages, known)
        suggested += by_model.entries
    said, found, refused = talk.by_id, list[Item](), [*by_model.refused]

    def may_speak(user_id: int) -> bool:
        return user_id not in state.opted_out

    for suggestion in suggested:
        item = verify(suggestion, said, may_speak=may_speak, zone=zone, language=language, known=known)
        if isinstance(item, Refused):
            refused.append(Rejection(suggestion.text, str(item.reason)))
        else:
            found.append(item)
    board = merge(known, found, closed=closed, now=now)
    done, judged = await _settle(app, state, talk.messages, board)
    waits = (by_model.later or judged.later) and not talk.more
    tidied = settle(board, done, closed=closed, now=now)
    plan = Plan(
        before,
        items=tidied.items,
        closed=tidied.closed,
        language=language,
        made_by=by_model.made_by,
        until=before.until if waits else max(filter(None, (before.until, talk.until)), default=None),
    )
    report = Consolidation(
        before=before,
        read=len(talk.messages),
        suggested=suggested,
        refused=[*refused, *judged.refused],
        resolved=[(item, done[item.id]) for item in board if item.id in done],
        made_by=by_model.made_by,
        more=talk.more,
    )
    return _Review(plan, report, waits)


def _language(talk: ReviewTalk, *, usual: Language) -> Language:
    """Return what most of the last days' messages are in; the chat's own language changes with every chunk."""
    spoken = Counter(found for m in talk.whole if m.may_teach and (found := detect_language(m.text)))
    return max(spoken, key=lambda language: (spoken[language], language == usual), default=usual)


async def _settle(
    app: App, state: ChatState, said: Sequence[Message], board: Sequence[Item]
) -> tuple[dict[str, Quote], BoardAnswer[Settling]]:
    """Items that are settled by the rules or by the model, with the words that say so; what came of asking it."""
    done = resolve_items(board, said)
    judged = await settle_by_model(app, state, said, [item for item in board if item.id not in done])
    messages, refused = {message.message_id: message for message in said}, list(judged.refused)
    for entry in judged.entries:
        quote = _shown_settled(entry, messages)
        if isinstance(quote, Quote):
            done.setdefault(entry.item.id, quote)
        else:
            refused.append(Rejection(entry.item.text, quote))
    return done, judged._replace(refused=tuple(refused))


def _shown_settled(entry: Settling, messages: Mapping[int, Message]) -> Quote | str:
    """The words that show that an item is settled, or why they do not: a member's, and later than the item's first."""
    message, begun = messages.get(entry.message_id), entry.item.quotes[:1]
    if message is None:
        return "unknown_message"
    if not message.may_teach:
        return "not_a_members_words"
    words = find_verbatim(entry.quote, message.text)
    if words is None:
        return "not_verbatim"
    if any(message.message_id == said.message_id or message.sent_at < said.sent_at for said in begun):
        return "too_early"
    return Quote(message.message_id, message.user_id, words, message.sent_at)
