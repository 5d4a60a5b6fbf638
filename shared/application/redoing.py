"""Which texts are made again now: not those that wait for the budget of whose edit they are about.

They would stand before all others that wait for the model, every hour of the day.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.application.app import App
from shared.application.chats import ChatState
from shared.application.chunks import payer_of
from shared.application.ports.store import Document, Filter
from shared.application.spending import over_budget

_MOST_PAGES = 10
"""That are looked through for what can be made again (own choice)."""


class Due(NamedTuple):
    """Documents to make again, and whether others wait for somebody's budget."""

    documents: Sequence[Document]
    passed_over: bool


async def due_again(app: App, state: ChatState, collection: str, which: Filter, *, most: int) -> Due:
    """Up to `most` documents of a collection that are to be made again, by id.

    What is stale always is, without the model if need be: its text must not stay.
    """
    poor: dict[int, bool] = {}
    due: list[Document] = []
    passed_over, last = False, None
    for _ in range(_MOST_PAGES):
        page = await app.store.query(collection, where=[which], limit=most, after=last)
        for document in page:
            payer = None if document.data["stale"] else payer_of(document)
            if payer is not None and payer not in poor:
                poor[payer] = app.policy.tokens_per_member > 0 and await over_budget(app, state, payer) == "member"
            if payer is None or not poor[payer]:
                due.append(document)
            else:
                passed_over = True
        if len(due) >= most or len(page) < most:
            break
        last = page[-1]
    return Due(due[:most], passed_over)
