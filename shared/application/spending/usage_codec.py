"""The codec of what the model cost a chat on a day (`documents.usage_path`), and one member of it (`spending_path`).

Days are of UTC. What is booked is added to what is there, so calls that are made at once do not contend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

from shared.application.derived_codec import DerivedCodec
from shared.application.documents import chat_path
from shared.application.ports.model import ModelReply, Purpose
from shared.application.ports.store import Document, Increment, OpenFilter
from shared.domain.conversation.messages import SCHEMA
from shared.domain.spending.tokens import price_to_count

_REFUSED = "refused_"


class PurposeUsage(NamedTuple):
    """The cost of the calls of one purpose; `input_tokens` counts the `cached_tokens` as well."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.input_tokens + self.output_tokens


class DayUsage(NamedTuple):
    """A chat's usage of the model on one day.

    Attributes:
        tokens: Read and written, by which the day's budget is measured; of a call that is not over, and of one whose
            process died, what it may take at most.
        cached_tokens: Of those read, how many came from the model's cache.
        microdollars: What they cost at the prices of the day, in millionths of a dollar.
        purposes: Those there are; days of an earlier version may have only the sums.
        refused: How many candidates for facts were refused, by reason.
        answers_repeated: How often a piece of an answer was sent again that may have arrived before.
    """

    day: date
    calls: int = 0
    tokens: int = 0
    cached_tokens: int = 0
    purposes: Mapping[Purpose, PurposeUsage] = MappingProxyType({})
    refused: Mapping[str, int] = MappingProxyType({})
    answers_repeated: int = 0
    microdollars: int = 0


class DaySpending(NamedTuple):
    """One member's cost of answers and edits on one day, or what one ("told-…") or all ("chat", "offline") were told.

    Attributes:
        told: The update whose answer says that the budget is used up, or ("offline") that there is no model; None:
            nobody was told yet.
    """

    tokens: int = 0
    calls: int = 0
    told: int | None = None


def usage_days_path(chat_id: int) -> str:
    """Return the collection of a chat's days; ids sort as the days do."""
    return f"{chat_path(chat_id)}/usage"


def spendings_path(chat_id: int) -> str:
    """Return the collection of what members cost on single days."""
    return f"{chat_path(chat_id)}/spending"


spent_by = OpenFilter[int]("user_id", "==")
"""The condition that a day is of a member."""


def spending_path(chat_id: int, whom: int | str, day: date) -> str:
    """Return where it is kept what one member cost on a day, or (see `DaySpending`) what was told."""
    return f"{chat_path(chat_id)}/spending/{whom}-{day.isoformat()}"


def usage_day(document: Document) -> date:
    """Return the day that a document is of."""
    return date.fromisoformat(document.id)


_DAY = DerivedCodec(DayUsage, apart=["day", "purposes", "refused"])


def read_usage(document: Document) -> DayUsage:
    """Read what was booked on a day."""
    data, purposes = document.data, dict[Purpose, PurposeUsage]()
    for purpose in get_args(Purpose):
        if any(used := PurposeUsage(*(data.get(f"{purpose}_{name}", 0) for name in PurposeUsage._fields))):
            purposes[purpose] = used
    refused = {name.removeprefix(_REFUSED): n for name, n in data.items() if name.startswith(_REFUSED)}
    return _DAY.read(data, day=usage_day(document), purposes=purposes, refused=refused)


def tokens_of(document: Document | None) -> int:
    """Return the tokens of a chat's day or of a member's; 0 where nothing was booked."""
    tokens: int = 0 if document is None else document.data.get("tokens", 0)
    return tokens


read_spending = DerivedCodec(DaySpending).of
"""Read what a member cost on a day; nothing where nothing was booked."""


def shown_spending(document: Document) -> dict[str, Any]:
    """Return what a member is shown of what they cost on a day."""
    return {name: value for name, value in document.data.items() if name not in ("schema", "user_id", "expire_at")}


def cost_of(reply: ModelReply, day: date) -> int:
    """Return what a call of a day cost, in millionths of a dollar."""
    usage, price = reply.usage, price_to_count(reply.model, day)
    return price.microdollars(usage.input, usage.output, cached=usage.cached, flex=reply.flex)


def usage_fields(calls: Iterable[tuple[Purpose, ModelReply]], day: date, *, tokens: int = 0) -> dict[str, Any]:
    """Return what calls add to their chat's day, and so many tokens beside them."""
    counts = Counter[str](tokens=tokens)
    for purpose, reply in calls:
        usage = reply.usage
        counts.update({"calls": 1, "tokens": usage.total, "cached_tokens": usage.cached})
        counts["microdollars"] += cost_of(reply, day)
        added = PurposeUsage(1, usage.input, usage.output, usage.cached)
        counts.update({f"{purpose}_{name}": number for name, number in added._asdict().items()})
    return _increments(counts)


def refused_fields(reasons: Mapping[str, int]) -> dict[str, Any]:
    """Return what refused candidates add to their chat's day."""
    return _increments({f"{_REFUSED}{reason}": number for reason, number in reasons.items()})


def repeated_fields() -> dict[str, Any]:
    """Return what sending a piece again that may have arrived adds to its chat's day."""
    return _increments({"answers_repeated": 1})


def spending_fields(user_id: int, replies: Iterable[ModelReply], *, expire_at: datetime, tokens: int) -> dict[str, Any]:
    """Return what calls add to the day of the member who asked or edited, and so many tokens beside them."""
    taken = [reply.usage.total for reply in replies]
    added = _increments({"calls": len(taken), "tokens": sum(taken, tokens)})
    return {**added, "user_id": user_id, "expire_at": expire_at}


def notice_fields(update_id: int, *, user_id: int | None, expire_at: datetime) -> dict[str, Any]:
    """Return that the answer to an update says so: that a member's budget is used up, or (None) what is of the chat."""
    whose = {} if user_id is None else {"user_id": user_id}
    return {"schema": SCHEMA, **whose, "told": update_id, "expire_at": expire_at}


def _increments(counts: Mapping[str, int]) -> dict[str, Any]:
    return {"schema": SCHEMA, **{name: Increment(number) for name, number in counts.items()}}
