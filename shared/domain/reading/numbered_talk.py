"""A stretch of talk as the reading prompt shows it, and what its small numbers mean.

Messages, members and known facts have numbers of one to three digits: they cost little, and a model that mixes two of
them up is noticed, for the quote must stand in the message, and the message be the member's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from shared.domain.conversation.media import mark
from shared.domain.conversation.messages import Message
from shared.domain.facts.profile import ProfileFact
from shared.domain.reading.filters.reasons import Reason, subject_user
from shared.domain.reading.model_output import ModelFact
from shared.domain.reading.stretch import PAUSE
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.plain import quote_inline
from shared.domain.text.terms import terms_of

KNOWN_TOKENS = 200
"""What is known already takes no more of the prompt."""

SHOWN_BEFORE = 5
"""Lines of the talk before a stretch."""

_NEW = ("", "new")


@dataclass(frozen=True, slots=True)
class NumberedTalk:
    """What the model is shown.

    Attributes:
        parts: The stretch, divided into its chunks; its messages are numbered from 1 through all of them.
        before: The last messages before it, for understanding.
        members: Ids of who speaks; the number of each is its place from 1.
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

    def places(self, *, zone: tzinfo, admins: frozenset[int], bot_name: str) -> dict[str, str]:
        """Return what the prompt is given of it, by the names of its places."""
        return {
            "members": "\n".join([f"bot {quote_inline(bot_name)}", *self._list_members(admins)]),
            "known": "\n".join(self._list_known(zone)) or "nothing yet",
            "open": "\n".join(f"{n}: {quote_inline(text)}" for n, text in enumerate(self.open, start=1)) or "nothing",
            "before": "\n".join(map(self._line, self.before[-SHOWN_BEFORE:])) or "nothing",
            "talk": "\n".join(self._list_talk(zone)),
        }

    def resolve(self, item: ModelFact) -> ModelFact | Reason:
        """Return an item of the reply with ids in place of its numbers, or why it means nobody or nothing."""
        user_id, message_id, about_chat = item.user_id, item.message_id, item.about_chat
        if item.message is not None and 0 < item.message <= len(self.messages):
            message_id = self.messages[item.message - 1].message_id
        if item.about is not None:
            about_chat = item.about == 0
            speaker = self._member(item.by if about_chat or item.by is not None else item.about)
            if speaker is None and (item.by is not None or not about_chat):
                return Reason.NON_PARTICIPANT
            if not about_chat and self._member(item.about) != speaker:
                return Reason.WRONG_AUTHOR
            user_id = speaker
        if item.verdict in _NEW:
            return replace(item, user_id=user_id, message_id=message_id, about_chat=about_chat, of="")
        meant = {f"f{number}": fact for number, fact in enumerate(self.known, start=1)}.get(item.of)
        subject = "chat" if about_chat else f"user:{user_id}"
        if meant is None or meant.subject != subject:
            return Reason.UNKNOWN_FACT
        return replace(item, user_id=user_id, message_id=message_id, about_chat=about_chat, of=meant.id)

    def _member(self, number: int | None) -> int | None:
        return self.members[number - 1] if number is not None and 0 < number <= len(self.members) else None

    def _list_members(self, admins: frozenset[int]) -> Iterable[str]:
        names: dict[int, list[str]] = {user_id: [] for user_id in self.members}
        usernames: dict[int, str] = {}
        for message in (*self.before, *self.messages):
            if message.user_id in names and not message.is_bot:
                known = names[message.user_id]
                known += [message.name] if message.name not in known else []
                usernames |= {message.user_id: message.username} if message.username else {}
        for number, user_id in enumerate(self.members, start=1):
            called = ", also ".join(quote_inline(name) for name in reversed(names[user_id]))
            at = f" @{quote_inline(usernames[user_id])[1:-1]}" if user_id in usernames else ""
            yield f"{number} {called}{at}{' admin' if user_id in admins else ''}"

    def _list_known(self, zone: tzinfo) -> Iterable[str]:
        for number, fact in enumerate(self.known, start=1):
            user_id = subject_user(fact.subject)
            about = 0 if user_id is None else self.members.index(user_id) + 1
            since = f" since {fact.valid_from.astimezone(zone):%Y-%m-%d}" if fact.valid_from else ""
            yield f"f{number} {about}: {quote_inline(fact.description)}{since}"

    def _list_talk(self, zone: tzinfo) -> Iterable[str]:
        last = None
        for number, part in enumerate(self.parts, start=1):
            yield f"[part {number}]"
            for message in part:
                at = message.sent_at.astimezone(zone)
                if last is None or last.date() != at.date():
                    yield f"[{_WEEKDAYS[at.weekday()]} {at:%Y-%m-%d %H:%M}]"
                elif at - last >= PAUSE:
                    yield f"[{at:%H:%M}]"
                last = at
                yield self._line(message)

    def _line(self, message: Message) -> str:
        numbers = {said.message_id: number for number, said in enumerate(self.messages, start=1)}
        number = numbers.get(message.message_id)
        who = "bot" if message.is_bot else str(self.members.index(message.user_id) + 1)
        answers = numbers.get(message.reply_to) if message.reply_to is not None else None
        marks = (f" ->{answers}" if answers else "") + (" forwarded" if message.forwarded else "")
        head = f"{f'#{number} ' if number else ''}{who} {quote_inline(message.name)}{marks}"
        sent_along = f" {marked}" if (marked := mark(message)) else ""
        return f"{head}: {quote_inline(message.text)}{sent_along}"


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def number_talk(
    parts: Sequence[Sequence[Message]],
    before: Sequence[Message],
    facts: Mapping[str, Sequence[ProfileFact]],
    open_items: Sequence[str] = (),
) -> NumberedTalk:
    """Number a stretch and what is known of who speaks in it.

    Args:
        facts: What is known of the chat and of each of them, by subject, best first.
        open_items: What the group has still to do.
    """
    shown = before[-SHOWN_BEFORE:]
    said = [message for part in parts for message in part]
    members = dict.fromkeys(message.user_id for message in (*said, *shown) if not message.is_bot)
    subjects = ["chat", *(f"user:{user_id}" for user_id in members)]
    known = _choose_known([facts.get(subject, ()) for subject in subjects], said)
    return NumberedTalk(tuple(map(tuple, parts)), tuple(shown), tuple(members), tuple(known), tuple(open_items))


def _choose_known(facts: Sequence[Sequence[ProfileFact]], said: Sequence[Message]) -> list[ProfileFact]:
    """Return what fits of what is known: first what shares words with the talk, then the best of each subject."""
    spoken = {term for message in said for term in terms_of(message.text)}
    ranked = [
        (-len(spoken & set(terms_of(fact.description))), place, number, fact)
        for number, of_subject in enumerate(facts)
        for place, fact in enumerate(of_subject)
    ]
    chosen: list[ProfileFact] = []
    left = KNOWN_TOKENS
    for *_, fact in sorted(ranked, key=lambda each: each[:3]):
        cost = estimate_tokens(f"f9 9: {quote_inline(fact.description)} since 2026-03-09\n")
        if cost <= left:
            chosen.append(fact)
            left -= cost
    return sorted(chosen, key=lambda fact: (fact.subject, fact.id))
