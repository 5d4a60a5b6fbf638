"""Every version restores the fact that it made."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given

from shared.application.documents import fact_path
from shared.application.facts.moderation import drop_fact
from shared.application.facts.version_codec import (
    facts_as_of,
    facts_from_versions,
    is_version,
    move_versions,
    noted_at,
    read_version,
    rewrite_version,
    version_fact_id,
    version_path,
    version_to_fields,
)
from shared.application.ports.store import Delete, Document, Set
from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence
from tests.support.facts.learning import HANNA, roots, said
from tests.support.facts.learning import learn as learn_in
from tests.support.group import CHAT
from tests.unit.application.facts.lives import live, lives


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
    assert (fields["change"], fields["cause"], fields["previous_value"]) == (
        "evolution",
        "another value is believed",
        "friday",
    )
    assert (fields["previous_valid_from"], fields["previous_valid_to"], fields["valid_from"]) == (at(1), at(5), at(5))
    assert [e["quote"] for e in fields["evidence"]] == ["у понеділок"]
    assert [e["message_id"] for e in fields["retracted"]] == [1]


def test_a_version_that_moves_to_another_fact_still_tells_of_its_own_and_is_not_renamed_twice():
    change = learn(None, candidate("friday", evidence(1)))
    fact = change.after
    version = Document(version_path(-1, fact), version_to_fields(change, at=at(6)))
    moved, gone = move_versions(-1, fact.id, "other", [version], now=at(9))
    assert (version_fact_id(moved.data), noted_at(Document(moved.path, moved.data))) == (fact.id, at(6))
    assert gone == Delete(version.path)
    assert moved.path.startswith(f"{fact_path(-1, 'other')}/versions/000001~{fact.id}~")
    again, _ = move_versions(-1, "other", "third", [Document(moved.path, moved.data)], now=at(12))
    assert again.path.rsplit("/", 1)[-1] == moved.path.rsplit("/", 1)[-1]


@given(lives)
def test_a_version_that_is_written_anew_as_it_is_stays_as_it_is(life):
    for change in live(life):
        document = Document(version_path(-1, change.after), {**version_to_fields(change, at=at(1)), "later": "x"})
        assert is_version(document)
        version = read_version(document)
        assert (version.fact_id, version.change, version.value) == (change.after.id, change.kind, change.after.value)
        assert set(version.evidence) <= set(change.after.evidence)
        assert rewrite_version(document, version) == Set(document.path, document.data)


def test_of_a_version_only_what_changes_is_written_anew():
    change = learn(None, candidate("tea", evidence(1), evidence(2)))
    document = Document(version_path(-1, change.after), {**version_to_fields(change, at=at(1)), "later": "x"})
    version = read_version(document)
    less = version._replace(evidence=version.evidence[:1], supporters=(), cause=Cause.DROPPED_BY_ADMIN)
    write = rewrite_version(document, less)
    assert read_version(Document(document.path, write.data)) == less
    changed = {name for name in document.data if write.data[name] != document.data[name]}
    assert changed <= {"evidence", "supporters", "cause"}
    assert write.data["later"] == "x"


def test_an_old_version_without_votes_is_read():
    fields = version_to_fields(learn(None, candidate("tea", evidence(1))), at=at(1))
    for name in ("voices", "supporters", "retracted", "previous_value"):
        del fields[name]
    version = read_version(Document("chats/-1/facts/f/versions/000001", fields))
    assert (version.voices, version.supporters, version.retracted, version.previous_value) == ((), (), (), None)
    assert not is_version(Document("chats/-1/facts/f", fields))


async def test_what_was_believed_on_any_day_can_be_asked(group):
    app, days = group.runtime.app, []

    async def at_the_end_of_the_day():
        days.append(group.clock.now())
        group.clock.advance(timedelta(days=1))

    await at_the_end_of_the_day()
    await learn_in(group, await said(group, "Friday", 101))
    await at_the_end_of_the_day()
    await learn_in(group, await said(group, "friday", 103))
    await at_the_end_of_the_day()
    await learn_in(group, await said(group, "Saturday", 104))
    await at_the_end_of_the_day()
    (fact,) = await roots(group)
    await drop_fact(app, CHAT, fact.id, user_id=102, cause=Cause.DROPPED_BY_ADMIN)
    await at_the_end_of_the_day()
    believed = [await facts_as_of(app.store, CHAT, "chat", day) for day in days]
    assert [[(f.value, len(f.evidence)) for f in facts] for facts in believed] == [
        [], [("friday", 1)], [("friday", 2)], [("saturday", 1)], [],
    ]  # fmt: skip
    assert believed[2][0].confidence > believed[1][0].confidence
    assert await facts_as_of(app.store, CHAT, HANNA, days[-1]) == []
