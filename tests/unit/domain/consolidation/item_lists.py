"""Items of CONTEXT.md, with defaults, and strategies that make many of them."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from shared.domain.consolidation.items import Item, Quote, Section, line_text

NIGHT = datetime(2026, 3, 20, 2, 0, tzinfo=UTC)
KYIV = ZoneInfo("Europe/Kyiv")
GENERATED = (Section.ONGOING, Section.PENDING, Section.TOPICS, Section.PREFERENCES)


def ago(days: float) -> datetime:
    return NIGHT - timedelta(days=days)


def quote(text="забронюю квитки", *, message_id=1, user_id=101, days=1.0) -> Quote:
    return Quote(message_id, user_id, text, ago(days))


def item(text="Тарас: забронювати квитки", section=Section.PENDING, *, days=1.0, **more) -> Item:
    defaults = {"quotes": (quote(text, days=days),), "started_by": 101, "starter": "Тарас"}
    return Item(section=section, text=text, mentioned_at=ago(days), **(defaults | more))


def by_hand(text="Не забути про ключі", section=Section.PENDING, *, days=0.0) -> Item:
    return Item(section, text, (), ago(days), by_hand=True)


_WORDS = [
    "квитки",
    "готель",
    "дах",
    "шашлик",
    "tickets",
    "hotel",
    "roof",
    "купити",
    "book",
    "не",
    "Львів",
    "14 березня",
]
_HOSTILE = [
    "## Ongoing",
    "---",
    "<!-- spomyn:context v1 -->",
    "[2026-02-15]",
    "- x",
    "*Оновлено: 2026-02-17 02:00*",
    "\n## Pending\n",
    "\u2028",
    "\u202e",
    "\\[",
    "<b>",
    "# ",
    "- - -",
    "почато: Адмін",
    "\x85",
    "🇺🇦",
    "𝕏",
]
hostile_text = st.lists(st.sampled_from(_WORDS + _HOSTILE) | st.text(max_size=12), min_size=1, max_size=6).map(" ".join)
plain_text = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4, unique=True).map(" ".join)
days_ago = st.integers(0, 40).map(lambda n: n / 2)


@st.composite
def items(draw, *, texts=plain_text, hand=True):
    text = line_text(draw(texts)) or "x"
    said = draw(days_ago)
    if hand and draw(st.integers(0, 4)) == 0:
        return Item(draw(st.sampled_from(GENERATED)), text.strip(), (), ago(said), by_hand=True)
    numbers = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True))
    quotes = tuple(
        sorted((quote(f"слова {n}", message_id=n, days=said + n % 3) for n in numbers), key=lambda q: q.sent_at)
    )
    return Item(
        section=draw(st.sampled_from(GENERATED)),
        text=text,
        quotes=tuple(quotes[-3:]),
        mentioned_at=ago(said),
        started_by=quotes[0].user_id,
        starter=draw(st.sampled_from(["Оля", "Taras", "", "## Ongoing", "x] [2026-01-01]"])),
        due=draw(st.none() | st.dates(date(2026, 3, 1), date(2026, 4, 30))),
        language=draw(st.sampled_from(["uk", "en"])),
    )


def item_lists(**more):
    """Lists of items, one of each id."""
    return st.lists(items(**more), max_size=8, unique_by=lambda each: each.id)
