"""Findings about the author of a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.domain.conversation.messages import Message
from shared.domain.reading.guards import sentences as guards
from shared.domain.reading.matching.clauses import HARD_BORDER, Sentence, language_of, with_specification
from shared.domain.reading.matching.phrases import Phrase, PhraseMatch
from shared.domain.reading.matching.rows import Listener, PatternFinding, PatternRow, clip, slot_value, trim, value_of
from shared.domain.reading.matching.whole_values import whole
from shared.domain.reading.patterns.row_tables import member_table
from shared.domain.reading.patterns.statements import (
    find_aside,
    goes_on,
    hangs_on_another,
    is_own,
    names_speaker,
    statement_in,
    statement_starts,
)
from shared.domain.text.language import Language
from shared.domain.text.words import AnalysedText, analyse, to_first_person, without_asides

Match = tuple[PatternRow, PhraseMatch]


def member_findings(message: Message, sentence: Sentence, listener: Listener) -> Iterator[PatternFinding]:
    """Yield what a sentence says about its author."""
    text = statement_in(sentence.text, question=sentence.question)
    if (
        not text
        or guards.is_conditional(text)
        or guards.is_quoted(text)
        or guards.is_about_a_talk_elsewhere(text)
        or guards.mentions_bot(text, listener.bot_names)
    ):
        return
    sentence = replace(sentence, text=text)
    words = without_asides(analyse(sentence.text))
    words = to_first_person(words) if sentence.of_you else words
    matches = _matches(words, language_of(text))
    for number, (row, found) in enumerate(matches):  # one statement ends where the next begins
        following = next((later.start for _, later in matches[number + 1 :] if later.start > found.start), None)
        if finding := _find_of_member(row, found, message, sentence, following):
            yield finding


def _matches(words: AnalysedText, lang: Language) -> list[Match]:
    """The first row found at each start, and whom the same words name besides ("we and my husband moved to Leeds")."""
    tried = member_table(lang).possible(words)
    if not tried:
        return []
    kin = [(row, phrase) for row, phrase in tried if row.category == "relationship"]
    kept: list[Match] = []
    for at, opened in statement_starts(words, lang):
        inside = bool(kept) and at < kept[-1][1].match.end()
        said = _find_first(tried, words, at) if opened or not inside else None
        named = _find_first(kin, words, at) if said and said[0].category != "relationship" else None
        new = [
            (row, found)
            for row, found in filter(None, (said, named))
            if not any(goes_on(found, other, alike=row.category == known.category) for known, other in kept)
        ]
        kept += [match for match in new if is_own(match[1], lang)]
    return kept


def _find_first(tried: Sequence[tuple[PatternRow, Phrase]], words: AnalysedText, at: int) -> Match | None:
    found = ((row, phrase.stands(words, at)) for row, phrase in tried)
    return next(((row, match) for row, match in found if match and not hangs_on_another(match)), None)


def _find_of_member(
    row: PatternRow, found: PhraseMatch, message: Message, sentence: Sentence, following: int | None
) -> PatternFinding | None:
    text, said = sentence.text, sentence.text[found.start : found.end]
    rest = text[found.end :].partition(",")[0]
    clause = f"{find_aside(text[: found.start])} {said}{rest}".strip()
    if guards.is_hypothetical(clause) or (not row.momentary and guards.is_momentary(clause)):
        return None
    groups = {name: trim(_cut_following(group, text, following)) for name, group in found.groups().items()}
    captured = groups.get("what") or " ".join(filter(None, groups.values()))
    at = text.find(captured) if captured else -1
    following_words = HARD_BORDER.split(text[at + len(captured) :], maxsplit=1)[0] if at >= 0 else ""
    stands = whole(captured, said, following_words, row.key)
    # A sentence that gives an address and names no speaker recommends somebody.
    if stands is None or guards.has_link(captured) or (guards.has_link(text) and not names_speaker(found)):
        return None
    value = value_of(stands.words) if stands.acts else slot_value(stands.words)
    if not any(char.isalnum() for char in value):
        return None
    if "what" in groups:
        groups["what"] = stands.words
    described = stands.told or row.description.format(**groups)
    tail = with_specification(said, text).removeprefix(said)
    return PatternFinding(
        row=row.name, kind="statement", message=message, sentence=sentence, subject=f"user:{message.user_id}",
        category=row.category, key=row.key, value=value, confidence=row.confidence, single=row.single,
        description=clip(" ".join(f"{described.strip()}{tail}".split())),
    )  # fmt: skip


def _cut_following(text: str, whole: str, following: int | None) -> str:
    """A capture without the statement that begins inside it."""
    start = whole.find(text)
    return text if following is None or start + len(text) <= following else text[: max(0, following - start)]
