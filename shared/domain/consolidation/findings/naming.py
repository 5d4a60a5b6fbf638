"""A name that a group chooses for what it is doing: "what do we call the fair?", "Spring Fling it is then"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.domain.consolidation.items import MOST_TEXT, Item, Section, Suggestion
from shared.domain.consolidation.likeness import telling_terms
from shared.domain.conversation.messages import Message
from shared.domain.reading.matching.clauses import Sentence, sentences
from shared.domain.text.language import fold, tokens

NAMED_WITHIN = 12
"""Messages before a chosen name among which the question is looked for."""

_NAME = r"[«\"“]?(?P<name>[^\W\d_a-zа-яіїєґ][\w'&-]*(?: (?:[^\W_a-zа-яіїєґ][\w'&-]*|\d+)){0,3})[»\"”]?"
_CHOSEN = re.compile(
    rf"^(?:(?:ok|okay|so|well|right|then),? )?{_NAME} it is\b"
    rf"|^(?:(?i:ок|тоді|отже|ну)[, ]+)?(?i:називаємо(?:сь|ся)?|назвемо(?:сь|ся)?|хай буде|нехай буде|буде)[: ]+"
    rf"{_NAME.replace('name', 'uk')}"
)
_ASKS_NAME = re.compile(r"\b(?:names?|call|назв\w+|називати\w*|назива\w+)\b", re.IGNORECASE)


def rename_item(item: Item, messages: Sequence[Message]) -> Suggestion | None:
    """The item with the name that was chosen for it last, or None.

    Args:
        messages: Earnest ones in the order of the talk.
    """
    found = None
    for place, message in enumerate(messages):
        for sentence in sentences(message.text):
            chosen = "" if sentence.question else _find_chosen_name(sentence)
            asked = _find_naming_question(item, messages[max(0, place - NAMED_WITHIN) : place]) if chosen else None
            if asked is not None and fold(chosen) not in fold(item.text):
                text = f"{item.text.partition(' (')[0]} ({chosen})"[:MOST_TEXT]
                quotes = (asked.message_id, asked.text), (message.message_id, sentence.quote)
                found = Suggestion(Section.ONGOING, text, quotes, same_as=item.id)
    return found


def _find_chosen_name(sentence: Sentence) -> str:
    match = _CHOSEN.match(sentence.text)
    return "" if match is None else match["name"] or match["uk"]


def _find_naming_question(item: Item, before: Sequence[Message]) -> Message | None:
    """Return who asked, shortly before, what the item is to be called."""
    terms, said = telling_terms(tokens(item.text)), fold(item.text)
    for message in reversed(before):
        if _ASKS_NAME.search(message.text):
            about = terms & telling_terms(tokens(message.text)) or said in fold(message.text)
            return message if about else None
    return None
