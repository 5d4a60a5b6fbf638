"""Facts survive being written down."""

from dataclasses import replace

import pytest
from hypothesis import given

from shared.application.documents import fact_path, facts_path
from shared.application.facts.codec import (
    PINNED,
    about,
    contradicted_id,
    depending_on,
    fact_from_fields,
    fact_to_fields,
    in_category,
    known_as,
    on_authority,
    read_heading,
    rivals_of,
    subject_of,
    supported_by,
    with_a_word_of,
    with_status,
)
from shared.application.ports.limits import MAX_BYTES, check_document, document_bytes, index_entries
from shared.application.ports.store import Document
from shared.domain.facts.claims import cut_quote
from shared.domain.facts.evidence.claim import (
    MAX_CLAIMS,
    MAX_EVIDENCE,
    MAX_QUOTE,
    MAX_VOICES,
    MAX_WORDINGS,
    Authority,
    Claim,
    Vote,
)
from shared.domain.facts.fact import MAX_ALIASES, Status
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence
from tests.unit.application.facts.lives import live, lives


@given(lives)
def test_a_fact_is_read_as_it_was_written(life):
    for change in live(life):
        for each in (change, *change.also):
            fields = fact_to_fields(each.after)
            assert fact_from_fields(fields) == each.after
            said = {e.message_id for e in each.after.evidence}
            assert said <= set(fields["evidence_message_ids"])


def test_a_fact_from_before_votes_and_aliases_is_still_read():
    fact = learn(None, candidate("friday", evidence(1))).after
    fields = fact_to_fields(fact)
    for new in ("anchor", "voices", "rulings", "wordings", "aliases", "others"):
        del fields[new]
    del fields["evidence"][0]["authority"]
    old = fact_from_fields(fields)
    assert old.id == fact.id
    assert learn(old, candidate("friday", evidence(2, user_id=102))).after.confidence > fact.confidence


NEAR = int(0.7 * MAX_BYTES)
"""What a fact's document never reaches (attack a4)."""

PATH = fact_path(-1_001_000_000_001, "f" * 32)


@pytest.mark.parametrize("letter", ["я", "漢", "🔥"])
def test_the_document_of_a_fact_stays_far_under_a_mebibyte_however_much_is_said(letter):
    fact = None
    for i in range(2 * MAX_EVIDENCE * (MAX_CLAIMS + 2)):
        quote = evidence(i, user_id=i % 90, quote=letter * 2 * MAX_QUOTE)
        value = f"value {i % (2 * MAX_CLAIMS)}"
        change = learn(fact, candidate(value, quote, key=f"key_{i % (3 * MAX_ALIASES)}"))
        fact = change.belief if change else fact
        assert i % 97 or document_bytes(PATH, fact_to_fields(fact)) < NEAR
    assert len(fact.aliases) <= MAX_ALIASES
    assert len(fact.others) <= MAX_CLAIMS
    assert fact.status is Status.ACTIVE


def test_the_largest_fact_that_the_bounds_allow_stays_far_under_a_mebibyte():
    def claim(number):
        quotes = [
            evidence(1000 * number + i, user_id=i, quote=cut_quote("🔥" * MAX_QUOTE)) for i in range(MAX_EVIDENCE)
        ]
        voices = [Vote(at(i), 1000 * number + i, i % 2 > 0, 1000 * number + i) for i in range(MAX_VOICES)]
        wordings = [f"{'🔥' * 118}{number}{i}" for i in range(MAX_WORDINGS)]
        return Claim("🔥" * 119 + str(number), "🔥" * 300, tuple(quotes), tuple(voices), (), tuple(wordings))

    known = learn(None, candidate("friday", evidence(1))).after
    aliases, first = tuple(f"{i:032}" for i in range(MAX_ALIASES)), claim(0)
    said = {name: getattr(first, name) for name in ("value", "description", "evidence", "voices", "wordings")}
    fields = fact_to_fields(
        replace(known, **said, others=tuple(claim(n) for n in range(1, MAX_CLAIMS)), aliases=aliases)
    )
    check_document(PATH, fields)
    assert document_bytes(PATH, fields) < NEAR
    assert index_entries(PATH, fields) < 2_500  # of 40,000


@given(lives)
def test_what_facts_are_chosen_by_is_read_without_the_rest(life):
    for change in live(life):
        for fact in (each.after for each in (change, *change.also)):
            document, pinned = Document(fact_path(-1, fact.id), fact_to_fields(fact)), fact.pinned_at is not None
            heading = read_heading(document)
            assert heading[:4] == (fact.subject, fact.status, fact.conflicts_with, fact.last_reinforced_at)
            assert (heading.is_pinned, heading.believed_with) == (pinned, fact.believed_with)
            assert (contradicted_id(document), subject_of(document)) == (fact.conflicts_with, fact.subject)


async def test_a_fact_is_found_by_what_it_says_of_itself(sqlite_store):
    fact = learn(None, candidate("friday", evidence(5, user_id=101), authority=Authority.ADMIN)).after
    await sqlite_store.set(fact_path(-1, fact.id), fact_to_fields(replace(fact, aliases=("old",))))
    finding = [about("chat"), with_status(Status.ACTIVE), in_category(fact.category), on_authority(Authority.ADMIN)]
    finding += [depending_on(5), with_a_word_of(101), supported_by(101), known_as("old")]
    missing = [about("user:1"), with_status(Status.PENDING), in_category("humor"), on_authority(Authority.CONSENSUS)]
    missing += [depending_on(6), with_a_word_of(102), supported_by(102), known_as("new"), rivals_of("old"), PINNED]
    assert [len(await sqlite_store.query(facts_path(-1), where=[each])) for each in finding] == [1] * len(finding)
    assert [len(await sqlite_store.query(facts_path(-1), where=[each])) for each in missing] == [0] * len(missing)
