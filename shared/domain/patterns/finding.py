"""What one message says, sentence by sentence, before anybody else is heard."""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from shared.domain.language import Language
from shared.domain.messages import Message
from shared.domain.patterns import calendar, guards, rules, terms, vocabulary_en, vocabulary_uk
from shared.domain.patterns.chat_en import CHAT_EN
from shared.domain.patterns.chat_uk import CHAT_UK
from shared.domain.patterns.clauses import Sentence, after, clauses, clean, language_of, sentences
from shared.domain.patterns.en_identity import IDENTITY_EN
from shared.domain.patterns.en_life import LIFE_EN
from shared.domain.patterns.phrases import Found, Phrase
from shared.domain.patterns.rows import (
    Finding,
    Row,
    clip,
    compiled,
    describe_member,
    label,
    slot_value,
    trim,
    unique_names,
    value_of,
)
from shared.domain.patterns.tables import Table
from shared.domain.patterns.uk_identity import IDENTITY_UK
from shared.domain.patterns.uk_life import LIFE_UK
from shared.domain.words import Words, analyse

LISTS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {"uk": vocabulary_uk.LISTS, "en": vocabulary_en.LISTS}
CONSENSUS_SUPPORTERS = 2
"""Supporters besides the proposer without whom a member's proposal of a rule does not count (law 5)."""

MEMBERS = {"uk": unique_names([*IDENTITY_UK, *LIFE_UK]), "en": unique_names([*IDENTITY_EN, *LIFE_EN])}
CHAT = {"uk": CHAT_UK, "en": CHAT_EN}


@cache
def member_table(lang: Language) -> Table:
    """The rows about members in one language."""
    return Table([row for row in MEMBERS[lang] if row.phrases], LISTS[lang])


@cache
def chat_table(lang: Language) -> Table:
    """The rows about the chat in one language."""
    return Table([row for row in CHAT[lang] if row.phrases], LISTS[lang])


