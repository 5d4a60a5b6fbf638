"""Rules of the chat: what is forbidden, where things belong, which language is spoken.

A "no" alone is no rule ("no idea", "без питань"): a clause must name a thing that chats regulate, or the message must
say that it lays down a rule.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching import terms
from shared.domain.reading.matching.clauses import HARD_BORDER, language_of
from shared.domain.reading.matching.phrases import PhraseMatch
from shared.domain.reading.matching.rows import PatternRow, clip, label, trim, value_of
from shared.domain.reading.matching.whole_values import names_something
from shared.domain.reading.patterns.chat.rule_texts import FORMS, MARKS, RULES, join_lists, moment_of, without_heading
from shared.domain.text.language import tokens
from shared.domain.text.words import analyse

_SHORT_CLAUSE, _STEM = 10, 3
_ASKING_ROWS = frozenset({"insisted", "everybody_must", "permitted", "at_most_en", "at_most"})
"""Rows whose words are said of anything: they need more than a "please"."""
_SANCTIONS = frozenset({"sanctioned", "punished"})
_OF_SPEAKER = frozenset({"announced", "through_admin"})
"""Rows in which the speaker may stand: who decides, and what starts when."""
_SINGLE = frozenset({"limit", "quiet_hours"})
"""Keys of which a later rule replaces an earlier one."""
_THAT = re.compile(r"^(?:що|that)\s+", re.IGNORECASE)


class Rule(NamedTuple):
    """A rule that a clause lays down; `single` when a later rule of the same key replaces it."""

    row: str
    key: str
    value: str
    description: str
    single: bool


def proposes(sentence: str) -> bool:
    """Return whether a sentence says how things should be rather than how they are."""
    return MARKS["proposes"].mark(analyse(sentence))


def language_choice(sentence: str) -> tuple[str, bool] | None:
    """Return which language the chat is to speak ("ukrainian"), and whether that is an order ("only …", "please …").

    None when nothing says so.
    """
    words = analyse(sentence)
    if not MARKS["speaking"].mark(words) or MARKS["not_speaking"].mark(words):
        return None
    spoken = terms.find_language(sentence)
    return (spoken, MARKS["orders_language"].mark(words)) if spoken else None


def custom_in(sentence: str) -> str:
    """Return what the group does whenever something happens, "" when a sentence tells of no such custom."""
    words = analyse(sentence)
    found = MARKS["custom"].find(words)
    return "" if found is None or MARKS["doubtful"].mark(words) else found.group("what")


class _FoundRule(NamedTuple):
    """A row's match in a clause, and where it lies in its sentence."""

    start: int
    end: int
    clause: str
    row: PatternRow
    what: str


def rules_in(sentence: str, message_text: str, *, proposed: bool = False) -> list[Rule]:
    """Return what a sentence forbids or orders, at most one rule a clause, in order.

    Args:
        proposed: Whether others must agree anyway: then the words need not name anything that chats regulate.
    """
    joined = join_lists(sentence)
    words = analyse(joined.replace(" = ", " – "))
    found: list[_FoundRule] = []
    for row, phrase in RULES.possible(words):
        for match in phrase.find_each(words):
            start, end = _clause_around(joined, match)
            ruling = _FoundRule(start, end, sentence[start:end], row, match.group("what"))
            if any(other.start < end and start < other.end for other in found) or not _may_rule(ruling):
                continue
            if proposed or _is_announced(ruling, message_text):
                found.append(ruling)
    found.sort(key=lambda ruling: ruling.start)
    ruled = [each for number, each in enumerate(found) if number == 0 or not _only_qualifies(each)]
    told = [_rule(each.row, each.what, each.clause if len(ruled) > 1 else sentence) for each in ruled]
    return [rule._replace(row="stated") for rule in told] if MARKS["decreed"].mark(words) else told


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


def _only_qualifies(ruling: _FoundRule) -> bool:
    """Return whether a clause only says what follows from breaking the rule before it, or when it does not hold."""
    threatens = ruling.row.name in _SANCTIONS and not terms.topics(ruling.what)
    return threatens or MARKS["exception"].mark(analyse(ruling.clause))


def _may_rule(ruling: _FoundRule) -> bool:
    """Return whether nothing in a clause says that it is about somebody, today, or no rule at all."""
    clause, what = ruling.clause, ruling.what
    if guards.is_figure_of_rule(clause) or FORMS["somebody"].match(what.strip()) or not names_something(what):
        return False
    return ruling.row.name in _OF_SPEAKER or not MARKS["talked_away"].mark(
        analyse(FORMS["from_now_on"].sub(" ", clause))
    )


def _is_announced(ruling: _FoundRule, message_text: str) -> bool:
    """Return whether a clause is about what chats regulate, or its message says that it lays down a rule."""
    clause, row, what = ruling.clause, ruling.row.name, ruling.what
    if row in ("stated", "we_all_do_not", "through_admin"):
        return row != "stated" or len(what.split()) > 1
    topical = bool(terms.topics(what))
    if row == "ban_on":  # forbids anything at all, unless it must be a thing that chats regulate
        return topical or MARKS["of_chat"].mark(analyse(what))
    if row == "quiet" and any(char.isdigit() for char in clause):
        return True
    whole, of_chat = analyse(message_text), MARKS["of_chat"].mark(analyse(clause))
    if of_chat or MARKS["says_rule"].mark(whole):
        return of_chat or bool(what.strip()) or bool(terms.topics(clause))
    if row in _ASKING_ROWS:
        return False
    return MARKS["asks"].mark(whole) or (topical and len(clause.split()) <= _SHORT_CLAUSE)


def _rule(row: PatternRow, what: str, said: str) -> Rule:
    rest = without_heading(said)
    if rest != said:
        ruled = _THAT.sub("", without_heading(what.replace("/ ", ", ")))  # a list was joined: see `join_lists`
        if " ".join(tokens(ruled)) in " ".join(tokens(rest)):
            what, said = ruled, rest
    if row.key == "forbidden_topics":
        bare = trim(FORMS["place_tail"].sub("", FORMS["place_tail"].sub("", trim(what))))
        return Rule(row.name, row.key, *_describe_ban(said, bare or said), single=False)
    key = row.key
    if key == "limit":
        counted = MARKS["of_chat"].find(words := analyse(what))
        key = f"limit_{words.slice(*counted.match.span()).lower().rstrip('s') if counted else 'post'}s"
    told = said[said.find(what) :] if row.name == "stated" and what in said else said
    return Rule(row.name, key, value_of(told), label("rule", language_of(said), told), single=row.key in _SINGLE)


def _describe_ban(said: str, what: str) -> tuple[str, str]:
    lang, when = language_of(said), moment_of(said)
    named = terms.topics(what) or terms.topics(said)
    value = ", ".join(named) if named else value_of(what.replace("/", ","))
    if when:
        return f"{value} ({when})", label("rule", lang, said)
    if len(named) == 1 and len(what.split()) == 1:
        shown = terms.topic_label(named[0], lang)
        if shown.casefold()[:_STEM] == what.casefold()[:_STEM]:  # "sales" would hide a "selling"
            return value, clip(f"{'У чаті заборонено' if lang == 'uk' else 'Forbidden in the chat'}: {shown}")
    return value, label("rule", lang, said)
