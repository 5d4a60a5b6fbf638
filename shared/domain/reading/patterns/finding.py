"""Findings in one message, sentence by sentence, before anybody else is heard."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.domain.conversation.messages import Message
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching.clauses import Sentence, clean, sentences
from shared.domain.reading.matching.rows import Listener, PatternFinding
from shared.domain.reading.patterns.answers import OpenQuestion
from shared.domain.reading.patterns.chat.findings import chat_findings
from shared.domain.reading.patterns.chat.rules import only_threatens
from shared.domain.reading.patterns.member_findings import member_findings
from shared.domain.text.data_files import join_expression, read_data
from shared.domain.text.names import is_garbled

_POLITE = tuple(
    (re.compile(join_expression(row["expression"]), re.IGNORECASE), row["plain"])
    for row in read_data(__package__, "finding")["polite"]
)
_ALSO_OF_MEMBERS = frozenset({"shared_experience", "group_history"})


Answered = Sequence[tuple[OpenQuestion, Sequence[Sentence]]]
"""The questions that a message answers, each with the statements that the answer may stand for (see `answers`)."""


def findings_in(message: Message, listener: Listener, answered: Answered = ()) -> list[PatternFinding]:
    """Everything that a message says which may be worth remembering; nothing when its words are not meant.

    What it answers is read only where the message itself says nothing.
    """
    text = clean(message.text)
    if guards.has_injection(message.text) or guards.is_ironic(text) or guards.is_sung(message.text):
        return []
    found: list[PatternFinding] = []
    to_bot, dictated = _addresses_bot(text, listener), guards.dictates_memory(text)
    if to_bot and guards.is_request(_without_address(text, listener)):
        return []
    for spoken in sentences(message.text):
        sentence = replace(spoken, text=_say_plainly(_without_address(spoken.text, listener)))
        if guards.is_retold(sentence.text, listener.told):
            continue
        about_chat = [] if to_bot or dictated else list(chat_findings(message, sentence, listener))
        laid_down = [item.sentence.text for item in found if item.category == "rule"]
        about_chat = [item for item in about_chat if not only_threatens(item.row, item.sentence.text, laid_down)]
        found.extend(about_chat[:3])
        if not about_chat or all(item.needs and item.key in _ALSO_OF_MEMBERS for item in about_chat):
            found.extend(member_findings(message, sentence, listener))
    if not found and not to_bot:
        found.extend(_from_answers(message, listener, answered))
    return _distinct([item for item in found if not is_garbled(item.value)])


def _from_answers(message: Message, listener: Listener, answered: Answered) -> Iterator[PatternFinding]:
    """Return, for each question, the first reading of the answer that a row believes."""
    for question, readings in answered:
        read = chat_findings if question.about_chat else member_findings
        found = next(filter(None, (list(read(message, reading, listener)) for reading in readings)), [])
        yield from (replace(item, answers=question.message.message_id) for item in found)


def _addresses_bot(text: str, listener: Listener) -> bool:
    folded = text.casefold()
    start = folded.lstrip("@ ")
    names = [name.casefold() for name in listener.bot_names if name and name.casefold() in folded]
    return any(f"@{name}" in folded or re.match(rf"{re.escape(name)}(?!\w)", start) for name in names)


def _without_address(text: str, listener: Listener) -> str:
    folded = text.casefold()
    for name in listener.bot_names:
        if name and name.casefold() in folded:
            called = re.escape(name)
            text = re.sub(rf"^@?{called}(?!\w)[,:!]?\s*|,?\s*@?{called}$", "", text, flags=re.IGNORECASE)
    return text


def _say_plainly(text: str) -> str:
    """Polite wishes in plain words: "I'd love to see Iceland" is no hypothesis."""
    if "d " not in text.casefold() and "хот" not in text.casefold():
        return text
    for polite, plain in _POLITE:
        text = polite.sub(plain, text)
    return text


def _distinct(found: Sequence[PatternFinding]) -> list[PatternFinding]:
    """Drop what another finding of the same sentence and category already holds."""
    kept: list[PatternFinding] = []
    for item in found:
        alike = (each for each in kept if (each.subject, each.category) == (item.subject, item.category))
        twins = (each for each in alike if item.value in each.value or each.value in item.value)
        if not any(each.sentence == item.sentence for each in twins):
            kept.append(item)
    return kept
