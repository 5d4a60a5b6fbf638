"""A fact in the store loses the words with all that hangs on it, and what others said stays."""

from dataclasses import replace

import pytest

from shared.application.facts.codec import fact_to_fields
from shared.application.facts.version_codec import version_to_fields
from shared.application.forgetting.traces.remainder import CAUSE, without
from shared.application.forgetting.traces.scope import ForgottenWords
from shared.application.forgetting.traces.slots import forget_in_slot, versions_without
from shared.application.ports.store import Delete, Document, Filter, Set
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.slot import rivals
from tests.support.builders import at, candidate, evidence
from tests.support.exports import app_on
from tests.support.forgetting.facts_told import (
    ALL_OF_HANNA,
    HANNA,
    OLIA,
    TARAS,
    believed,
    quality_record,
    rule,
    words,
)


def statement(value, description="told"):
    return {"key": "forbidden_topics", "value": value, "description": description}


async def kept_records(store, fact, records, said=("no quasars here",)):
    """Which quality records of a fact are left when Hanna is forgotten."""
    path = f"chats/-1001/facts/{fact.id}"
    await store.set(path, fact_to_fields(fact))
    for name, data in records.items():
        await store.set(
            f"chats/-1001/quality/{name}", quality_record(**{"fact_id": fact.id, "message_ids": [2]} | data)
        )
    scope = ALL_OF_HANNA._replace(message_ids=frozenset({1}))
    await forget_in_slot(app_on(store), scope, ForgottenWords(said), fact.id)
    return {document.id for document in await store.query("chats/-1001/quality")}


async def test_a_quality_record_stays_when_both_of_its_statements_are_still_said_in_words_that_are(sqlite_store):
    fact = believed(rule("politics", evidence(2, user_id=TARAS)))
    fine, gone = statement("politics"), statement("quasars")
    records = {
        "fine": {"existing": fine, "incoming": fine},
        "folded": {"existing": statement("Politics"), "incoming": fine},
        "of a value that is gone": {"existing": gone, "incoming": fine},
        "with such a value": {"existing": fine, "incoming": gone},
        "in their words": {"existing": statement("politics", "quasars too"), "incoming": fine},
        "told in their words": {"existing": fine, "incoming": statement("politics", "quasars too")},
        "of their message": {"existing": fine, "incoming": fine, "message_ids": [1, 2]},
        "of another fact": {"existing": gone, "incoming": gone, "fact_id": "another"},
    }
    assert await kept_records(sqlite_store, fact, records) == {"fine", "folded", "of another fact"}


async def test_of_a_fact_that_goes_every_record_goes_and_what_it_counted_is_counted_anew(sqlite_store):
    fact = believed(rule("quasars", evidence(1, user_id=HANNA)))
    fine = {"existing": statement("quasars"), "incoming": statement("quasars")}
    await sqlite_store.set("chats/-1001/profiles/chat", {"facts": []})
    assert await kept_records(sqlite_store, fact, {"fine": fine}) == set()
    assert await sqlite_store.get(f"chats/-1001/facts/{fact.id}") is None
    assert await sqlite_store.get("chats/-1001/profiles/chat") is None
    assert (await sqlite_store.get("chats/-1001/learning/chat")).data["revision"] == 1


async def test_a_fact_in_which_nothing_of_them_stands_is_not_written_anew(sqlite_store):
    fact = believed(rule("politics", evidence(2, user_id=TARAS)))
    await kept_records(sqlite_store, fact, {})
    assert (await sqlite_store.get(f"chats/-1001/facts/{fact.id}")).data == fact_to_fields(fact)
    assert await sqlite_store.query(f"chats/-1001/facts/{fact.id}/versions") == []
    assert await sqlite_store.get("chats/-1001/learning/chat") is None


def pending_on(said, *others):
    """A rule with a value that waits against it."""
    return believed(rule("politics", *said), rule("ads", *others, authority=Authority.OWN_STATEMENT))


