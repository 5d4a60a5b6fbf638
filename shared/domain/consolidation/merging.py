"""Last night's items and tonight's: one list.

What is known stays what it goes by: found items attach to the known one that they are most like, and only those that
are like none begin a new one. So merging the same again changes nothing, in whatever order it was found.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta, tzinfo
from typing import NamedTuple

from shared.domain.consolidation.items import MOST_QUOTES, Item, Quote, Section, in_order
from shared.domain.consolidation.likeness import gist, likeness
from shared.domain.text.language import fold
from shared.domain.text.terms import words_of

PRUNED_AFTER = timedelta(days=14)
"""Since the last mention (DESIGN, rulings)."""

MOST_TOPICS = 5
"""Newest topics kept (DESIGN, rulings)."""

MOST_ITEMS = 20
"""Newest generated items kept of every other section: twice what the document has room for."""

OVERDUE = timedelta(days=2)
"""The time after its day at which an item without a further mention is over."""


class OpenItems(NamedTuple):
    """The items without what is over.

    Attributes:
        items: What holds.
        closed: What was closed in the last 14 days, to be kept beside the items and given to the next `merge`.
    """

    items: list[Item]
    closed: list[Item]


def merge(previous: Sequence[Item], found: Sequence[Item], *, closed: Sequence[Item] = (), now: datetime) -> list[Item]:
    """The items of tonight. Idempotent, and the order of `found` does not matter.

    Hand-written items stay as they are, first and in their order; then all others, those last mentioned first.
    A night is `items = merge(before, found, closed=closed, now=now)`, then `done = resolved(items, messages)` (or what
    a model says is done, its quotes verified), then `settle(items, done, closed=closed, now=now)`.

    Args:
        closed: Items that were resolved or dismissed: what says the same comes back only when it was said after that.
        now: Aware.
    """
    news = sorted((item for item in found if _is_news(item, closed, now)), key=_canonical)
    anchors = list(previous)
    for item in news:  # the first of each of the new ones that are like nothing before them
        if not any(likeness(anchor, item) for anchor in anchors):
            anchors.append(item)
    fresh = [item for item in _join_news(anchors, news) if item.by_hand or not _is_stale(item, now)]
    staying = _within_limits(fresh, known={item.id for item in previous})
    # What had attached to an item that is dropped may still belong to one that stays.
    return in_order(_join_news([item for item in anchors if item.id in staying], news))


def settle(
    items: Sequence[Item], done: Mapping[str, Quote], *, closed: Sequence[Item] = (), now: datetime
) -> OpenItems:
    """Take out what is done, and what is overdue: two days have passed since its day and its last mention.

    Args:
        done: Words that say that an item is over, by its id.
        closed: What was closed before, dismissed lines (`Edited.dismissed`) included.
        now: Aware, in the chat's time zone: its date decides what is overdue.
    """
    over: list[Item] = []
    for item in items:
        if not item.by_hand and (quote := done.get(item.id)):
            over.append(replace(item, mentioned_at=max(quote.sent_at, item.mentioned_at)))
        elif not item.by_hand and _is_overdue(item, now):
            over.append(replace(item, mentioned_at=now))
    ended = [item for item in over if item.section is Section.ONGOING]
    over += [replace(i, mentioned_at=now) for i in items if i not in over and any(_is_over_with(i, e) for e in ended)]
    gone = {item.id for item in over}
    staying = [item for item in items if item.by_hand or item.id not in gone]
    return OpenItems(staying, _latest_closed([*closed, *over], now))


def next_end(items: Sequence[Item], zone: tzinfo) -> datetime | None:
    """Return when the first item will go though nothing more is said, in the chat's zone; None when none will."""
    return min((_end(item, zone) for item in items if not item.by_hand), default=None)


def _end(item: Item, zone: tzinfo) -> datetime:
    pruned = item.mentioned_at + PRUNED_AFTER
    if item.due is None or item.section not in (Section.ONGOING, Section.PENDING):
        return pruned
    last = max(item.due, item.mentioned_at.astimezone(zone).date())
    return min(pruned, datetime.combine(last + OVERDUE + timedelta(days=1), time(), zone))


def _is_over_with(item: Item, ended: Item) -> bool:
    """Return whether something owed without a day was for an occasion that is over, and nobody has mentioned it
    since."""
    if item.by_hand or item.section is not Section.PENDING or item.due is not None or ended.due is None:
        return False
    about = gist(item.section, fold(item.text)).terms & gist(ended.section, fold(ended.text)).terms
    return bool(about) and item.mentioned_at.date() <= ended.due


