"""A stretch of talk as the reading prompt shows it, and what its small numbers mean.

Messages, members and known facts have numbers of one to three digits: they cost little, and a model that mixes two of
them up is noticed, for the quote must stand in the message, and the message be the member's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from math import sqrt

from shared.domain.conversation.media import mark
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.fact_keys import ONE_AT_A_TIME
from shared.domain.reading.filters.reasons import Reason, subject_user
from shared.domain.reading.model_output import ModelFact
from shared.domain.recall.matching import relatives_of
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.plain import one_line, quote_inline
from shared.domain.text.terms import terms_of, words_of

KNOWN_TOKENS = 240
"""The tokens of the prompt for what is known already."""

_ONE_OF_A_KIND, _OF_ANYBODY = 0.15, 0.75
"""The bonus of what there is one of at a time (a home, a job): it comes before what shares a frequent word; and the
weight of what comes near to a fact of the group, for anybody's message may, also by chance."""

SHOWN_BEFORE, CHARS_BEFORE = 3, 120
"""Lines of the talk before a stretch, and what is shown of each."""

_SILENCE = timedelta(hours=3)  # after it the time is told again


@dataclass(frozen=True, slots=True)
class NumberedTalk:
    """The talk with the numbers by which the model is shown it.

    Attributes:
        parts: The stretch, divided into its chunks; its messages are numbered from 1 through all of them.
        before: The last messages before it, for understanding.
        members: Ids of the speakers; the number of each is its place from 1.
        known: What is known of them and of the chat; the id of each is "f" and its place from 1.
        open: What the group has still to do, numbered from 1.
    """

    parts: tuple[tuple[Message, ...], ...]
    before: tuple[Message, ...]
    members: tuple[int, ...]
    known: tuple[ProfileFact, ...]
    open: tuple[str, ...] = ()

    @property
    def messages(self) -> list[Message]:
        """Return the messages in the order of their numbers."""
        return [message for part in self.parts for message in part]

    @property
    def message_ids(self) -> list[int]:
        """Return their ids in the order of their numbers."""
        return [message.message_id for message in self.messages]

    def places(self, *, zone: tzinfo, admins: frozenset[int], bot_name: str, facts: bool = True) -> dict[str, str]:
        """Return what the prompt is given of it, by the names of its places; messages have numbers for facts alone."""
        return {
            "members": "\n".join([f"bot {quote_inline(bot_name)}", *self._list_members(admins)]),
            "known": "\n".join(self._list_known()) or "-",
            "open": "\n".join(f"{n}: {_write_inline(text)}" for n, text in enumerate(self.open, start=1)) or "-",
            "before": "\n".join(self._line(message, numbered=facts) for message in self.before) or "-",
            "talk": "\n".join(self._list_talk(zone, numbered=facts)),
        }

    def resolve(self, item: ModelFact) -> ModelFact | Reason:
        """Return an item of the reply with ids in place of its numbers, or why it means nobody or nothing."""
        user_id, message_id, about_chat = item.user_id, item.message_id, item.about_chat
        if item.message is not None and 0 < item.message <= len(self.messages):
            message_id = self.messages[item.message - 1].message_id
        if item.about is not None:
            about_chat = item.about == 0
            user_id = dict(enumerate(self.members, start=1)).get(item.about)
            if user_id is None and not about_chat:
                return Reason.NON_PARTICIPANT
        if item.verdict in ("", "new"):
            return replace(item, user_id=user_id, message_id=message_id, about_chat=about_chat, of="")
        meant = {f"f{number}": fact for number, fact in enumerate(self.known, start=1)}.get(item.of)
        subject = "chat" if about_chat else f"user:{user_id}"
        if meant is None or meant.subject != subject:
            return Reason.UNKNOWN_FACT
        return replace(item, user_id=user_id, message_id=message_id, about_chat=about_chat, of=meant.id)

    def _list_members(self, admins: frozenset[int]) -> Iterable[str]:
        said = [message for message in (*self.before, *self.messages) if not message.is_bot]
        for number, user_id in enumerate(self.members, start=1):
            own = [message for message in said if message.user_id == user_id]
            called = ", also ".join(map(quote_inline, reversed(dict.fromkeys(message.name for message in own))))
            username = next((message.username for message in reversed(own) if message.username), "")
            at = f" @{quote_inline(username)[1:-1]}" if username else ""
            yield f"{number} {called}{at}{' admin' if user_id in admins else ''}"

    def _list_known(self) -> Iterable[str]:
        last = max((message.sent_at for message in self.messages), default=None)
        later = {f.id for f in self.known if last is not None and f.valid_from is not None and f.valid_from > last}
        if later:
            yield "later: said after <talk>, which replaces none of it"
        for number, fact in enumerate(self.known, start=1):
            user_id = subject_user(fact.subject)
            about = 0 if user_id is None else self.members.index(user_id) + 1
            yield f"f{number} {about}{' later' * (fact.id in later)}: {_write_inline(fact.description)}"

    def _list_talk(self, zone: tzinfo, *, numbered: bool) -> Iterable[str]:
        last = None
        for number, part in enumerate(self.parts, start=1):
            if not part:  # nothing of it may be read any more
                continue
            yield f"[part {number}]"
            named = set[tuple[int, str]]()
            for message in part:
                at = message.sent_at.astimezone(zone)
                yield from _mark_time(at, last)
                last = at
                speaker = (message.user_id, message.name)
                yield self._line(message, is_named=speaker not in named, numbered=numbered)
                named.add(speaker)

    def _line(self, message: Message, *, is_named: bool = True, numbered: bool = True) -> str:
        numbers = {said.message_id: number for number, said in enumerate(self.messages, start=1)}
        number, answered = numbers.get(message.message_id), numbers.get(message.reply_to or 0)
        name = _short_name(message.name) if is_named and not message.is_bot else ""
        reply = "" if answered is None else f">{answered if numbered else self._author(self.messages[answered - 1])}"
        marks = (str(number or "-") if numbered else "", self._author(message), name, reply, "fwd" * message.forwarded)
        is_whole = number and not message.is_bot  # nothing is learnt of what the bot says: its beginning is enough
        text = _write_inline(message.text if is_whole else one_line(message.text, CHARS_BEFORE))
        sent_along = f" {marked}" if (marked := mark(message)) else ""
        return f"{' '.join(filter(None, marks))}: {text}{sent_along}"

    def _author(self, message: Message) -> str:
        return "bot" if message.is_bot else str(self.members.index(message.user_id) + 1)


