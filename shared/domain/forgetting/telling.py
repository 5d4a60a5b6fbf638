"""Whether a message or a text retells one forgotten member: their name, and how much of what was erased.

Imported when there is one: the lemmas behind it take most of a second to load.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from shared.domain.conversation.messages import Message, name_mark
from shared.domain.forgetting.erased import Erased, Marks, answers, hidden_key, id_key, mark
from shared.domain.forgetting.words import content_words, is_about_speaker, name_keys, names_in, username_key

ENOUGH, ENOUGH_OF_NAMESAKES = 2, 4
"""What erased words must weigh beside a name, and beside one that others bear, too."""

_FACT, _SAID = 2, 1
_MOST_WORDS = 160
"""Words of somebody's facts that are kept, and as many of their messages."""

_MOST_MARKS = 12_000
"""Of all forgotten members of a chat together: of more members fewer words each are kept, so that three
hundred of them take less than half of what a document may hold."""

_MARKS_PER_WORD = 3


class Living(NamedTuple):
    """Another member: what they are called, and what is known of them in their own words."""

    user_id: int
    names: Sequence[str]
    usernames: Sequence[str] = ()
    texts: Sequence[str] = ()


class Gone(NamedTuple):
    """A member who is being forgotten.

    Attributes:
        names: What they were called; also by those to whom they showed nothing but it.
        facts: Texts of what is known of them.
        said: What they said, the latest first; what they said of themselves counts as known.
    """

    user_id: int
    until: datetime
    names: Sequence[str]
    usernames: Sequence[str] = ()
    facts: Sequence[str] = ()
    said: Sequence[str] = ()


def erase_member(salt: str, gone: Gone, others: Iterable[Living], *, people: int) -> Erased:
    """A forgotten member in hashes.

    Args:
        others: Members who stay.
        people: How many were forgotten in the chat.
    """
    others = list(others)
    names, most = marks_of_names(salt, gone.names, gone.usernames), most_words(people)
    called = names.union(*(marks_of_names(salt, each.names, each.usernames) for each in others))
    who = [id_key(gone.user_id), *(hidden_key(name_mark(name)) for name in gone.names)]
    person = Erased(
        gone.until,
        frozenset(mark(salt, key) for key in who),
        names,
        marks_of_words(salt, [*gone.facts, *filter(is_about_speaker, gone.said)], but=called, most=most),
        marks_of_words(salt, gone.said, but=called, most=most),
    )
    for each in others:
        person = with_namesake(salt, person, each)
    return person


def marks_of_names(salt: str, names: Iterable[str], usernames: Iterable[str] = ()) -> Marks:
    """Return the marks of what somebody is called."""
    keys = {key for name in names for key in name_keys(name)} | {username_key(each) for each in usernames}
    return frozenset(mark(salt, key) for key in keys)


def marks_of_words(salt: str, texts: Iterable[str], *, but: Marks = frozenset(), most: int = _MOST_WORDS) -> Marks:
    """Return the marks of the first telling words of texts, without names (`but`)."""
    found: dict[str, None] = {}
    kept = 0
    for text in texts:
        names = {word for word, keys in names_in(text) if word and not _mark_all(salt, keys).isdisjoint(but)}
        for word in content_words(text):
            marks = _mark_all(salt, word.keys)
            if kept < most and not marks <= found.keys() and word.word not in names:
                found |= dict.fromkeys(marks)
                kept += 1
    return frozenset(found)


def most_words(people: int) -> int:
    """Words of facts that are kept of each of so many forgotten members, and as many of messages."""
    return max(8, min(_MOST_WORDS, _MOST_MARKS // (2 * _MARKS_PER_WORD * max(1, people))))


def with_namesake(salt: str, person: Erased, living: Living) -> Erased:
    """The same with what is known of another member, when they are called so, too."""
    shared = marks_of_names(salt, living.names, living.usernames) & person.names
    who = mark(salt, id_key(living.user_id))
    if who in person.who or not (shared or who in person.namesakes):
        return person
    taken = _words(salt, living.texts) & (person.facts | person.said)
    return person._replace(
        namesakes=person.namesakes | {who}, shared=person.shared | shared, taken=person.taken | taken
    )


def notice(salt: str, person: Erased, message: Message) -> Erased:
    """The same with what a message tells of a namesake, or the member says anew."""
    if mark(salt, id_key(message.user_id)) in person.who:
        if message.sent_at <= person.until:
            return person
        return person._replace(taken=person.taken | _words(salt, [message.text]) & (person.facts | person.said))
    usernames = [message.username] if message.username else []
    return with_namesake(salt, person, Living(message.user_id, [message.name], usernames, [message.text]))


def retells(salt: str, person: Erased, message: Message, text: str) -> bool:
    """Return whether a message retells the member.

    Args:
        text: All that it holds in words.
    """
    by = mark(salt, id_key(message.user_id))
    about = {mark(salt, id_key(each)) for each in message.origin_ids}
    if by in person.who or by in person.namesakes or not about.isdisjoint(person.namesakes):
        return False
    own = marks_of_names(salt, [message.name], [message.username] if message.username else [])
    if message.user_id > 0 and not message.is_bot and not own.isdisjoint(person.names):
        return False
    if answers(salt, person, message):
        return weighs(salt, person, text) >= ENOUGH
    return retold_by(salt, person, text)


def retold_by(salt: str, person: Erased, text: str) -> bool:
    """The same of a text that nobody said."""
    named = [(word, hit) for word, keys in names_in(text) if (hit := _mark_all(salt, keys) & person.names)]
    if not named:
        return False
    nobody_else = any(not hit <= person.shared for _, hit in named)
    # The words that are the name tell nothing beside it.
    weight = weighs(salt, person, text, but=frozenset(word for word, _ in named))
    return weight >= (ENOUGH if nobody_else else ENOUGH_OF_NAMESAKES)


def weighs(salt: str, person: Erased, text: str, *, but: frozenset[str] = frozenset()) -> int:
    """Return how much of what was erased of the member is in a text."""
    weight = 0
    for word in content_words(text):
        marks = _mark_all(salt, word.keys)
        if word.word in but or not marks.isdisjoint(person.taken):
            continue
        if not marks.isdisjoint(person.facts):
            weight += _FACT if word.telling else _SAID
        elif word.telling and not marks.isdisjoint(person.said):
            weight += _SAID
    return weight


def _words(salt: str, texts: Iterable[str]) -> Marks:
    return frozenset(each for text in texts for word in content_words(text) for each in _mark_all(salt, word.keys))


def _mark_all(salt: str, keys: Iterable[str]) -> Marks:
    return frozenset(mark(salt, key) for key in keys)