async def waiting(store, fact):
    """The rivals of a fact that are stored, with their versions."""
    found = await store.query("chats/-1001/facts", where=[Filter("conflicts_with", "==", fact.id)])
    return [(rival.data["value"], await store.query(f"{rival.path}/versions")) for rival in found]


async def test_a_value_that_waits_is_made_anew_beside_a_fact_that_loses_a_quote(sqlite_store):
    fact = pending_on([evidence(2, user_id=TARAS), evidence(1, user_id=HANNA)], evidence(3, user_id=OLIA))
    (rival,) = rivals(fact).values()
    await sqlite_store.set(f"chats/-1001/facts/{rival.id}", fact_to_fields(rival))
    await kept_records(sqlite_store, fact, {})
    ((value, (version,)),) = await waiting(sqlite_store, fact)
    assert (value, version.data["change"], version.data["cause"]) == ("ads", "creation", CAUSE)
    records = await sqlite_store.query("chats/-1001/quality")
    assert [(record.data["kind"], record.data["resolved"]) for record in records] == [("conflict", False)]


async def test_a_value_that_waited_only_in_their_words_waits_no_more(sqlite_store):
    fact = pending_on([evidence(2, user_id=TARAS)], evidence(3, user_id=HANNA))
    (rival,) = rivals(fact).values()
    await sqlite_store.set(f"chats/-1001/facts/{rival.id}", fact_to_fields(rival))
    await sqlite_store.set(f"chats/-1001/facts/{rival.id}/versions/000001", {"value": "ads"})
    await kept_records(sqlite_store, fact, {})
    assert await waiting(sqlite_store, fact) == []
    assert [document.data["value"] for document in await sqlite_store.query("chats/-1001/facts")] == ["politics"]
    assert await sqlite_store.query(f"chats/-1001/facts/{rival.id}/versions") == []


@pytest.mark.parametrize(("members", "expected"), [(2, Authority.CONSENSUS), (3, Authority.OWN_STATEMENT)])
async def test_whether_who_is_left_makes_a_consensus_depends_on_what_the_operator_wants(
    sqlite_store, members, expected
):
    backing = [evidence(n, user_id=user_id) for n, user_id in ((3, HANNA), (4, OLIA), (5, TARAS))]
    fact = believed(rule("ads", *backing, authority=Authority.OWN_STATEMENT))
    app = app_on(sqlite_store)
    app = replace(app, policy=app.policy._replace(consensus=members))
    path = f"chats/-1001/facts/{fact.id}"
    await sqlite_store.set(path, fact_to_fields(fact))
    await forget_in_slot(app, ALL_OF_HANNA, ForgottenWords(()), fact.id)
    assert (await sqlite_store.get(path)).data["authority"] == expected


async def test_a_fact_that_goes_on_under_another_id_joins_what_was_said_there(sqlite_store):
    more = {"single": False, "category": "tradition", "key": "place", "authority": Authority.ADMIN}
    shared = believed(
        candidate("the quasar cafe", evidence(1, user_id=HANNA), **more),
        candidate("the quasar cafe", evidence(2, user_id=TARAS, quote="at Olena's"), **more),
    )
    there = believed(candidate("at olena's", evidence(3, user_id=OLIA), **more))
    await sqlite_store.set(f"chats/-1001/facts/{there.id}", fact_to_fields(there))
    await kept_records(sqlite_store, shared, {}, said=("the quasar cafe",))
    (left,) = await sqlite_store.query("chats/-1001/facts")
    assert left.id == there.id
    assert sorted(e["user_id"] for e in left.data["evidence"]) == [OLIA, TARAS]
    assert "quasar" not in repr([document async for document in sqlite_store.subtree("chats/-1001")])


