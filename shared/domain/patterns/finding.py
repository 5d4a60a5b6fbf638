"""What one message says, sentence by sentence, before anybody else is heard."""

# ruff: noqa: E501  (an expression is easier to read whole than broken at column 120)
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from shared.domain.facts import CONSENSUS_MEMBERS
from shared.domain.language import Language
from shared.domain.messages import Message
from shared.domain.patterns import (
    calendar,
    guards,
    rules,
    terms,
    vocabulary_chat_en,
    vocabulary_chat_uk,
    vocabulary_en,
    vocabulary_uk,
    wishes,
)
from shared.domain.patterns.chat_en import CHAT_EN
from shared.domain.patterns.chat_uk import CHAT_UK
from shared.domain.patterns.clauses import Sentence, after, clauses, clean, language_of, sentences
from shared.domain.patterns.en_experience import EXPERIENCE_EN
from shared.domain.patterns.en_goal import GOAL_EN
from shared.domain.patterns.en_personal import PERSONAL_EN
from shared.domain.patterns.en_preference import PREFERENCE_EN
from shared.domain.patterns.en_relationship import RELATIONSHIP_EN
from shared.domain.patterns.en_skill import SKILL_EN
from shared.domain.patterns.en_work import WORK_EN
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
from shared.domain.patterns.statements import aside, goes_on, is_own, stated, statement_starts
from shared.domain.patterns.tables import Table
from shared.domain.patterns.uk_experience import EXPERIENCE_UK
from shared.domain.patterns.uk_goal import GOAL_UK
from shared.domain.patterns.uk_personal import PERSONAL_UK
from shared.domain.patterns.uk_preference import PREFERENCE_UK
from shared.domain.patterns.uk_relationship import RELATIONSHIP_UK
from shared.domain.patterns.uk_skill import SKILL_UK
from shared.domain.words import Words, analyse, of_oneself, without_asides

MEMBER_LISTS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {"uk": vocabulary_uk.LISTS, "en": vocabulary_en.LISTS}
LISTS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "uk": {**vocabulary_uk.LISTS, **vocabulary_chat_uk.LISTS},
    "en": {**vocabulary_en.LISTS, **vocabulary_chat_en.LISTS},
}
MEMBERS = {
    "uk": unique_names(
        [
            *PERSONAL_UK,
            *SKILL_UK,
            *GOAL_UK,
            *EXPERIENCE_UK,
            *PREFERENCE_UK,
            *RELATIONSHIP_UK,
        ]
    ),
    "en": unique_names(
        [
            *PERSONAL_EN,
            *WORK_EN,
            *RELATIONSHIP_EN,
            *SKILL_EN,
            *GOAL_EN,
            *EXPERIENCE_EN,
            *PREFERENCE_EN,
        ]
    ),
}
CHAT = {"uk": CHAT_UK, "en": CHAT_EN}


