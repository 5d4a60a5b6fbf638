"""Findings about the chat in a sentence: rules, customs, plans, and wishes that others have to share."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from shared.domain.conversation.messages import Message
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching import terms
from shared.domain.reading.matching.clauses import Sentence, language_of, sentences
from shared.domain.reading.matching.rows import Listener, PatternFinding, clip, label, slot_value, trim, value_of
from shared.domain.reading.matching.tables import read_marks
from shared.domain.reading.matching.whole_values import without_edges
from shared.domain.reading.patterns.chat import calendar, rules
from shared.domain.reading.patterns.chat.rule_texts import without_heading
from shared.domain.reading.patterns.row_tables import chat_table
from shared.domain.text.data_files import expressions, word_lists
from shared.domain.text.words import analyse

_SAYS = expressions(__package__, "findings")
_LASTING = read_marks(__package__, "wishes", word_lists(__package__, "wish_lists"))
_BORDER = re.compile(r"[,:;()]")
_CONDITIONAL_KEYS = frozenset({"chat_norm", "running_joke"})
_YIELD_TO_CALENDAR = frozenset({"norm", "shared_knowledge", "culture"})


def chat_findings(message: Message, sentence: Sentence, listener: Listener) -> Iterator[PatternFinding]:
    """Yield what a sentence says about the chat: its rules, else the first of what the tables and the calendar find."""
    text, admin = sentence.text, message.is_by_admin(listener.admins)
    if not admin and (guards.has_link(text) or guards.mentions_bot(text, listener.bot_names)):
        return
    decreed = not admin and bool(_SAYS["decrees"].search(text))
    if guards.is_reported(text) or guards.is_about_another_group(text):
        # Before it turns to others a sentence may say something of the chat: "we reply at night, by day all work".
        open_ = decreed or sentence.question or guards.is_question(text) or guards.is_hypothetical(text)
        if not open_ and (said := _find_about_chat(message, sentence)):
            yield said
        return
    proposing = rules.proposes(text) or without_if(text) != text
    if language := _language(message, sentence, admin=admin, proposing=proposing):
        yield language
        return
    ruled = list(_rules(message, sentence, listener, proposing=proposing))
    described = None
    if proposing and not decreed:
        described = _proposal(message, sentence)
    elif not decreed and (not sentence.question or _SAYS["reminds"].match(text)):
        described = _statement(message, sentence)
    # What a member says about customs ("we generally don't tag everyone") reads like a rule, but lays down none.
    # A member who says "rule: …" does lay one down, or tries to: it holds only with others' support.
    called_rule = any(item.row == "stated" for item in ruled)
    if ruled and (admin or proposing or called_rule or described is None):
        yield from ruled
    elif described is not None:
        yield described


def without_if(text: str) -> str:
    """The text without an "if" that proposes ("what if we used polls") rather than binds to a condition."""
    return _SAYS["if_we"].sub(" ", text)


def is_lasting(text: str) -> bool:
    """Return whether a proposal is about how things should be from now on ("more cats", "let's use threads")."""
    return _LASTING[language_of(text)].mark(analyse(text))


def _finding(message: Message, sentence: Sentence, category: str, row: str, **changes: Any) -> PatternFinding:
    said = without_heading(sentence.text)
    fields = {"kind": "statement", "key": "", "value": value_of(said), "confidence": 0.8, **changes}
    fields.setdefault("description", label(category, language_of(said), said))
    return PatternFinding(row=row, message=message, sentence=sentence, subject="chat", category=category, **fields)


def _language(message: Message, sentence: Sentence, *, admin: bool, proposing: bool) -> PatternFinding | None:
    """A choice of the chat's language: an admin's order is a rule, anybody's wish a preference once others agree."""
    choice = rules.language_choice(sentence.text)
    if choice is None or (sentence.question and not proposing):
        return None
    if terms.day(sentence.text) or guards.is_momentary(sentence.text):
        return None  # on Fridays, today: not what the chat speaks
    spoken, only = choice
    chosen: dict[str, Any] = {"value": spoken, "single": True}
    if admin and only and not proposing:
        return _finding(
            message, sentence, "rule", "language_rule", kind="rule", key="language_rule", confidence=0.92, **chosen
        )
    if not proposing and (guards.is_hypothetical(sentence.text) or not _SAYS["group"].search(sentence.text)):
        return None
    return _finding(
        message, sentence, "preference", "language_preference", kind="proposal" if proposing else "statement", needs=1,
        key="language_preference", confidence=0.82,
        description=terms.language_of_chat(spoken, language_of(sentence.text)), **chosen,
    )  # fmt: skip


