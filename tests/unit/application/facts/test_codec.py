"""Facts survive being written down, and every version restores the fact that it made."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.documents import fact_path
from shared.application.facts.codec import (
    change_writes,
    fact_from_fields,
    fact_to_fields,
    facts_from_versions,
    version_to_fields,
)
from shared.application.ports.limits import MAX_BYTES, check_document, document_bytes, index_entries
from shared.domain.facts.evidence.claim import (
    MAX_CLAIMS,
    MAX_EVIDENCE,
    MAX_QUOTE,
    MAX_VOICES,
    MAX_WORDINGS,
    Authority,
    Claim,
    Voice,
)
from shared.domain.facts.evidence.joining import kept_quote
from shared.domain.facts.fact import MAX_ALIASES, Status
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice, deprecate, expire, expire_rival, retract, settle
from shared.domain.facts.slot import rivals
from tests.support.builders import at, candidate, evidence

VALUES = ("friday", "monday", "sunday")


def step(fact, kind, number, value):
    """One thing that happens to a fact at minute `number`."""
    match kind:
        case "expire":
            return expire(fact, now=at(number), unconfirmed_since=at(number))
        case "expire a rival":
            name = min(rivals(fact), default="")
            return expire_rival(fact, name, now=at(number), unconfirmed_since=at(number))
        case "drop":
            return deprecate(fact, now=at(number), cause="not true", user_id=7)
        case "retract":
            return retract(fact, number // 2, now=at(number), cause="edited")
        case "vote":
            return cast_voice(fact, fact.value_key, Voice(at(number), number % 4, number % 3 > 0, number))
        case "settle":
            name = min(rivals(fact), default="")
            return settle(fact, name, accept=number % 2 == 0, now=at(number), user_id=7)
    quote = evidence(number, user_id=number % 4)
    authority = Authority(number % len(Authority))
    return learn(fact, candidate(value, quote, authority=authority, description=f"{value} {number}"))


lives = st.lists(
    st.tuples(
        st.sampled_from(["say", "say", "say", "expire", "expire a rival", "drop", "retract", "vote", "settle"]),
        st.sampled_from(VALUES),
    ),
    max_size=10,
)


@given(lives)
def test_a_conflict_is_open_in_the_records_as_long_as_its_rival_waits(life):
    changes = live(life)
    records = {record.id: record for change in changes for record in change.quality}
    fact = changes[-1].belief
    open_pairs = {frozenset(record.names) for record in records.values() if not record.resolved}
    assert open_pairs == {frozenset((fact.value_key, name)) for name in rivals(fact)}


def live(life):
    """The changes of one slot's life, the first of which is its creation."""
    changes = [learn(None, candidate("friday", evidence(0)))]
    for number, (kind, value) in enumerate(life, start=1):
        change = step(changes[-1].belief, kind, number, value)
        changes += [change] if change is not None else []
    return changes


@given(lives)
def test_a_fact_is_read_as_it_was_written(life):
    for change in live(life):
        for each in (change, *change.also):
            fields = fact_to_fields(each.after)
            assert fact_from_fields(fields) == each.after
            said = {e.message_id for e in each.after.evidence}
            assert said <= set(fields["evidence_message_ids"])


@given(lives)
def test_every_version_restores_the_fact_that_it_made(life):
    steps = [each for change in live(life) for each in (change, *change.also)]
    slot = [each for each in steps if each.after.conflicts_with is None]
    versions = [version_to_fields(each, at=at(100 + i)) for i, each in enumerate(slot)]
    restored = [fact for _, fact in facts_from_versions(versions)]
    bare = {"rulings": (), "wordings": (), "others": (), "aliases": ()}
    assert restored == [replace(each.after, **bare) for each in slot]
    assert [fact.version for fact in restored] == list(range(1, len(slot) + 1))


@given(lives)
def test_since_when_something_was_believed_never_falls(life):
    slot = [each for change in live(life) for each in (change, *change.also) if each.after.conflicts_with is None]
    versions = [version_to_fields(each, at=at(i)) for i, each in enumerate(slot)]
    times = [since for since, _ in facts_from_versions(versions)]
    assert times == sorted(times)


def test_what_was_read_at_once_is_known_since_it_was_said():
    fact, versions = None, []
    for value, day in (("friday", 1), ("friday", 3), ("monday", 9)):
        change = learn(fact, candidate(value, evidence(day)))
        fact = change.after
        versions.append(version_to_fields(change, at=at(500)))
    assert [since for since, _ in facts_from_versions(versions)] == [at(1), at(3), at(9)]


def test_what_contradicts_lowers_belief_since_it_was_noticed_and_not_before():
    friday = learn(None, candidate("friday", evidence(1), *(evidence(n, user_id=n + 7) for n in (2, 3, 4))))
    other = learn(friday.after, candidate("monday", evidence(5, user_id=9), authority=Authority.OWN_STATEMENT))
    slot = [friday, *(each for each in other.also if each.after.conflicts_with is None)]
    history = facts_from_versions([version_to_fields(each, at=at(10 * i)) for i, each in enumerate(slot)])
    assert history[1][1].confidence < history[0][1].confidence
    assert history[1][0] == at(10)


def test_a_version_says_what_changed_why_and_by_which_evidence():
    friday = learn(None, candidate("friday", evidence(1))).after
    fields = version_to_fields(learn(friday, candidate("monday", evidence(5, quote="у понеділок"))), at=at(6))
    assert (fields["change"], fields["cause"], fields["previous_value"]) == ("evolution", "was: friday", "friday")
    assert (fields["previous_valid_from"], fields["previous_valid_to"], fields["valid_from"]) == (at(1), at(5), at(5))
    assert [e["quote"] for e in fields["evidence"]] == ["у понеділок"]
    assert [e["message_id"] for e in fields["retracted"]] == [1]


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
            evidence(1000 * number + i, user_id=i, quote=kept_quote("🔥" * MAX_QUOTE)) for i in range(MAX_EVIDENCE)
        ]
        voices = [Voice(at(i), 1000 * number + i, i % 2 > 0, 1000 * number + i) for i in range(MAX_VOICES)]
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


def test_a_step_writes_the_facts_their_versions_and_the_quality_records():
    fact = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN)).after
    change = learn(fact, candidate("monday", evidence(2), authority=Authority.OWN_STATEMENT))
    rival, contradicted = change.after, change.also[0].after
    paths = [write.path for write in change_writes(-5, change, now=at(3) + timedelta(days=1))]
    assert paths == [
        f"chats/-5/facts/{rival.id}",
        f"chats/-5/facts/{rival.id}/versions/000002",
        f"chats/-5/facts/{contradicted.id}",
        f"chats/-5/facts/{contradicted.id}/versions/000002",
        f"chats/-5/quality/{change.quality[0].id}",
        "chats/-5/learning/chat",
        "chats/-5/profiles/chat",
    ]
