"""Reviews suggestions: code checks their quotes and words, whoever made them (laws 1, 3, 8, 12)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, tzinfo
from enum import StrEnum
from typing import NamedTuple

from shared.domain.consolidation.days import days_in
from shared.domain.consolidation.items import MOST_QUOTES, Item, Quote, Section, Suggestion, line_text, owner_of
from shared.domain.consolidation.likeness import terms_of_words
from shared.domain.consolidation.speakers import Speakers
from shared.domain.conversation.messages import Message
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import has_injection
from shared.domain.reading.summaries.details import details_of
from shared.domain.text.data_files import word_lists
from shared.domain.text.language import Language, fold, lemma, tokens, unify_apostrophes
from shared.domain.text.names import same_name, same_stem
from shared.domain.text.plain import find_verbatim

MOST_QUOTE = 300
"""Characters kept of a quote: what it begins with is still verbatim."""

MOST_QUOTES_READ = 12
"""Quotes of one suggestion that are checked; more are no evidence but a transcript."""

_BESIDE = 8
"""Messages each way of a quoted one that may tell what it leaves to be understood."""

_LINK = re.compile(
    r"https?://\S+|www\.\S+|t\.me/\S+|(?<!\w)@\w{2,}|\b[\w-]{1,60}\.(?:com|net|org|ua|io|me|info|dev)\b\S*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_CERTAIN = 1.5
"""Weight of a detail (`details_of`) from which a line may not invent it; below it the detail is a guess itself."""
_WORDS = word_lists(__package__, "words")


class Refusal(StrEnum):
    """The reason that a suggestion was refused for."""

    EMPTY = "empty"
    WRONG_SECTION = "wrong_section"
    NO_QUOTE = "no_quote"
    UNKNOWN_MESSAGE = "unknown_message"
    NOT_VERBATIM = "not_verbatim"
    NOT_A_MEMBERS_WORDS = "not_a_members_words"
    MAY_NOT_SPEAK = "may_not_speak"
    INSTRUCTS = "instructs"
    INVENTED_DETAIL = "invented_detail"
    UNRELATED = "unrelated"


class Refused(NamedTuple):
    """A refusal, and what it is about ("" when the reason says it all)."""

    reason: Refusal
    about: str = ""


class _Support(NamedTuple):
    """The support in the quoted messages, folded: their text with what those concerned are called, their words, the
    names of those, and the days they name."""

    text: str
    forms: frozenset[str]
    names: frozenset[str]
    days: tuple[date, ...]


def verify(
    suggestion: Suggestion,
    messages: Mapping[int, Message],
    *,
    may_speak: Callable[[int], bool],
    zone: tzinfo,
    language: Language,
    known: Sequence[Item] = (),
) -> Item | Refused:
    """The item, or why there is none.

    Every quote must stand verbatim in a stored message of a member who may be quoted; the text must be about the same
    thing and name nobody, no number, day or address that the quoted messages do not. What has a name may be named by a
    message beside them ("I'll bring it", of «Carpathians»), which is quoted with them then. A due day that does not
    follow from them is left out. What is known already, in the words that it stands in, is mentioned by its day, too.

    Args:
        messages: Stored messages by id: those quoted, and those that they reply to.
        may_speak: Whether a member's words may be used (they have not opted out).
        zone: The chat's.
        language: Of the chat: in which the line's own words will be.
        known: The items so far: `same_as` may name one of them.
    """
    text = line_text(suggestion.text)
    if suggestion.section is Section.NOTES:
        return Refused(Refusal.WRONG_SECTION)
    if not any(char.isalnum() for char in text):
        return Refused(Refusal.EMPTY)
    if has_injection(text):
        return Refused(Refusal.INSTRUCTS)
    quotes = verify_quotes(suggestion.quotes, messages, may_speak=may_speak)
    if isinstance(quotes, Refused):
        return quotes
    continued = [item for item in known if item.id == suggestion.same_as and item.section is suggestion.section]
    again = next((item for item in continued if item.text == text), None)
    said, support, things = quotes, _support(quotes, messages, may_speak, zone), _things_named(text, messages)
    for invented in _find_invented(text, suggestion.section, support) if again is None else ():
        around = _quotes_beside(quotes, messages, may_speak) if invented in things else ()
        told = ((each, _support([each], messages, may_speak, zone)) for each in around)
        beside = next((each for each, says in told if all(_is_told(word, says) for word in tokens(invented))), None)
        if beside is None or len({*said, beside}) > MOST_QUOTES:
            return Refused(Refusal.INVENTED_DETAIL, invented)
        said = (*dict.fromkeys((*said, beside)),)
    if not _is_related(text, said, messages) and (again is None or again.due not in support.days):
        return Refused(Refusal.UNRELATED)
    return Item(
        section=suggestion.section,
        text=text,
        quotes=tuple(sorted(said[-MOST_QUOTES:], key=lambda q: (q.sent_at, q.message_id, q.text))),
        mentioned_at=quotes[-1].sent_at,
        started_by=quotes[0].user_id,
        starter=Speakers(list(messages.values())).short_name(quotes[0].user_id),
        due=suggestion.due if suggestion.due in support.days else None,
        language=language,
        name=next((item.name or fold(item.text) for item in continued), ""),
    )


def verify_quotes(
    quotes: Sequence[tuple[int, str]], messages: Mapping[int, Message], *, may_speak: Callable[[int], bool]
) -> tuple[Quote, ...] | Refused:
    """Quotes as they stand in stored messages, oldest first; refused as a whole when one of them is not there."""
    if not quotes:
        return Refused(Refusal.NO_QUOTE)
    found: set[Quote] = set()
    for message_id, words in quotes[:MOST_QUOTES_READ]:
        quote = _quote(messages.get(message_id), words, may_speak)
        if isinstance(quote, Refused):
            return quote
        found.add(quote)
    return tuple(sorted(found, key=lambda q: (q.sent_at, q.message_id, q.text)))


def _quotes_beside(
    quotes: Sequence[Quote], messages: Mapping[int, Message], may_speak: Callable[[int], bool]
) -> Iterator[Quote]:
    """The messages around the first that is quoted, as quotes, the nearest first."""
    ids = sorted(messages)
    at = ids.index(quotes[0].message_id)
    for place in sorted(range(max(0, at - _BESIDE), min(len(ids), at + _BESIDE + 1)), key=lambda n: (abs(n - at), n)):
        quote = _quote(messages[ids[place]], messages[ids[place]].text, may_speak) if place != at else None
        if isinstance(quote, Quote):
            yield quote


def _quote(message: Message | None, words: str, may_speak: Callable[[int], bool]) -> Quote | Refused:
    if message is None:
        return Refused(Refusal.UNKNOWN_MESSAGE)
    if not message.may_teach:
        return Refused(Refusal.NOT_A_MEMBERS_WORDS, str(message.message_id))
    if not may_speak(message.user_id):
        return Refused(Refusal.MAY_NOT_SPEAK, str(message.message_id))
    said = find_verbatim(words, message.text)
    if said is None or not any(char.isalnum() for char in said):
        return Refused(Refusal.NOT_VERBATIM, str(message.message_id))
    if is_anothers_line(message.text):
        return Refused(Refusal.NOT_A_MEMBERS_WORDS, str(message.message_id))
    if has_injection(message.text):
        return Refused(Refusal.INSTRUCTS, str(message.message_id))
    return Quote(message.message_id, message.user_id, said[:MOST_QUOTE].rstrip(), message.sent_at)


def _support(
    quotes: Sequence[Quote], messages: Mapping[int, Message], may_speak: Callable[[int], bool], zone: tzinfo
) -> _Support:
    said = [messages[quote.message_id] for quote in quotes]
    replied = [m for each in said if (m := messages.get(each.reply_to or 0)) is not None and may_speak(m.user_id)]
    text = fold(unify_apostrophes("\n".join(message.text for message in said)))
    words = frozenset(tokens(text))
    days = [day.day for m in said for day in days_in(m.text, m.sent_at.astimezone(zone).date())]
    called = " ".join(f"{m.name} @{m.username or ''}" for m in (*said, *replied))
    names = frozenset(tokens(f"{called} {called.replace('_', ' ')}"))
    told = {_WORDS[f"months_{language}"][day.month - 1] for day in days for language in ("uk", "en")}
    told |= {_WORDS[f"weekdays_{language}"][day.weekday()] for day in days for language in ("uk", "en")}
    told |= {f"{number:{width}}" for day in days for number in (day.day, day.month) for width in ("", "02")}
    told |= {str(day.year) for day in days}
    return _Support(f"{text}\n{fold(called)}", words | {lemma(word) for word in words} | told, names, tuple(days))


def _things_named(text: str, messages: Mapping[int, Message]) -> frozenset[str]:
    """The names in a line but of people: who stands first in it, and who speaks, takes part by a quoted message."""
    people = {word for message in messages.values() for word in tokens(message.name)}
    named = (each.form for each in details_of(text, begins=True) if each.kind in ("name", "place"))
    things = (form for form in named if not fold(text).startswith(form))
    return frozenset(f for f in things if not any(same_name(f, word) or same_stem(f, word) for word in people))


def _find_invented(text: str, section: Section, support: _Support) -> Iterator[str]:
    """Names, numbers, days and addresses of a line that its quoted messages do not tell."""
    for link in _LINK.findall(text):
        if fold(link).rstrip(".,!") not in support.text:
            yield link
    owner, task = owner_of(text) if section is Section.PENDING else ("", text)
    for number in _NUMBER.findall(text):
        if not any(number in _NUMBER.findall(form) for form in support.forms):
            yield number
    for detail in details_of(task, begins=True):
        certain = detail.kind in ("name", "place", "date", "number") and detail.weight >= _CERTAIN
        if certain and not all(_is_told(word, support) for word in tokens(detail.form)):
            yield detail.form
    yield from (word for word in tokens(owner) if not _is_told(word, support))


def _is_told(word: str, support: _Support) -> bool:
    if word in support.forms or lemma(word) in support.forms or word in _WORDS["said_by_rules"] or word.isdecimal():
        return True  # numbers are judged by themselves
    known = support.names | support.forms
    return any(len(other) > 2 and (same_name(word, other) or same_stem(word, other)) for other in known)


def _is_related(text: str, quotes: Sequence[Quote], messages: Mapping[int, Message]) -> bool:
    """Return whether the line and the quoted messages are about one thing: any telling word in common, in either
    script."""
    own = terms_of_words(tokens(owner_of(text)[1]))
    words = [word for quote in quotes for word in tokens(messages[quote.message_id].text)]
    return bool(own & terms_of_words(words)) or any(own & terms_of_words([word]) for word in words)