_LEAD = re.compile(
    r"^(?:а|ну|та|і|й|о|так|ага|от|ось|бо|тоді|взагалі|насправді|чесно|чесно кажучи|якщо чесно|до речі|доречі|між іншим|коротше|просто|загалом|особисто|"
    r"привіт|вітаю|всім привіт|привіт усім|привіт всім|добрий день|добрий вечір|люди|народ|друзі|хлопці|дівчата|не повірите|знаєте|слухайте|"
    r"well|so|and|but|yeah|yes|yep|no|nah|actually|honestly|personally|oh|ah|fun fact|fwiw|tbh|btw|by the way|also|ok|okay|nice|cool|hi|hello|hey|"
    r"hi all|hi everyone|hey all|hi there|same|lol|haha|as for me|for me|guys|folks|fyi|anyway|in fact|ooh|wow|true|ні|не знаю як хто|а от|а я|ой|ех|hm+|наприклад)(?:[\s,]+|$)(?=\S)",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?<!\w)(?:не|ні|ніколи|never|didn't|haven't|not|don't|hasn't|won't)(?!\w)", re.IGNORECASE)
_PUNISHES = compiled(r"<b>(?:бан|мут|кік|вилетить|вилітає|banned|muted|kicked|removed)<e>")
_WISH = re.compile(r"(?<!\w)(?:i'd|i would) (?:really |so )?(?:love|like) to(?!\w)", re.IGNORECASE)
_WISH_UK = re.compile(r"(?<!\w)(?:хот[іи]в|хотіла|хотілося|хотілось) б(?:и)?(?!\w)", re.IGNORECASE)
_RATHER = re.compile(r"(?<!\w)(?:we'd|we would) (?:much )?rather(?!\w)", re.IGNORECASE)
_NEGATIVE_KEYS = ("dislikes", "diet")
_MAX_LEADS = 5
_OPENERS = frozenset({
    ",", "–", "and", "but", "so", "or", "because", "however", "though",
    "або", "але", "а", "і", "й", "та", "тому", "бо", "зате", "проте", "однак",
})  # fmt: skip
_WANTS_TOPIC = compiled(r"<b>(?:давайте|let's|пропоную|i suggest|i propose|how about we)<e>")
_MORE = compiled(r"<b>(?:більше|частіше|менше|рідше|краще|more|less|fewer|often|rather|instead)<e>")


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is listening, and what was already said.

    Attributes:
        bot_names: Names under which the bot is addressed.
        told: What bots said before this message: repeating it teaches nothing.
        admins: Members whose word makes a rule.
    """

    bot_names: tuple[str, ...]
    told: tuple[str, ...]
    admins: frozenset[int]

    def is_admin(self, message: Message) -> bool:
        """Whether the author may lay down rules."""
        return message.is_admin is True or message.user_id in self.admins


def findings_in(message: Message, listener: Listener) -> list[Finding]:
    """Everything that a message says which may be worth remembering; nothing when its words are not meant."""
    text = clean(message.text)
    if guards.has_injection(message.text) or guards.is_ironic(text):
        return []
    found: list[Finding] = []
    to_bot, dictated = _addressed_to_bot(text, listener), guards.dictates_memory(text)
    for spoken in sentences(message.text):
        sentence = replace(spoken, text=_plainly(_without_address(spoken.text, listener)))
        if guards.is_retold(sentence.text, listener.told):
            continue
        about_chat = [] if to_bot or dictated else list(_chat_findings(message, sentence, listener))
        found.extend(about_chat[:3])
        if not about_chat or all(item.category == "shared_knowledge" for item in about_chat):
            found.extend(_member_findings(message, sentence, listener))
    return _distinct(found)


def _addressed_to_bot(text: str, listener: Listener) -> bool:
    start = text.lstrip("@ ").casefold()
    return any(re.match(rf"{re.escape(name.casefold())}(?!\w)", start) for name in listener.bot_names if name) or any(
        f"@{name.casefold()}" in text.casefold() for name in listener.bot_names if name
    )


def _without_address(text: str, listener: Listener) -> str:
    for name in listener.bot_names:
        text = (
            re.sub(rf"^@?{re.escape(name)}(?!\w)[,:!]?\s*|,?\s*@?{re.escape(name)}$", "", text, flags=re.IGNORECASE)
            if name
            else text
        )
    return text


def _plainly(text: str) -> str:
    """Polite wishes in plain words: "I'd love to see Iceland" is no hypothesis."""
    wished = _WISH_UK.sub("хочу", _WISH.sub("I want to", text))
    return _RATHER.sub("we prefer to", wished)


def _distinct(found: Sequence[Finding]) -> list[Finding]:
    """Without what another finding of the same sentence and category already holds."""
    kept: list[Finding] = []
    for item in found:
        twin = any(
            item.subject == other.subject
            and item.category == other.category
            and item.sentence == other.sentence
            and (item.value in other.value or other.value in item.value)
            for other in kept
        )
        if not twin:
            kept.append(item)
    return kept


# --- members ---------------------------------------------------------------------------------


def _member_findings(message: Message, sentence: Sentence, listener: Listener) -> Iterator[Finding]:
    text = sentence.text
    if (
        sentence.question
        or guards.is_conditional(text)
        or guards.is_quoted(text)
        or guards.mentions_bot(text, listener.bot_names)
    ):
        return
    if found := list(_said_by_member(message, sentence)):
        yield from found
        return
    taken: set[str] = set()
    for raw in clauses(text):
        clause = _without_lead(raw)
        if guards.is_hypothetical(clause) or any(clause in known for known in taken):
            continue
        if finding := _member_finding(message, sentence, clause):
            taken.add(finding.value)
            yield finding


def _said_by_member(message: Message, sentence: Sentence) -> Iterator[Finding]:
    """What the tables find where statements begin; one statement ends where the next begins."""
    words = analyse(sentence.text)
    lang = language_of(sentence.text)
    tried = member_table(lang).possible(words)
    if not tried:
        return
    matches = [match for at in statement_starts(words, lang) if (match := _first(tried, words, at))]
    for number, (row, found) in enumerate(matches):
        following = matches[number + 1][1].start if number + 1 < len(matches) else None
        if finding := _of_member(row, found, message, sentence, following):
            yield finding


def _first(tried: Sequence[tuple[Row, Phrase]], words: Words, at: int) -> tuple[Row, Found] | None:
    return next(((row, found) for row, phrase in tried if (found := phrase.match(words, at))), None)


def statement_starts(words: Words, lang: Language) -> list[int]:
    """Positions in `words.code` where a statement may begin: after a border or a conjunction, leading words aside."""
    starts: list[int] = []
    fresh = True
    leading = LISTS[lang]["lead"]
    for at in words.starts:
        form = words.code[at + 1 : words.code.index("|", at)]
        if fresh:
            starts.append(at)
        fresh = form in _OPENERS or (fresh and form in leading)
    return starts


def _of_member(row: Row, found: Found, message: Message, sentence: Sentence, following: int | None) -> Finding | None:
    clause = sentence.text[
        found.start : sentence.text.find(",", found.end) if "," in sentence.text[found.end :] else None
    ]
    if guards.is_hypothetical(clause) or (not row.momentary and guards.is_momentary(clause)):
        return None
    groups = {name: trim(_before(text, sentence.text, following)) for name, text in found.groups().items()}
    captured = groups.get("what") or " ".join(filter(None, groups.values()))
    value = slot_value(captured)
    if not any(char.isalnum() for char in value) or guards.has_link(captured):
        return None
    tail = after(sentence.text[found.start : found.end], sentence.text)[found.end - found.start :]
    return Finding(
        row=row.name, kind="statement", message=message, sentence=sentence, subject=f"user:{message.user_id}",
        category=row.category, key=row.key, value=value, confidence=row.confidence, single=row.single,
        description=clip(" ".join(f"{row.description.format(**groups).strip()}{tail}".split())),
    )  # fmt: skip


def _before(text: str, whole: str, following: int | None) -> str:
    """A capture without the statement that begins inside it."""
    start = whole.find(text)
    return text if following is None or start + len(text) <= following else text[: max(0, following - start)]


def _without_lead(clause: str) -> str:
    for _ in range(_MAX_LEADS):
        shorter = _LEAD.sub("", clause, count=1)
        if shorter == clause:
            break
        clause = shorter
    return clause


def _member_finding(message: Message, sentence: Sentence, clause: str) -> Finding | None:
    for row in MEMBERS[language_of(clause)]:
        if row.phrases:
            continue
        match = row.pattern.search(clause)
        if match and (row.momentary or not guards.is_momentary(clause)):
            return _member(row, match, message, sentence, clause)
    return None


def _member(row: Row, match: re.Match[str], message: Message, sentence: Sentence, clause: str) -> Finding | None:
    if row.key not in _NEGATIVE_KEYS and _NEGATED.search(clause[match.start() : _content_start(match)]):
        return None
    captured = " ".join(trim(group) for group in match.groups() if group)
    value = value_of(captured)
    if not any(char.isalnum() for char in value) or guards.has_link(captured):
        return None
    tail = after(clause, sentence.text)[len(clause) :] if match.end() >= len(clause) else ""
    return Finding(
        row=row.name,
        kind="statement",
        message=message,
        sentence=sentence,
        subject=f"user:{message.user_id}",
        category=row.category,
        key=row.key,
        value=value,
        description=describe_member(row, match, tail),
        confidence=row.confidence,
        single=row.single,
    )


def _content_start(match: re.Match[str]) -> int:
    return min((match.start(index) for index in range(1, match.re.groups + 1) if match.start(index) >= 0), default=0)


# --- the chat --------------------------------------------------------------------------------


def _chat_findings(message: Message, sentence: Sentence, listener: Listener) -> Iterator[Finding]:
    """What a sentence says about the chat: its rules, else the first of what the tables and the calendar find."""
    text = sentence.text
    if guards.has_injection(text) or guards.is_reported(text) or guards.is_about_another_group(text):
        return
    admin = listener.is_admin(message)
    if not admin and (guards.has_link(text) or guards.mentions_bot(text, listener.bot_names)):
        return
    proposing = bool(rules.PROPOSES.search(text))
    language = _language(message, sentence, admin=admin, proposing=proposing)
    if language is not None:
        yield language
        return
    ruled = list(_rules(message, sentence, admin=admin, proposing=proposing))
    described = _described(message, sentence, proposing=proposing)
    # What a member says about customs ("we generally don't tag everyone") reads like a rule, but lays down none.
    if ruled and (admin or proposing or described is None):
        yield from ruled
    elif described is not None:
        yield described


def _described(message: Message, sentence: Sentence, *, proposing: bool) -> Finding | None:
    if sentence.question or guards.is_conditional(sentence.text):
        return None
    return _proposal(message, sentence) if proposing else _statement(message, sentence)


def _finding(message: Message, sentence: Sentence, category: str, row: str, **changes: object) -> Finding:
    base = Finding(
        row=row,
        kind="statement",
        message=message,
        sentence=sentence,
        subject="chat",
        category=category,
        key="",
        value=value_of(sentence.text),
        description=label(category, language_of(sentence.text), sentence.text),
        confidence=0.8,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def _language(message: Message, sentence: Sentence, *, admin: bool, proposing: bool) -> Finding | None:
    """A choice of the chat's language: an admin's order is a rule, anybody's wish a preference once others agree."""
    choice = rules.language_choice(sentence.text)
    if choice is None or (sentence.question and not proposing):
        return None
    spoken, only = choice
    if admin and only and not proposing:
        return _finding(
            message,
            sentence,
            "rule",
            "language_rule",
            kind="rule",
            key="language_rule",
            value=spoken,
            single=True,
            confidence=0.92,
        )
    if not proposing and not compiled(
        r"<b>(?:ми|тут|у нас|в нас|чат\w*|we|here|this (?:chat|group)|everyone)<e>"
    ).search(sentence.text):
        return None
    if not proposing and guards.is_hypothetical(sentence.text):
        return None
    kind, needs = ("proposal", 1) if proposing else ("statement", 1)
    return _finding(
        message, sentence, "preference", "language_preference", kind=kind, needs=needs,
        key="language_preference", value=spoken, single=True, confidence=0.82,
        description=terms.language_of_chat(spoken, language_of(sentence.text)),
    )  # fmt: skip


def _rules(message: Message, sentence: Sentence, *, admin: bool, proposing: bool) -> Iterator[Finding]:
    text = sentence.text
    asks = sentence.question or (guards.is_question(text) and not _PUNISHES.search(text))
    if not proposing and (asks or _is_unsure(text)):
        return
    decides = admin and not asks and not _is_unsure(text)
    needs = 0 if decides else CONSENSUS_SUPPORTERS
    for row, key, value, description in rules.rules_in(text, message.text):
        yield _finding(
            message, sentence, "rule", row, kind="rule", needs=needs,
            key=key, value=value, description=description, confidence=0.92,
        )  # fmt: skip


def _is_unsure(text: str) -> bool:
    """Hypothetical, apart from the condition that a rule may well state ("if you post ads, …")."""
    return guards.is_hypothetical(re.sub(r"(?<!\w)(?:if|unless)(?!\w)", " ", text, flags=re.IGNORECASE))


def _proposal(message: Message, sentence: Sentence) -> Finding | None:
    """A wish for how things should be, which counts once somebody else supports it."""
    text = sentence.text
    if found := calendar.tradition_in(text) or calendar.event_in(text):
        return _from_calendar(message, sentence, found, kind="proposal", needs=1)
    if _WANTS_TOPIC.search(text) and _MORE.search(text) and not guards.is_momentary(text):
        return _finding(message, sentence, "preference", "proposal", kind="proposal", needs=1, key="group_preference")
    return None


def _statement(message: Message, sentence: Sentence) -> Finding | None:
    text = sentence.text
    if guards.is_question(text) or guards.is_hypothetical(text):
        return None
    return _from_table(message, sentence) or _scheduled(message, sentence)


def _from_table(message: Message, sentence: Sentence) -> Finding | None:
    text = sentence.text
    if finding := _said_of_chat(message, sentence):
        return finding
    for row in CHAT[language_of(text)]:
        if row.phrases:
            continue
        match = row.pattern.search(text)
        if match is None or (not row.momentary and guards.is_momentary(text)) or _is_denied(row, match, text):
            continue
        captured = next((trim(group) for group in match.groups() if group), "")
        return _finding(
            message, sentence, row.category, row.name, key=row.key, needs=int(row.needs_support),
            value=value_of(captured or text), confidence=row.confidence,
        )  # fmt: skip
    return None


def _said_of_chat(message: Message, sentence: Sentence) -> Finding | None:
    words, lang = analyse(sentence.text), language_of(sentence.text)
    for row, phrase in chat_table(lang).possible(words):
        if not row.momentary and guards.is_momentary(sentence.text):
            continue
        if found := phrase.search(words):
            captured = trim(found.group("what"))
            return _finding(
                message, sentence, row.category, row.name, key=row.key, needs=int(row.needs_support),
                value=slot_value(captured) if captured else value_of(sentence.text), confidence=row.confidence,
            )  # fmt: skip
    return None


def _is_denied(row: Row, match: re.Match[str], text: str) -> bool:
    """Whether a tale of what was done says that it was not: a negation before the content."""
    if row.category not in ("shared_knowledge", "topic", "culture"):
        return False
    groups = [index for index in range(1, match.re.groups + 1) if match.start(index) >= 0]
    end = match.start(groups[0]) if groups else match.end()
    allowed = row.key == "communication_style"
    return not allowed and bool(_NEGATED.search(text[:end]))


def _scheduled(message: Message, sentence: Sentence) -> Finding | None:
    found = calendar.tradition_in(sentence.text) or calendar.event_in(sentence.text)
    return _from_calendar(message, sentence, found, kind="statement", needs=0) if found else None


def _from_calendar(message: Message, sentence: Sentence, found: calendar.Found, *, kind: str, needs: int) -> Finding:
    return _finding(
        message, sentence, found.category, found.row, kind=kind, needs=needs, key=found.key, value=found.value,
        description=clip(found.description), single=found.single, confidence=found.confidence,
    )  # fmt: skip
