"""CONTEXT.md as a person wrote it: what they changed is kept by every later consolidation."""

from __future__ import annotations

from shared.application.app import App
from shared.application.chats.chat_codec import ChatState
from shared.application.chats.choices import choices_for
from shared.application.chats.context_codec import context_path
from shared.application.consolidation.board_codec import BY_HAND, StoredBoard, read_stored_board
from shared.application.consolidation.committing import Plan, commit
from shared.application.policy import Policy
from shared.application.ports.system import Clock
from shared.domain.consolidation import fitting, merge, read_back, settle
from shared.domain.consolidation.document import MOST_BYTES
from shared.domain.errors import Contention, PermanentError
from shared.domain.text.language import Language

ATTEMPTS = 3


class BadEdit(PermanentError):
    """The edited document cannot become CONTEXT.md; the message says why and what to do."""


async def edit_board(app: App, state: ChatState, text: str, *, revision: int | None = None) -> StoredBoard:
    """Make a hand-edited document the chat's CONTEXT.md; what is there now.

    Lines that were added or changed are kept as they are from now on; lines that were deleted stay away until the same
    is said anew.

    Args:
        revision: The one that the person edited; None for whichever is there now.

    Raises:
        BadEdit: It is too large, or another revision is there by now, or there is no such chat.
        Contention: Something came between three times.
    """
    text = text.replace("\r\n", "\n")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise BadEdit(
            f"The document has {size} bytes of UTF-8, {size - MOST_BYTES} more than the {MOST_BYTES} allowed."
        )
    for _ in range(ATTEMPTS):
        if not state.known or state.migrated_to is not None:
            raise BadEdit(f"There is no chat {state.chat_id}.")
        before = read_stored_board(await app.store.get(context_path(state.chat_id)))
        if revision is not None and revision != before.revision:
            raise BadEdit(f"Revision {before.revision} is there now, not {revision}: print it and edit that one.")
        committed = await commit(app, state, _plan(app.clock, app.policy, state, before, text))
        if committed is not None:
            return committed.board
        state = await app.chats.state(state.chat_id, fresh=True)
    raise Contention(f"the context of chat {state.chat_id} changed {ATTEMPTS} times while it was edited")


def _plan(clock: Clock, policy: Policy, state: ChatState, before: StoredBoard, text: str) -> Plan:
    now = clock.now().astimezone(choices_for(policy, state).timezone)
    language: Language = before.language if before.items else "en" if state.language == "en" else "uk"
    edited = read_back(text, before.items, language=language, now=now)
    by_hand = {item.id for item in edited.items if item.by_hand}
    if by_hand - {item.id for item in fitting(edited.items, language=language)}:
        raise BadEdit(f"With its headings the document takes more than {MOST_BYTES} bytes of UTF-8: shorten it.")
    tidied = settle(merge(edited.items, [], now=now), {}, closed=[*before.closed, *edited.dismissed], now=now)
    return Plan(before, tidied.items, tidied.closed, language, BY_HAND, before.until)
