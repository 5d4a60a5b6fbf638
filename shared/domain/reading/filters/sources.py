"""Checks a candidate's sources: every quote stands in a member's own message (laws 1 and 3).

Nor may the words be ones that the bot said first, or that a member hands on as the bot's: "According to gryag I hate
jazz" teaches nothing even when the bot's own message is long gone; "gryag, I hate jazz" only speaks to it, and what
follows a "but" is the member's own again.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from shared.domain.conversation.messages import Message, other_names
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.reading.filters.reasons import Reason, subject_user
from shared.domain.reading.guards.others_lines import is_anothers_line
from shared.domain.reading.guards.sentences import has_injection, is_retold, mentions_bot
from shared.domain.text.data_files import read_data, word_sets
from shared.domain.text.language import lemma, tokens
from shared.domain.text.names import is_cyrillic, same_name
from shared.domain.text.plain import verify_quote
from shared.domain.text.words import readings

_MIN_QUOTED_WORDS = 3
_WORDS = word_sets(__package__, "retelling")
_SOURCE = [tuple(text.split()) for text in read_data(__package__, "retelling")["sources"]]
_SENTENCE = re.compile(r"[^.!?…\n]*[.!?…\n]*")
_GAP = 3
_ENDING = 2


def refuse_source(
    candidate: Candidate, messages: Mapping[int, Message], bot_names: Sequence[str], *, corrects: bool = False
) -> Reason | None:
    """Return what is wrong with the candidate's quotes, or None; what `corrects` the bot may share its words."""
    if not candidate.evidence:
        return Reason.UNVERIFIABLE_QUOTE
    about, called = subject_user(candidate.subject), other_names(messages.values())
    for quote in candidate.evidence:
        message = messages.get(quote.message_id)
        if message is not None and is_anothers_line(message.text, called(message)):
            return Reason.FOREIGN_SOURCE
        if reason := _quote(quote, message, about):
            return reason
    first = min(candidate.evidence, key=lambda quote: (quote.sent_at, quote.message_id))
    return Reason.RETOLD_MEMORY if _is_retold(first, messages, bot_names, corrects=corrects) else None


def is_anothers(quote: str, message: Message) -> bool:
    """Return whether the words are those that the author quoted from the message replied to; "+1" is anybody's."""
    return bool(message.quote) and len(tokens(quote)) >= _MIN_QUOTED_WORDS and verify_quote(quote, message.quote or "")


def _quote(quote: Evidence, message: Message | None, about: int | None) -> Reason | None:
    if message is None or not verify_quote(quote.quote, message.text):
        return Reason.UNVERIFIABLE_QUOTE
    if not message.may_teach or is_anothers(quote.quote, message):
        return Reason.FOREIGN_SOURCE
    if message.user_id != quote.user_id or (about is not None and about != message.user_id):
        return Reason.WRONG_AUTHOR
    return Reason.INJECTION_MARKER if has_injection(message.text) else None


def _is_retold(quote: Evidence, messages: Mapping[int, Message], bot_names: Sequence[str], *, corrects: bool) -> bool:
    message = messages[quote.message_id]
    earlier = [m for m in messages.values() if m.message_id < message.message_id and m.sent_at <= message.sent_at]
    speeches = () if corrects else [m.text for m in earlier if m.is_bot and m.text]
    after_bot = _follows_bot(message, earlier, bot_names)
    return is_retelling(quote.quote, message.text, speeches, bot_names, after_bot=after_bot)


def _follows_bot(message: Message, earlier: Sequence[Message], bot_names: Sequence[str]) -> bool:
    """Return whether the message answers talk of or about the bot, or comes right after it and answers nobody else."""
    last = max((m.message_id for m in earlier), default=None)
    answered = last if message.reply_to is None else message.reply_to
    return any(m.is_bot or mentions_bot(m.text, bot_names) for m in earlier if m.message_id == answered)


def is_retelling(quote: str, text: str, told: Sequence[str], bot_names: Sequence[str], *, after_bot: bool) -> bool:
    """Return whether a quote hands on what the bot said.

    Args:
        text: The message that the quote is of.
        told: What bots said before.
        after_bot: Whether the message follows or answers one of the bot, so that "it said" is the bot.
    """
    parts = ([part for part in _SENTENCE.findall(speech) if part.strip()] for speech in told)
    # What a bot asks is no statement: the answer to it is the member's own.
    stated = (" ".join(part for part in speech if not part.rstrip().endswith("?")) for speech in parts)
    if is_retold(quote, [speech for speech in stated if speech]):
        return True
    return _hands_on(_context(quote, text), quote, bot_names, after_bot=after_bot)


def _context(quote: str, text: str) -> str:
    """The text from the beginning of the sentence in which the quote begins up to the quote's end."""
    start = text.find(quote)
    if start < 0:
        return quote
    begin = max(text.rfind(mark, 0, start) for mark in ".!?…\n") + 1
    return text[begin : start + len(quote)]


def _hands_on(context: str, quote: str, bot_names: Sequence[str], *, after_bot: bool) -> bool:
    words = tokens(context)
    end = _frame(words, [tokens(name) for name in bot_names if tokens(name)])
    if end is None and after_bot:
        end = _frame_after_bot(words)
    if end is None:
        return False
    own = next((at for at in range(end, len(words)) if words[at] in _WORDS["but"]), None)
    return own is None or len(words) - own < len(tokens(quote)) / 3


def _frame(words: Sequence[str], names: Sequence[Sequence[str]]) -> int | None:
    for at in range(len(words)):
        end = _skip_bot_name(words, at, names)
        if end is None:
            continue
        if any(tuple(words[max(0, at - len(source)) : at]) == source for source in _SOURCE):
            return end
        if (said := _skip_verb(words, end, plain=False)) is not None:
            return said
    return None


def _skip_bot_name(words: Sequence[str], at: int, names: Sequence[Sequence[str]]) -> int | None:
    if words[at].removesuffix("'s") in _WORDS["bots"]:
        return at + 1
    for name in names:
        spoken = [word.removesuffix("'s") for word in words[at : at + len(name)]]
        if len(spoken) == len(name) and all(map(_is_called, spoken, name)):
            return at + len(name)
    return None


@lru_cache(maxsize=20_000)
def _is_called(word: str, name: str) -> bool:
    """Return whether a word is the name, in either script and any case ("за словами гряга")."""
    return same_name(word, name) or (is_cyrillic(word) and word.startswith(name) and len(word) - len(name) <= _ENDING)


def _skip_verb(words: Sequence[str], at: int, *, plain: bool) -> int | None:
    """Return where a verb of saying ends that stands here, fillers apart; a plain form only where one is allowed."""
    helped = plain
    for place in range(at, min(len(words), at + _GAP + 1)):
        word = words[place]
        if lemma(word) in _WORDS["say"] or word in _WORDS["say"]:
            return place + 1 if helped or _is_third_person(word) else None
        if word not in _WORDS["fillers"]:
            return None
        helped = helped or word in ("does", "did")
    return None


def _is_third_person(word: str) -> bool:
    """Told apart from a plea to the bot: "gryag remembers", not "gryag, remember"."""
    if word.isascii():
        return lemma(word) != word or word == "thought"
    return "#imp" not in readings(word) and "#inf" not in readings(word)


def _frame_after_bot(words: Sequence[str]) -> int | None:
    at = next((at for at, word in enumerate(words) if word not in _WORDS["openers"]), None)
    if at is None:
        return None
    if words[at] in _WORDS["hearsay"]:
        return at + 1
    return _skip_verb(words, at + 1, plain=True) if words[at] in _WORDS["speakers"] else None