def _write_inline(text: str) -> str:
    """Return what somebody typed as the rest of a line: it can neither end it nor hold a mark of ours."""
    return quote_inline(text)[1:-1].replace('\\"', '"')


def _short_name(name: str) -> str:
    """Return the letters of a name's first word with a capital, as no mark of ours has; the number says who it is."""
    word = next(filter(None, ("".join(filter(str.isalpha, word)) for word in name.split())), "")
    return word[:1].upper() + word[1:15]


def _mark_time(at: datetime, last: datetime | None) -> Iterable[str]:
    if last is None or last.date() != at.date():
        year = "" if last is not None and last.year == at.year else f"{at:%Y}-"
        yield f"[{_WEEKDAYS[at.weekday()]} {year}{at:%m-%d %H:%M}]"
    elif at - last >= _SILENCE:
        yield f"[{at:%H:%M}]"


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def number_talk(
    parts: Sequence[Sequence[Message]],
    before: Sequence[Message],
    facts: Mapping[str, Sequence[ProfileFact]],
    open_items: Sequence[str] = (),
) -> NumberedTalk:
    """Number a stretch and what is known of its speakers.

    Args:
        facts: What is known of the chat and of each of them, by subject, best first.
        open_items: What the group has still to do.
    """
    shown = before[-SHOWN_BEFORE:]
    said = [message for part in parts for message in part]
    members = dict.fromkeys(message.user_id for message in (*said, *shown) if not message.is_bot)
    subjects = ["chat", *dict.fromkeys(f"user:{message.user_id}" for message in said if message.user_id in members)]
    known = _choose_known([fact for subject in subjects for fact in facts.get(subject, ())], said)
    return NumberedTalk(tuple(map(tuple, parts)), tuple(shown), tuple(members), tuple(known), tuple(open_items))


def _choose_known(facts: Iterable[ProfileFact], said: Sequence[Message]) -> list[ProfileFact]:
    """Return what fits of what is known: what a message of who it is about comes near to, and what a member has one of
    at a time; of the rest the newest."""
    said_where, chosen, left = _index_terms(said), list[ProfileFact](), KNOWN_TOKENS
    names = {term for message in said for term in terms_of(message.name)}
    since = {fact: fact.valid_from.timestamp() if fact.valid_from else 0 for fact in facts}
    for fact in sorted(since, key=lambda fact: (-_nearness(fact, said_where[fact.subject], names), -since[fact])):
        cost = estimate_tokens(f"f9 9: {_write_inline(fact.description)}\n")
        if cost <= left:
            chosen.append(fact)
            left -= cost
    return sorted(chosen, key=lambda fact: (fact.subject, fact.id))


def _index_terms(said: Sequence[Message]) -> Mapping[str, Mapping[str, Sequence[int]]]:
    """Return by subject in which messages a word stands: of the chat everybody's, of a member their own with those that
    they answer."""
    said_where: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    words = {message.message_id: set(terms_of(message.text)) for message in said}
    for before, message in zip([0, *words], said, strict=False):
        own, answered = words[message.message_id], words.get(message.reply_to or before, set())
        shown = {f"user:{message.user_id}": own | answered, "chat": set[str]() if message.is_bot else own}
        for subject, term in ((subject, term) for subject, terms in shown.items() for term in terms):
            said_where[subject][term].append(message.message_id)
    return said_where


def _nearness(fact: ProfileFact, said_where: Mapping[str, Sequence[int]], names: Set[str]) -> float:
    """Return how much of a fact one message holds at most: rare words count most, and what is near to a word less than
    the word.

    Args:
        said_where: The messages in which each word stands.
        names: Words that count for nothing, for each fact of a member begins with theirs.
    """
    told = fact.description.partition(") ")[2] or fact.description  # what tells namesakes apart is no word of it
    words = {*terms_of(told), *words_of(f"{fact.value} {fact.key.replace('_', ' ')}")} - names
    found: defaultdict[int, float] = defaultdict(float)
    for word in words:
        near = {word: 1.0, **relatives_of(word)} if word[0] not in "#~" else {}
        held = {each: said_where[each] for each in near if each in said_where}
        for message in {message for messages in held.values() for message in messages}:
            found[message] += max(near[each] / sqrt(len(at)) for each, at in held.items() if message in at)
    nearest = max(found.values(), default=0.0) / sqrt(max(len(words), 1))
    return nearest * (_OF_ANYBODY if fact.subject == "chat" else 1) + _ONE_OF_A_KIND * (fact.key in ONE_AT_A_TIME)