def _rules(message: Message, sentence: Sentence, listener: Listener, *, proposing: bool) -> Iterator[PatternFinding]:
    text, admin = sentence.text, message.is_by_admin(listener.admins)
    asks = sentence.question or (guards.is_question(text) and not _SAYS["punishes"].search(text))
    if not proposing and (asks or _is_unsure(text)):
        return
    needs = 0 if admin and not asks and not _is_unsure(text) else listener.consensus - 1
    for rule in rules.rules_in(text, message.text, proposed=proposing and not admin):
        yield _finding(message, sentence, "rule", kind="rule", needs=needs, confidence=0.92, **rule._asdict())


def _is_unsure(text: str) -> bool:
    """Hypothetical, apart from the condition that a rule may well state ("if you post ads, …")."""
    return guards.is_hypothetical(re.sub(r"(?<!\w)(?:if|unless)(?!\w)", " ", text, flags=re.IGNORECASE))


def _proposal(message: Message, sentence: Sentence) -> PatternFinding | None:
    """A wish for how things should be, which counts once somebody else supports it."""
    text = sentence.text
    if _SAYS["supposed"].search(without_if(text)) or guards.is_about_another_group(text):
        return None
    if not sentence.question and (found := calendar.tradition_in(text) or calendar.event_in(text)):
        return from_calendar(message, sentence, found, kind="proposal", needs=1)
    if is_lasting(text) and not guards.is_momentary(text):
        return _finding(message, sentence, "preference", "proposal", kind="proposal", needs=1, key="group_preference")
    return None


def _statement(message: Message, sentence: Sentence) -> PatternFinding | None:
    """Return what a sentence says of the chat; only a custom may be bound to a condition ("if you are late, …")."""
    text = sentence.text
    unbound = _SAYS["if"].sub(" ", _SAYS["opinion"].sub(" ", text))
    if guards.is_question(text) or guards.is_hypothetical(unbound) or guards.is_conditional(unbound):
        return None
    said = _find_about_chat(message, sentence)
    if _SAYS["if"].search(text) and guards.is_conditional(text):
        if said and said.key in _CONDITIONAL_KEYS:
            return said
        # What is done here whenever something happens ("якщо хтось питає…, кидаємо лінк") is a norm with its condition.
        done = rules.custom_in(text)
        return _finding(message, sentence, "norm", "custom", key="custom", value=value_of(done)) if done else None
    if _SAYS["opinion"].search(text):
        return replace(said, needs=max(1, said.needs)) if said else None
    yields = said is None or (said.category in _YIELD_TO_CALENDAR and said.key != "running_joke")
    if yields or (said and said.category != "topic" and calendar.is_named_tradition(text)):
        return _schedule(message, sentence) or said
    return said


def _find_about_chat(message: Message, sentence: Sentence) -> PatternFinding | None:
    words, lang = analyse(sentence.text), language_of(sentence.text)
    momentary = guards.is_momentary(sentence.text)
    for row, phrase in chat_table(lang).possible(words):
        if momentary and not row.momentary:
            continue
        if (found := phrase.search(words)) and not _is_of_others(sentence.text, found.start, found.end):
            captured = without_edges(trim(found.group("what")))
            return _finding(
                message, sentence, row.category, row.name, key=row.key, needs=int(row.needs_support),
                value=slot_value(captured) if captured else value_of(sentence.text), confidence=row.confidence,
            )  # fmt: skip
    return None


def _is_of_others(text: str, start: int, end: int) -> bool:
    """Return whether what was found is hearsay (by the words around it) or, up to the next comma, of another group."""
    border = _BORDER.search(text, end)
    told = text[: border.start()] if border else text
    around = f"{text[:start]} , {told[end:]}"
    return guards.is_about_another_group(told) or guards.is_reported(around) or guards.is_quoted(text[end:])


def _schedule(message: Message, sentence: Sentence) -> PatternFinding | None:
    text = sentence.text
    found = calendar.tradition_in(text) or calendar.event_in(text)
    if not found:  # a date may be told in the sentence after the event's name, or before it
        told = [each.text for each in sentences(message.text)]
        at = told.index(text) if text in told else 0
        found = calendar.event_over(told[at - 1], text) if at else None
    return from_calendar(message, sentence, found) if found else None


def from_calendar(
    message: Message, sentence: Sentence, found: calendar.CalendarFinding, **changes: Any
) -> PatternFinding:
    """Return what a sentence says about the calendar, as a finding; a statement that needs nobody, unless changed."""
    fields = found._asdict() | {"row": found.category, "description": clip(found.description)} | changes
    return _finding(message, sentence, **fields)
