"""A fact in the store loses the words with all that hangs on it, and what others said stays."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.facts.codec import fact_to_fields
from shared.application.facts.version_codec import version_to_fields
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.slots import (
    drop_forgotten,
    forget_in_slot,
    others_words,
    step_without,
    versions_without,
)
from shared.application.ports.store import Delete, Document, Filter, Set
from shared.domain.facts.change import Cause, FactChange
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Authority, Evidence, Ruling, RulingKind, Vote
from shared.domain.facts.fact import Status
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
from tests.unit.application.facts.lives import VALUES, live, lives


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
    assert (value, version.data["change"], version.data["cause"]) == ("ads", "creation", Cause.FORGOTTEN)
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
    assert left.id == drop_forgotten(shared, ALL_OF_HANNA, ForgottenWords(("the quasar cafe",))).id != shared.id
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
    assert (second.path, second.data["previous_value"]) == (versions[1].path, None)
    assert "quasar" not in second.data["cause"]


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


@pytest.mark.parametrize(
    "cause", ["opposed by 104", "was: quasar", "was: politics; voted", "contradicts: yes; voted", "said by 5e5e"]
)
def test_a_cause_of_before_causes_were_named_is_told_no_more_for_it_may_name_anybody_and_anything(cause):
    (version,) = history(rule("politics", evidence(1, user_id=TARAS), evidence(2, user_id=HANNA)))
    named = Document(version.path, {**version.data, "cause": cause})
    (write,) = versions_without([named], ALL_OF_HANNA, ForgottenWords())
    assert write.data["cause"] == Cause.FORGOTTEN


@pytest.mark.parametrize("cause", sorted(set(Cause) - {Cause.OTHER}))
def test_a_cause_that_names_nothing_stays(cause):
    (version,) = history(rule("politics", evidence(1, user_id=TARAS), evidence(2, user_id=HANNA)))
    named = Document(version.path, {**version.data, "cause": cause.value})
    (write,) = versions_without([named], ALL_OF_HANNA, ForgottenWords())
    assert write.data["cause"] == cause


@given(lives)
def test_no_version_and_no_quality_record_says_a_value_in_its_cause(life):
    assert all(value not in change.cause for change in live(life) for value in VALUES)


async def test_a_quality_record_of_before_whose_cause_names_a_third_value_goes(sqlite_store):
    fact = believed(rule("politics", evidence(2, user_id=TARAS)))
    same = {"existing": statement("politics"), "incoming": statement("politics")}
    assert await kept_records(sqlite_store, fact, {"named": same | {"cause": "was: quasars"}}) == set()


def test_a_version_whose_last_quote_is_taken_out_goes_though_an_earlier_one_says_the_same():
    first, second = history(
        rule("politics", evidence(1, user_id=TARAS)),
        rule("politics", evidence(2, user_id=HANNA), evidence(3, user_id=HANNA)),
    )
    moved = Document(second.path, {**second.data, "retracted": first.data["evidence"]})
    last = Document(f"{second.path}9", {**second.data, "evidence": [], "retracted": []})
    written = versions_without([first, moved, last], ALL_OF_HANNA, ForgottenWords())
    assert written == [Delete(moved.path), Delete(last.path)]


def test_a_rule_stays_word_for_word_when_a_member_who_typed_its_value_is_forgotten():
    fact = believed(rule("politics, advertising", evidence(1, user_id=TARAS)))
    typed = ("politics, advertising", "politics, advertising in any form")
    assert drop_forgotten(fact, ALL_OF_HANNA, words(*typed, fact=fact)) == replace(fact, version=2)
    kept = drop_forgotten(fact, ALL_OF_HANNA, words(*typed))
    assert (kept.value, kept.value_key, kept.evidence) == (fact.value, fact.value_key, fact.evidence)


def test_a_rule_that_an_admin_said_first_keeps_its_value_when_a_member_repeated_it():
    fact = believed(
        rule("politics, advertising", evidence(1, user_id=TARAS)),
        rule("politics, advertising", evidence(2, user_id=HANNA, quote="politics, advertising"), authority=2),
    )
    kept = drop_forgotten(fact, ALL_OF_HANNA, words("politics, advertising", fact=fact))
    assert (kept.value, kept.value_key) == ("politics, advertising", "politics, advertising")
    assert [e.user_id for e in kept.evidence] == [TARAS]


def test_a_value_in_the_members_words_goes_and_what_somebody_else_said_stays_in_theirs():
    fact = believed(
        rule("quasar fights on stage", evidence(1, user_id=HANNA, quote="no quasar fights on stage")),
        rule("quasar fights on stage", evidence(2, user_id=TARAS, quote="Right: nobody fights here")),
    )
    kept = drop_forgotten(fact, ALL_OF_HANNA, words("quasar fights on stage", "no quasar fights on stage", fact=fact))
    assert (kept.value, kept.value_key, kept.description) == (
        "right: nobody fights here",
        "right: nobody fights here",
        "Right: nobody fights here",
    )
    assert "quasar" not in repr(kept)


def test_mere_agreement_with_the_member_keeps_nothing():
    agreeing = Evidence(at(2), 2, TARAS, "+1", agrees=True)
    said = believed(rule("no quasars here", evidence(1, user_id=HANNA)))
    fact = replace(said, evidence=(*said.evidence, agreeing))
    assert drop_forgotten(fact, ALL_OF_HANNA, words("no quasars here")) is None
    own = replace(agreeing, agrees=False)
    assert drop_forgotten(replace(fact, evidence=(*said.evidence, own)), ALL_OF_HANNA, ForgottenWords()) is not None


def test_one_of_many_values_goes_on_under_another_id_in_the_words_of_who_is_left():
    more = {"category": "tradition", "key": "place", "single": False}
    fact = believed(
        candidate("the quasar cafe downtown", evidence(1, user_id=HANNA), **more),
        candidate("the quasar cafe downtown", evidence(2, user_id=TARAS, quote="at Olena's"), **more),
    )
    kept = drop_forgotten(fact, ALL_OF_HANNA, words("the quasar cafe downtown", fact=fact))
    assert kept.id != fact.id
    assert (kept.anchor, kept.value_key) == ("at olena's", "at olena's")
    same = drop_forgotten(fact, ALL_OF_HANNA, words("somewhere else entirely", fact=fact))
    assert (same.id, same.anchor) == (fact.id, fact.anchor)


said = st.lists(
    st.tuples(
        st.sampled_from([OLIA, HANNA, TARAS]),
        st.sampled_from(["politics", "politics, advertising", "spam and flood", "ads in the chat"]),
        st.sampled_from(list(Authority)),
    ),
    min_size=1,
    max_size=5,
)


typed_words = st.lists(st.sampled_from(["politics", "advertising", "spam", "and", "flood", "ads", "in", "the", "chat"]))


@given(said, typed_words, st.booleans())
def test_whatever_a_member_typed_every_value_with_a_quote_of_somebody_else_stays(said, typed, sole):
    fact = None
    for number, (user_id, value, authority) in enumerate(said, start=1):
        change = learn(
            fact, rule(value, evidence(number, user_id=user_id, quote=f"{value} {number}"), authority=authority)
        )
        fact = fact if change is None else change.belief
    assert fact is not None
    theirs = ForgottenWords(
        [" ".join(typed), *(f"{value} {n}" for n, (who, value, _) in enumerate(said, 1) if who == HANNA)]
    )
    kept = drop_forgotten(fact, ALL_OF_HANNA, theirs if sole else words(" ".join(typed), fact=fact))
    quotes = {e for claim in claims_of(fact) for e in claim.evidence if e.user_id != HANNA}
    left = set() if kept is None else {e for claim in claims_of(kept) for e in claim.evidence}
    assert left == quotes


def test_a_fact_about_the_member_goes_when_none_of_their_own_words_is_left():
    about = {"subject": f"user:{HANNA}", "category": "preference", "key": "likes"}
    fact = believed(candidate("tea", evidence(1, user_id=HANNA), evidence(2, user_id=TARAS), **about))
    assert drop_forgotten(fact, ALL_OF_HANNA, ForgottenWords()) is None
    later = ALL_OF_HANNA._replace(until=at(0))
    assert drop_forgotten(fact, later, ForgottenWords()) == replace(fact, version=2)
    of_taras = Scope(-1001, TARAS, frozenset(), at(10_000))
    assert [e.user_id for e in drop_forgotten(fact, of_taras, ForgottenWords()).evidence] == [HANNA]


def test_votes_and_decisions_of_the_member_go_and_those_of_others_stay():
    fact = replace(
        believed(rule("politics", evidence(1, user_id=TARAS))),
        voices=(Vote(at(3), HANNA, supports=True), Vote(at(4), OLIA, supports=True)),
        rulings=(
            Ruling(at(5), RulingKind.ACCEPTED, user_id=HANNA),
            Ruling(at(6), RulingKind.ACCEPTED, user_id=OLIA),
        ),
    )
    kept = drop_forgotten(fact, ALL_OF_HANNA, ForgottenWords())
    assert [voice.user_id for voice in kept.voices] == [OLIA]
    assert [(ruling.at, ruling.user_id) for ruling in kept.rulings] == [(at(5), None), (at(6), OLIA)]


def test_a_description_with_the_members_words_gives_way_to_the_quote_that_is_left():
    retold = rule(
        "politics", evidence(1, user_id=TARAS, quote="No politics"), description="No politics, not even levitation"
    )
    kept = drop_forgotten(believed(retold), ALL_OF_HANNA, words("not even levitation"))
    assert kept.description == "No politics"
    assert (
        drop_forgotten(believed(retold), ALL_OF_HANNA, words("quite another thing")).description == retold.description
    )


def test_what_came_of_a_fact_is_recorded_as_what_it_is():
    admins, members = (
        rule("friday", evidence(1, user_id=TARAS)),
        rule("friday", evidence(2, user_id=HANNA), authority=2),
    )
    both = believed(admins, members)
    kept = drop_forgotten(both, ALL_OF_HANNA, ForgottenWords())
    change = step_without(both, kept, ALL_OF_HANNA)
    assert (change.kind, change.cause, change.after) == ("correction", Cause.FORGOTTEN, kept)
    assert [e.user_id for e in change.before.evidence] == [TARAS]
    replaced = believed(rule("friday", evidence(1, user_id=TARAS)), rule("saturday", evidence(5, user_id=HANNA)))
    revived = step_without(replaced, drop_forgotten(replaced, ALL_OF_HANNA, ForgottenWords()), ALL_OF_HANNA)
    assert (revived.kind, revived.after.value) == ("revival", "friday")
    rejected = replace(both, rulings=(Ruling(at(3), RulingKind.REJECTED, user_id=OLIA),))
    over = drop_forgotten(rejected, ALL_OF_HANNA, ForgottenWords())
    assert over.status is Status.DEPRECATED
    assert step_without(rejected, over, ALL_OF_HANNA).kind == "deprecation"
    objected = replace(both, voices=(Vote(at(4), HANNA, supports=False),))
    surer = drop_forgotten(objected, ALL_OF_HANNA, ForgottenWords())
    assert isinstance(step_without(objected, surer, ALL_OF_HANNA), FactChange)
    assert surer.confidence > replace(objected, confidence=0.1).confidence
    assert step_without(replace(objected, confidence=0.1), surer, ALL_OF_HANNA).kind == "reinforcement"
    assert timedelta() < at(4) - at(3)


def test_a_description_is_others_when_it_mostly_repeats_their_quote():
    def described(text):
        return believed(rule("politics", evidence(1, user_id=TARAS, quote="No politics"), description=text))

    assert list(others_words(described("Rule: no politics"), ALL_OF_HANNA)) == [
        "politics",
        "politics",
        "Rule: no politics",
    ]
    assert list(others_words(described("Politics is what levitating quasars talk"), ALL_OF_HANNA)) == ["politics"] * 2
    assert list(others_words(believed(rule("politics", evidence(1, user_id=HANNA))), ALL_OF_HANNA)) == []


def test_every_wording_of_a_value_stays_that_is_nobody_elses():
    fact = believed(
        rule("politics", evidence(1, user_id=TARAS), evidence(2, user_id=HANNA)),
    )
    worded = replace(fact, wordings=("politics", "party talk", "levitating quasars"))
    assert drop_forgotten(worded, ALL_OF_HANNA, words("levitating")).wordings == ("politics", "party talk")


def test_a_description_of_which_a_third_is_said_is_not_others():
    fact = believed(
        rule("politics", evidence(1, user_id=TARAS, quote="No politics"), description="Politics levitating quasars")
    )
    assert list(others_words(fact, ALL_OF_HANNA)) == ["politics"] * 2


def test_the_step_begins_with_how_sure_the_fact_was():
    both = believed(rule("friday", evidence(1, user_id=TARAS)), rule("friday", evidence(2, user_id=HANNA)))
    kept = drop_forgotten(both, ALL_OF_HANNA, ForgottenWords())
    assert step_without(both, kept, ALL_OF_HANNA).before.confidence == both.confidence != kept.confidence