@cache
def member_table(lang: Language) -> Table:
    """The rows about members in one language."""
    return Table([row for row in MEMBERS[lang] if row.phrases], MEMBER_LISTS[lang])


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
_PUNISHES = compiled(r"<b>(?:бан|мут|кік|вилетить|вилітає|ban|banned|muted?|kick(?:ed)?|removed|stays in)<e>")
_WISH = re.compile(r"(?<!\w)(?:i'd|i would) (?:really |so )?(?:love|like) to(?!\w)", re.IGNORECASE)
_WISH_UK = re.compile(r"(?<!\w)(?:хот[іи]в|хотіла|хотілося|хотілось) б(?:и)?(?!\w)", re.IGNORECASE)
_I_PICK = re.compile(
    r"(?<!\w)(?:i'd|i would) (?:always )?(?:take|pick|choose|have)(?= [^,.]{2,40} over )", re.IGNORECASE
)
_I_RATHER = re.compile(r"(?<!\w)(?:i'd|i would|id) (?:much |honestly |always )*rather(?! not)(?!\w)", re.IGNORECASE)
_RATHER = re.compile(
    r"(?<!\w)(we|people here|everyone here|most of us|all of us)(?:'d| would) (?:all |much |mostly )*rather(?!\w)",
    re.IGNORECASE,
)
_NEGATIVE_KEYS = ("dislikes", "diet")
_MAX_LEADS = 5
_IF = re.compile(r"(?<!\w)(?:якщо|if|unless|хоча б|хоч би|бодай)(?!\w)", re.IGNORECASE)
_OPINION = re.compile(
    r"(?<!\w)(?:i (?:reckon|think|guess|feel like|believe)|i'd say|мабуть|напевно|мені здається|здається|думаю|гадаю|вважаю)(?!\w)",
    re.IGNORECASE,
)
"""Words with which an opinion is given: it holds for the group once somebody else agrees."""
_SUPPOSED = re.compile(r"(?<!\w)(?:якби|якщо|уяви|уявіть|припустимо|if|unless|imagine|suppose)(?!\w)", re.IGNORECASE)
_BORDER = re.compile(r"[,:;()]")
_CONDITIONAL_KEYS = frozenset({"chat_norm", "running_joke"})
_ALSO_OF_MEMBERS = frozenset({"shared_experience", "group_history"})
_YIELD_TO_CALENDAR = frozenset({"norm", "shared_knowledge", "culture"})


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is listening, and what was already said.

    Attributes:
        bot_names: Names under which the bot is addressed.
        told: What bots said before this message: repeating it teaches nothing.
        admins: Members whose word makes a rule.
        consensus: Members, the proposer among them, whose agreement makes one, too (law 5).
    """

    bot_names: tuple[str, ...]
    told: tuple[str, ...]
    admins: frozenset[int]
    consensus: int = CONSENSUS_MEMBERS

    def is_admin(self, message: Message) -> bool:
        """Whether the author may lay down rules."""
        return message.is_admin is True or message.user_id in self.admins


def findings_in(
    message: Message, listener: Listener, answered: Sequence[tuple[bool, Sequence[Sentence]]] = ()
) -> list[Finding]:
    """Everything that a message says which may be worth remembering; nothing when its words are not meant.

    Args:
        answered: Of each question that the message answers, whether it is about the chat, and the statements that the
            answer may stand for (see `answers`); they are read only where the message itself says nothing.
    """
    text = clean(message.text)
    if guards.has_injection(message.text) or guards.is_ironic(text) or guards.is_sung(message.text):
        return []
    found: list[Finding] = []
    to_bot, dictated = _addressed_to_bot(text, listener), guards.dictates_memory(text)
    if to_bot and guards.is_request(_without_address(text, listener)):
        return []
    for spoken in sentences(message.text):
        plain = _plainly(_without_address(spoken.text, listener))
        sentence = spoken if plain == spoken.text else replace(spoken, text=plain)
        if guards.is_retold(sentence.text, listener.told):
            continue
        about_chat = [] if to_bot or dictated else list(_chat_findings(message, sentence, listener))
        found.extend(about_chat[:3])
        if not about_chat or all(item.needs and item.key in _ALSO_OF_MEMBERS for item in about_chat):
            found.extend(_member_findings(message, sentence, listener))
    if not found and not to_bot:
        found.extend(_from_answers(message, listener, answered))
    return _distinct(found)


def _from_answers(
    message: Message, listener: Listener, answered: Sequence[tuple[bool, Sequence[Sentence]]]
) -> Iterator[Finding]:
    """Of each question the first reading of the answer that a row believes."""
    for about_chat, readings in answered:
        read = _chat_findings if about_chat else _member_findings
        yield from next(filter(None, (list(read(message, reading, listener)) for reading in readings)), [])


def _addressed_to_bot(text: str, listener: Listener) -> bool:
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


def _plainly(text: str) -> str:
    """Polite wishes in plain words: "I'd love to see Iceland" is no hypothesis."""
    if "d " not in text.casefold() and "хот" not in text.casefold():
        return text
    wished = _I_RATHER.sub("I prefer to", _WISH_UK.sub("хочу", _WISH.sub("I want to", text)))
    wished = _I_PICK.sub("I prefer", wished)
    return _RATHER.sub(r"\1 prefer to", wished)


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
    text = stated(sentence.text, question=sentence.question)
    if (
        not text
        or guards.is_conditional(text)
        or guards.is_quoted(text)
        or guards.mentions_bot(text, listener.bot_names)
    ):
        return
    if found := list(_said_by_member(message, replace(sentence, text=text))):
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
    words = without_asides(analyse(sentence.text))
    words = of_oneself(words) if sentence.of_you else words
    lang = language_of(sentence.text)
    tried = member_table(lang).possible(words)
    if not tried:
        return
    matches = _matches(tried, words, lang)
    for number, (row, found) in enumerate(matches):
        following = next((later.start for _, later in matches[number + 1 :] if later.start > found.start), None)
        if finding := _of_member(row, found, message, sentence, following):
            yield finding


def _matches(tried: Sequence[tuple[Row, Phrase]], words: Words, lang: Language) -> list[tuple[Row, Found]]:
    """The first row found at each start, and whom the same words name besides ("we and my husband moved to Leeds")."""
    kin = [(row, phrase) for row, phrase in tried if row.category == "relationship"]
    kept: list[tuple[Row, Found]] = []
    for at, opened in statement_starts(words, lang):
        inside = bool(kept) and at < kept[-1][1].match.end()
        said = _first(tried, words, at) if opened or not inside else None
        named = _first(kin, words, at) if said and said[0].category != "relationship" else None
        kept += [match for match in (said, named) if match and _is_new(match, kept) and is_own(match[1], lang)]
    return kept


def _is_new(match: tuple[Row, Found], kept: Sequence[tuple[Row, Found]]) -> bool:
    row, found = match
    return not any(goes_on(found, other, alike=row.category == known.category) for known, other in kept)


def _first(tried: Sequence[tuple[Row, Phrase]], words: Words, at: int) -> tuple[Row, Found] | None:
    return next(((row, found) for row, phrase in tried if (found := phrase.match(words, at))), None)


def _of_member(row: Row, found: Found, message: Message, sentence: Sentence, following: int | None) -> Finding | None:
    clause = sentence.text[
        found.start : sentence.text.find(",", found.end) if "," in sentence.text[found.end :] else None
    ]
    clause = f"{aside(sentence.text[: found.start])} {clause}".strip()
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
    admin = listener.is_admin(message)
    if not admin and (guards.has_link(text) or guards.mentions_bot(text, listener.bot_names)):
        return
    if guards.is_reported(text) or guards.is_about_another_group(text):
        yield from _own_part(message, sentence)
        return
    proposing = rules.proposes(text) or wishes.without_if(text) != text
    language = _language(message, sentence, admin=admin, proposing=proposing)
    if language is not None:
        yield language
        return
    ruled = list(_rules(message, sentence, listener, proposing=proposing))
    described = _described(message, sentence, proposing=proposing)
    # What a member says about customs ("we generally don't tag everyone") reads like a rule, but lays down none.
    if ruled and (admin or proposing or described is None):
        yield from ruled
    elif described is not None:
        yield described


def _own_part(message: Message, sentence: Sentence) -> Iterator[Finding]:
    """What is said of the chat before the sentence turns to others ("we reply in the evening, by day all are at work")."""
    if sentence.question or guards.is_question(sentence.text) or guards.is_hypothetical(sentence.text):
        return
    if said := _said_of_chat(message, sentence):
        yield said


def _described(message: Message, sentence: Sentence, *, proposing: bool) -> Finding | None:
    if proposing:
        return _proposal(message, sentence)
    return None if sentence.question else _statement(message, sentence)


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


def _rules(message: Message, sentence: Sentence, listener: Listener, *, proposing: bool) -> Iterator[Finding]:
    text, admin = sentence.text, listener.is_admin(message)
    asks = sentence.question or (guards.is_question(text) and not _PUNISHES.search(text))
    if not proposing and (asks or _is_unsure(text)):
        return
    decides = admin and not asks and not _is_unsure(text)
    needs = 0 if decides else listener.consensus - 1
    for rule in rules.rules_in(text, message.text, proposed=proposing and not admin):
        yield _finding(
            message, sentence, "rule", rule.row, kind="rule", needs=needs,
            key=rule.key, value=rule.value, description=rule.description, single=rule.single, confidence=0.92,
        )  # fmt: skip


def _is_unsure(text: str) -> bool:
    """Hypothetical, apart from the condition that a rule may well state ("if you post ads, …")."""
    return guards.is_hypothetical(re.sub(r"(?<!\w)(?:if|unless)(?!\w)", " ", text, flags=re.IGNORECASE))


def _proposal(message: Message, sentence: Sentence) -> Finding | None:
    """A wish for how things should be, which counts once somebody else supports it."""
    text = sentence.text
    if _SUPPOSED.search(wishes.without_if(text)) or guards.is_about_another_group(text):
        return None
    if not sentence.question and (found := calendar.tradition_in(text) or calendar.event_in(text)):
        return from_calendar(message, sentence, found, kind="proposal", needs=1)
    if wishes.is_lasting(text) and not guards.is_momentary(text):
        return _finding(message, sentence, "preference", "proposal", kind="proposal", needs=1, key="group_preference")
    return None


def _statement(message: Message, sentence: Sentence) -> Finding | None:
    """What a sentence says of the chat; only a custom may be bound to a condition ("if you are late, …")."""
    text = sentence.text
    unbound = _IF.sub(" ", _OPINION.sub(" ", text))
    if guards.is_question(text) or guards.is_hypothetical(unbound) or guards.is_conditional(unbound):
        return None
    said = _said_of_chat(message, sentence)
    if _IF.search(text) and guards.is_conditional(text):
        return said if said and said.key in _CONDITIONAL_KEYS else _custom(message, sentence)
    if _OPINION.search(text):
        return replace(said, needs=max(1, said.needs)) if said else None
    if said is None or (said.category in _YIELD_TO_CALENDAR and said.key != "running_joke"):
        return _scheduled(message, sentence) or said
    if said.category != "topic" and calendar.is_named_tradition(text):
        return _scheduled(message, sentence) or said
    return said


def _custom(message: Message, sentence: Sentence) -> Finding | None:
    """What is done here whenever something happens ("якщо хтось питає…, кидаємо лінк"): a norm with its condition."""
    done = rules.custom_in(sentence.text)
    return _finding(message, sentence, "norm", "custom", key="custom", value=value_of(done)) if done else None


def _said_of_chat(message: Message, sentence: Sentence) -> Finding | None:
    words, lang = analyse(sentence.text), language_of(sentence.text)
    momentary = guards.is_momentary(sentence.text)
    for row, phrase in chat_table(lang).possible(words):
        if momentary and not row.momentary:
            continue
        if (found := phrase.search(words)) and not _is_of_others(sentence.text, found.start, found.end):
            captured = trim(found.group("what"))
            return _finding(
                message, sentence, row.category, row.name, key=row.key, needs=int(row.needs_support),
                value=slot_value(captured) if captured else value_of(sentence.text), confidence=row.confidence,
            )  # fmt: skip
    return None


def _is_of_others(text: str, start: int, end: int) -> bool:
    """Whether what was found is hearsay (by the words around it) or, up to the next comma, about another group."""
    border = _BORDER.search(text, end)
    told = text[: border.start()] if border else text
    around = f"{text[:start]} , {told[end:]}"
    return guards.is_about_another_group(told) or guards.is_reported(around) or guards.is_quoted(text[end:])


def _scheduled(message: Message, sentence: Sentence) -> Finding | None:
    text = sentence.text
    found = calendar.tradition_in(text) or calendar.event_in(text) or _over_two_sentences(message, text)
    return from_calendar(message, sentence, found, kind="statement", needs=0) if found else None


def _over_two_sentences(message: Message, text: str) -> calendar.Found | None:
    """An event whose date is told in the sentence after its name, or before it."""
    told = [sentence.text for sentence in sentences(message.text)]
    at = told.index(text) if text in told else 0
    return calendar.event_over(told[at - 1], text) if at else None


def from_calendar(message: Message, sentence: Sentence, found: calendar.Found, *, kind: str, needs: int) -> Finding:
    """What a sentence says about the calendar, as a finding."""
    return _finding(
        message, sentence, found.category, found.row, kind=kind, needs=needs, key=found.key, value=found.value,
        description=clip(found.description), single=found.single, confidence=found.confidence,
    )  # fmt: skip