async def test_where_nothing_was_said_under_the_other_id_it_begins_there(sqlite_store):
    more = {"single": False, "category": "tradition", "key": "place", "authority": Authority.ADMIN}
    shared = believed(
        candidate("the quasar cafe", evidence(1, user_id=HANNA), **more),
        candidate("the quasar cafe", evidence(2, user_id=TARAS, quote="at Olena's"), **more),
    )
    await kept_records(sqlite_store, shared, {}, said=("the quasar cafe",))
    (left,) = await sqlite_store.query("chats/-1001/facts")
    assert left.id == without(shared, ALL_OF_HANNA, ForgottenWords(("the quasar cafe",))).id != shared.id
    (version,) = await sqlite_store.query(f"{left.path}/versions")
    assert (version.data["change"], version.data["previous_value"]) == ("creation", None)


def history(*candidates):
    """The versions of a fact, as stored."""
    fact, versions = None, []
    for each in candidates:
        change = learn(fact, each)
        fact = change.belief
        path = f"chats/-1001/facts/{fact.id}/versions/{fact.version:06d}"
        versions.append(Document(path, version_to_fields(change, at=at(fact.version))))
    return versions


def test_a_version_that_only_the_member_stood_behind_goes_and_the_next_one_does_not_tell_of_it():
    versions = history(
        rule("quasar", evidence(1, user_id=HANNA)),
        rule("politics", evidence(2, user_id=TARAS)),
    )
    first, second = versions_without(versions, ALL_OF_HANNA, ForgottenWords())
    assert first == Delete(versions[0].path)
    assert isinstance(second, Set)
    assert (second.path, second.data["previous_value"], second.data["cause"]) == (versions[1].path, None, CAUSE)


def test_a_history_without_the_member_is_left_as_it_is():
    versions = history(rule("quasar", evidence(1, user_id=OLIA)), rule("politics", evidence(2, user_id=TARAS)))
    assert versions_without(versions, ALL_OF_HANNA, words("something else said")) == []


def test_a_version_that_others_stand_behind_loses_the_members_quotes_and_vote_alone():
    versions = history(
        rule("politics", evidence(1, user_id=TARAS)),
        rule("politics", evidence(2, user_id=HANNA)),
        rule("politics", evidence(3, user_id=OLIA)),
    )
    (write,) = [each for each in versions_without(versions, ALL_OF_HANNA, ForgottenWords()) if "000002" in each.path]
    assert (write.data["evidence"], write.data["supporters"]) == ([], [TARAS])
    (last,) = [each for each in versions_without(versions, ALL_OF_HANNA, ForgottenWords()) if "000003" in each.path]
    assert last.data["supporters"] == [OLIA, TARAS]


def test_a_version_that_says_no_more_than_the_member_did_goes_though_its_value_is_said_by_nobody():
    versions = history(rule("two quasars shine", evidence(1, user_id=TARAS)))
    assert versions_without(versions, ALL_OF_HANNA, words("two quasars shine")) == [Delete(versions[0].path)]


def test_a_cause_that_names_the_member_or_a_value_that_is_gone_is_told_no_more():
    (version,) = history(rule("politics", evidence(1, user_id=TARAS), evidence(2, user_id=HANNA)))
    told = [
        ("opposed by 104", CAUSE),
        ("104 asked to forget it", CAUSE),
        ("was: quasar", CAUSE),
        ("was: politics; voted", "was: politics; voted"),
        ("opposed by 1045", "opposed by 1045"),
        ("said again", "said again"),
    ]
    for cause, expected in told:
        named = Document(version.path, {**version.data, "cause": cause})
        (write,) = versions_without([named], ALL_OF_HANNA, ForgottenWords())
        assert write.data["cause"] == expected


def test_a_version_whose_last_quote_is_taken_out_goes_though_an_earlier_one_says_the_same():
    first, second = history(
        rule("politics", evidence(1, user_id=TARAS)),
        rule("politics", evidence(2, user_id=HANNA), evidence(3, user_id=HANNA)),
    )
    moved = Document(second.path, {**second.data, "retracted": first.data["evidence"]})
    last = Document(f"{second.path}9", {**second.data, "evidence": [], "retracted": []})
    written = versions_without([first, moved, last], ALL_OF_HANNA, ForgottenWords())
    assert written == [Delete(moved.path), Delete(last.path)]