def _latest_closed(closed: Sequence[Item], now: datetime) -> list[Item]:
    """One of each id, the one closed last, for as long as anything is remembered."""
    latest: dict[str, Item] = {}
    for item in sorted(closed, key=lambda item: item.mentioned_at, reverse=True):
        latest.setdefault(item.id, item)
    return [latest[key] for key in sorted(latest) if not _is_stale(latest[key], now)]


def _is_overdue(item: Item, now: datetime) -> bool:
    if item.section not in (Section.PENDING, Section.ONGOING) or item.due is None:
        return False
    return now.date() - max(item.due, item.mentioned_at.astimezone(now.tzinfo).date()) > OVERDUE


def _is_stale(item: Item, now: datetime) -> bool:
    return now - item.mentioned_at > PRUNED_AFTER


def _is_news(item: Item, closed: Sequence[Item], now: datetime) -> bool:
    """Return whether an item is recent, and not the same as one that was closed after it was said."""
    if _is_stale(item, now) or item.section is Section.NOTES:
        return False
    return not any(over.mentioned_at >= item.mentioned_at and likeness(over, item) for over in closed)


def _join_news(anchors: Sequence[Item], news: Sequence[Item]) -> list[Item]:
    """Every anchor with the news that are most like it; what was written by hand takes them up and stays as it is."""
    ordered = sorted(anchors, key=lambda item: "" if item.by_hand else item.id)  # by hand first, in their order
    attached = dict[int, list[Item]]()
    for item in news:
        best, place = max(((likeness(k, item), -place) for place, k in enumerate(ordered)), default=(0.0, 0))
        if best:
            attached.setdefault(-place, []).append(item)
    return [k if k.by_hand else _with_mentions(k, attached.get(place, [])) for place, k in enumerate(ordered)]


def _with_mentions(item: Item, mentions: Sequence[Item]) -> Item:
    """The item as it was last said; who began it stays."""
    said = [item, *mentions]
    worded = max(said, key=_wording_rank)
    dues = [(each.mentioned_at, each.due) for each in said if each.due is not None]
    quotes = sorted({quote for each in said for quote in each.quotes}, key=lambda q: (q.sent_at, q.message_id, q.text))
    return replace(
        item,
        text=worded.text,
        language=worded.language,
        mentioned_at=max(each.mentioned_at for each in said),
        due=max(dues)[1] if dues else None,
        quotes=_choose_quotes(quotes, worded),
        name=item.name or ("" if fold(worded.text) == fold(item.text) else fold(item.text)),
    )


def _choose_quotes(quotes: Sequence[Quote], worded: Item) -> tuple[Quote, ...]:
    """The newest, and those that the wording is from: whose words a line holds must be known as long as it stands."""
    left, of_line = set(words_of(worded.text)), list[Quote]()
    for quote in sorted(worded.quotes, key=lambda said: -len(left.intersection(words_of(said.text)))):
        own = left.intersection(words_of(quote.text))
        of_line += [quote] if own or not of_line else []
        left -= own
    others = [quote for quote in quotes if quote not in of_line]
    kept = {*of_line, *others[max(0, len(others) + len(of_line) - MOST_QUOTES) :]}
    return tuple(quote for quote in quotes if quote in kept)


def _wording_rank(item: Item) -> tuple[int, datetime, str, str]:
    """Return which wording is shown: of a topic the newest, for talk moves on, of all else the one that tells most."""
    telling = 0 if item.section is Section.TOPICS else len(gist(item.section, fold(item.text)).terms)
    return telling, item.mentioned_at, item.text, item.language


def _within_limits(items: Sequence[Item], *, known: Collection[str]) -> set[str]:
    """Ids of the newest of each section, and of what was written by hand; of two as new, the one known before."""
    kept = {item.id for item in items if item.by_hand}
    for section in Section:
        own = [item for item in items if item.section is section and not item.by_hand]
        own.sort(key=lambda item: (-item.mentioned_at.timestamp(), item.id not in known, item.id))
        kept |= {item.id for item in own[: MOST_TOPICS if section is Section.TOPICS else MOST_ITEMS]}
    return kept


def _canonical(item: Item) -> tuple[datetime, Section, str, str, str, str]:
    """Those that began first come first: what they are worded as is what the item goes by."""
    began = min((quote.sent_at for quote in item.quotes), default=item.mentioned_at)
    return began, item.section, item.id, item.text, item.language, f"{item.starter}\x1f{item.mentioned_at}{item.due}"
