"""What phrases about an English chat have in common: who "we" are, where "here" is, how often, how together."""

# ruff: noqa: E501  (a phrase is easier to read whole than broken at column 120)
from __future__ import annotations

from shared.domain.reading.matching.rows import PatternRow

GAP = "(!@others _){0,3}"
HERE_LONG = "(in|around|round|on here / in|on|of|around|at|round|within this|our @group / in|of the chat|group / in this house|flat|household / with|among this lot|bunch|crowd|gang)"
HERE = f"(=here / {HERE_LONG})"
CHAT = "(this|our @group / the (whole|entire)? chat|group|gang|crew)"
US = (
    f"(=we (all / here / in here / around here / as a (group|chat|crew|whole) / in this @group / , as a @group ,){{1,2}}"
    f" / all|most|many|half|each|majority|bulk|loads|plenty of us (here|in|this|our|@group){{0,3}} / (the (whole|entire)? lot / every (last|single)? one / to a man|person ,? all) of us / to a man|person ,? =we"
    f" / (not one / not a single one) of us / most (people|folks|folk) {HERE} / us all / @everyone {HERE} / everyone|everybody in the @group / {CHAT} / our (whole|entire|little)? @group"
    f" / as a @group ,? =we / (you|you'll) (will|soon|quickly){{0,2}} (find|notice|discover|learn|realise|realize) (that)? =we / {HERE} ,? =we|everyone|everybody|people|folks)"
)
OFTEN = (
    "(@often / all the time / all day (long)? / every (single)? day|night|morning|week|evening / day and|in night|day"
    " / a lot / way? too much / for hours (on end)? / more than anything (else)? / round the clock / spend _{0,3} (time|days|hours|life|evenings|nights)"
    " / most of (the|our) (time|days) / pretty much (only|always)? / day in ,? day out / morning ,? noon and night / all day every day)"
)
TOGETHER = "(together / between us|ourselves (all)? / between the _ of us / among us / as a group|chat|crew|team / all of us / collectively / for the first time / in person / the whole|entire @group / all)"
EACH = "(each other / one another / everyone|everybody (else)? / each others / eachother)"
LOVED = "!@never_object <what>"
NOBODY = "(nobody|no-one|noone|none / no one / not one of us / none of us)"
FIND = "you|you'll (will|soon|quickly|may|might){0,2} (find|notice|see|discover|learn|realise|realize) (that)?"
CONVO = "(conversation|convo|discussion|thread|topic|talk|chat|debate|meeting|call|argument|subject|question|meetup)"
INTENSE = (
    "(wall to wall / wall-to-wall / @nonstop / day in ,? day out / morning ,? noon and|to night / all day ,? every day"
    " / one (long|big|giant|never-ending|endless)? (conversation|chat|thread|debate) about / nothing but / round the clock / back to back)"
)
WHOLE = (
    "(the (whole|entire)? lot / all|most|half|both / (#num|three|four|five|six|seven|eight|nine|ten|eleven|twelve)) of us ((from|in) this|the @group)?"
    " / the whole|entire crew|gang|group|chat|squad|team|club|bunch / every one of us"
)
MEMBERS = "people|folks|folk|everyone|everybody|regulars|peeps"
TALK = (
    f"(!#ed @talk|@talking (on|out|crap)? {OFTEN}? @about / !#ed =discuss|=discusses|=debate|=debates|=discussing|=debating|=cover"
    " / go|bang|going|banging on about / gossip|argue|fight|bicker over)"
)


def chat_row(
    name: str, category: str, key: str, phrases: tuple[str, ...], hit: str, miss: str, *,
    confidence: float = 0.8, needs_support: bool = False, momentary: bool = False,
) -> PatternRow:  # fmt: skip
    """A row about the chat, in English."""
    return PatternRow(
        name=f"en_{name}", lang="en", category=category, key=key, confidence=confidence,
        phrases=phrases, hit=hit, miss=miss, needs_support=needs_support, momentary=momentary,
    )  # fmt: skip
