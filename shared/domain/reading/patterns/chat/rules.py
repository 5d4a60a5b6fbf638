"""Rules of the chat: what is forbidden, where things belong, which language is spoken.

A "no" alone is no rule ("no idea", "без питань"): a clause must name a thing that chats regulate, or the message must
say that it lays down a rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching import terms
from shared.domain.reading.matching.clauses import HARD_BORDER, language_of
from shared.domain.reading.matching.marks import Marks, read_marks
from shared.domain.reading.matching.phrases import PhraseMatch
from shared.domain.reading.matching.rows import PatternRow, clip, label, trim, value_of
from shared.domain.reading.matching.tables import Table
from shared.domain.reading.matching.whole_values import names_something
from shared.domain.reading.patterns.chat.headings import without_heading
from shared.domain.reading.patterns.chat.rule_lists import joined_lists, moment_of
from shared.domain.reading.patterns.chat.rule_rows import LISTS, RULES
from shared.domain.text.language import tokens
from shared.domain.text.words import AnalysedText, analyse

_SHORT_CLAUSE, _STEM = 10, 3
_TABLE = Table(RULES, LISTS)
_MARKS = read_marks(__package__, "rules", LISTS)
_OF_CHAT = _MARKS["of_chat"]
_SAYS_RULE = _MARKS["says_rule"]
_ASKS = _MARKS["asks"]
_ASKING_ROWS = frozenset({"insisted", "everybody_must", "permitted", "at_most_en", "at_most", "ban_on"})
"""Rows whose words are said of anything: they need more than a "please"."""
_TOPICAL_ROWS = frozenset({"ban_on"})
"""Rows that forbid anything at all, unless it must be a thing that chats regulate."""
_SANCTIONS = frozenset({"sanctioned", "punished"})
_OF_SPEAKER = frozenset({"announced", "through_admin"})
"""Rows in which the speaker may stand: who decides, and what starts when."""
_SINGLE = frozenset({"limit", "quiet_hours"})
"""Keys of which a later rule replaces an earlier one."""
_EXCEPTION = _MARKS["exception"]
_TALKED_AWAY = Marks("today|tonight|tomorrow|сьогодні|завтра|зараз|=мені|=me|=my|мій")
_FROM_NOW_ON = re.compile(
    r"(?<!\w)(?:from|starting|as of|effective|від|з|із|починаючи з)\s+(?:today|tomorrow|tonight|сьогодні|завтра)(?!\w)",
    re.IGNORECASE,
)
"""What begins on a day holds on after it."""
_SOMEBODY = re.compile(
    r"(?:я|він|вона|мене|мені|нас|його|її|їх|тебе|вас|i|he|she|me|him|her|them|us|you)(?!\w)", re.IGNORECASE
)
_PLACE_TAIL = re.compile(
    r"(?:^(?:тут|сюди|у чаті|в чаті|більше|about|the|any|in here|here) )|(?:,? (?:(?:in|around) here|here|"
    r"in (?:this|the|our) (?:chat|group|channel)|please|pls|plz|folks|guys|allowed|anymore|тут|сюди|у чаті|в чаті|"
    r"у цьому чаті|в цьому чаті|у чат|в чат|в групі|у групі|будь ласка|плз|друзі|більше))+$",
    re.IGNORECASE,
)
_THAT = re.compile(r"^(?:що|that)\s+", re.IGNORECASE)
_TONGUES = (
    "україн", "ukrain", "англ", "інгл", "engl", "польс", "polish", "німец", "germ",
    "росій", "russ", "франц", "fren", "іспан", "span",
)  # fmt: skip
_SPEAKING = _MARKS["speaking"]
_NOT_SPEAKING = _MARKS["not_speaking"]
_ORDERS_LANGUAGE = _MARKS["orders_language"]
_PROPOSES = _MARKS["proposes"]


_CUSTOM = _MARKS["custom"]
_DOUBTFUL = Marks("would|could|might|якби|б|би|=б|=би|should|може|maybe")

_DECREED = _MARKS["decreed"]
"""Words of one who lays down the law: what they say is no custom, and holds once others agree."""


class Rule(NamedTuple):
    """What a clause forbids or orders; `single` when a later rule of the same key replaces it."""

    row: str
    key: str
    value: str
    description: str
    single: bool


def proposes(sentence: str) -> bool:
    """Return whether a sentence says how things should be rather than how they are."""
    return _PROPOSES.mark(analyse(sentence))


def language_choice(sentence: str) -> tuple[str, bool] | None:
    """Return which language the chat is to speak ("ukrainian"), and whether that is an order ("only …", "please …").

    None when nothing says so.
    """
    folded = sentence.casefold()
    if not any(tongue in folded for tongue in _TONGUES):
        return None
    spoken, words = terms.spoken_language(sentence), analyse(sentence)
    if spoken is None or not _SPEAKING.mark(words) or _NOT_SPEAKING.mark(words):
        return None
    return spoken, _ORDERS_LANGUAGE.mark(words)


def custom_in(sentence: str) -> str:
    """Return what the group does whenever something happens, "" when a sentence tells of no such custom."""
    words = analyse(sentence)
    found = _CUSTOM.find(words)
    return "" if found is None or _DOUBTFUL.mark(words) else found.group("what")


def rules_in(sentence: str, message_text: str, *, proposed: bool = False) -> list[Rule]:
    """Return what a sentence forbids or orders, at most one rule a clause, in order.

    Args:
        proposed: Whether others must agree anyway: then the words need not name anything that chats regulate.
    """
    joined = joined_lists(sentence)
    words = analyse(joined.replace(" = ", " – "))
    tried = _TABLE.possible(words)
    found: dict[tuple[int, int], tuple[PatternRow, str]] = {}
    for row, phrase in tried:
        for match in phrase.each(words):
            span = _clause_around(joined, match)
            what, clause = match.group("what"), sentence[slice(*span)]
            if any(start < span[1] and span[0] < end for start, end in found) or not _may_rule(row, clause, what):
                continue
            if proposed or _is_announced(row, clause, what, message_text):
                found[span] = row, what
    ruled = _without_repetition(sentence, sorted(found.items()))
    alone = len(ruled) == 1
    told = [_rule(row, what, sentence if alone else sentence[slice(*span)]) for span, (row, what) in ruled]
    return [rule._replace(row="stated") for rule in told] if _DECREED.mark(words) else told


def only_threatens(row: str, said: str, laid_down: Iterable[str]) -> bool:
    """Return whether a sentence only says what becomes of what an earlier one has ordered ("Bare links are deleted").

    Args:
        row: The row that found a rule in it.
        laid_down: The sentences before it in which rules were found.
    """
    topics = set(terms.topics(said))
    return row in _SANCTIONS and bool(topics) and any(topics <= set(terms.topics(rule)) for rule in laid_down)


def _clause_around(sentence: str, match: PhraseMatch) -> tuple[int, int]:
    """Return where the clauses that a match lies in begin and end: at commas, colons and brackets."""
    borders = [(border.start(), border.end()) for border in HARD_BORDER.finditer(sentence)]
    start = max((end for _, end in borders if end <= match.start), default=0)
    return start, min((begin for begin, _ in borders if begin >= match.end), default=len(sentence))


def _without_repetition(
    sentence: str, found: list[tuple[tuple[int, int], tuple[PatternRow, str]]]
) -> list[tuple[tuple[int, int], tuple[PatternRow, str]]]:
    """Drop what only says what happens to those who break the rule before it, or when it does not hold."""
    kept = found[:1]
    for span, (row, what) in found[1:]:
        clause = sentence[slice(*span)]
        threatens = row.name in _SANCTIONS and not terms.topics(what)
        if not threatens and not _EXCEPTION.mark(analyse(clause)):
            kept.append((span, (row, what)))
    return kept


def _may_rule(row: PatternRow, clause: str, what: str) -> bool:
    """Return whether nothing in a clause says that it is about somebody, today, or no rule at all."""
    if guards.is_figure_of_rule(clause) or _SOMEBODY.match(what.strip()) or not names_something(what):
        return False
    return row.name in _OF_SPEAKER or not _TALKED_AWAY.mark(analyse(_FROM_NOW_ON.sub(" ", clause)))


def _is_announced(row: PatternRow, clause: str, what: str, message_text: str) -> bool:
    """Return whether a clause is about what chats regulate, or its message says that it lays down a rule."""
    words = analyse(clause)
    if row.name in ("stated", "we_all_do_not", "through_admin"):
        return row.name != "stated" or len(what.split()) > 1
    if row.name in _TOPICAL_ROWS:
        return bool(terms.topics(what)) or _OF_CHAT.mark(analyse(what))
    if row.name == "quiet" and any(char.isdigit() for char in clause):
        return True
    whole = analyse(message_text)
    if _SAYS_RULE.mark(whole) or _OF_CHAT.mark(words):
        return bool(what.strip()) or bool(terms.topics(clause)) or _OF_CHAT.mark(words)
    if row.name in _ASKING_ROWS:
        return False
    return _ASKS.mark(whole) or (bool(terms.topics(what)) and len(clause.split()) <= _SHORT_CLAUSE)


def _rule(row: PatternRow, what: str, said: str) -> Rule:
    what, said = _without_heading(what, said)
    if row.key == "forbidden_topics":
        return Rule(row.name, row.key, *_forbidden(said, _bare(what) or said), single=False)
    key = f"limit_{_counted_slug(analyse(what))}" if row.key == "limit" else row.key
    told = said[said.find(what) :] if row.name == "stated" and what in said else said
    return Rule(row.name, key, value_of(told), label("rule", language_of(said), told), single=row.key in _SINGLE)


def _without_heading(what: str, said: str) -> tuple[str, str]:
    """Return what is ruled on and the clause, without what only announces the rule."""
    rest = without_heading(said)
    if rest == said:
        return what, said
    ruled = _THAT.sub("", without_heading(what.replace("/ ", ", ")))  # a list was joined: see `joined_lists`
    return (ruled, rest) if " ".join(tokens(ruled)) in " ".join(tokens(rest)) else (what, said)


def _counted_slug(words: AnalysedText) -> str:
    """Return what a limit is of, as a slug."""
    found = _OF_CHAT.find(words)
    return "posts" if found is None else found.words.slice(*found.match.span()).lower().rstrip("s") + "s"


def _is_called(label_of_topic: str, what: str) -> bool:
    """Return whether the word that was said is the one by which the topic is shown: "sales" would hide a "selling"."""
    return label_of_topic.casefold()[:_STEM] == what.casefold()[:_STEM]


def _bare(what: str) -> str:
    return trim(_PLACE_TAIL.sub("", _PLACE_TAIL.sub("", trim(what))))


def _forbidden(said: str, what: str) -> tuple[str, str]:
    """Value and description of what is forbidden."""
    lang, when = language_of(said), moment_of(said)
    named = terms.topics(what) or terms.topics(said)
    value = ", ".join(named) if named else value_of(what.replace("/", ","))
    if when:
        return f"{value} ({when})", label("rule", lang, said)
    if len(named) == 1 and len(what.split()) == 1 and _is_called(terms.topic_label(named[0], lang), what):
        heading = "У чаті заборонено" if lang == "uk" else "Forbidden in the chat"
        return value, clip(f"{heading}: {terms.topic_label(named[0], lang)}")
    return value, label("rule", lang, said)
