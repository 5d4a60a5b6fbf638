"""The versions of a fact tell nothing of who is forgotten, and of everybody else what they told."""

from shared.application.facts.version_codec import version_to_fields
from shared.application.forgetting.traces.history import versions_without
from shared.application.forgetting.traces.remainder import CAUSE
from shared.application.forgetting.traces.words import ForgottenWords
from shared.application.ports.store import Delete, Document, Set
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, evidence
from tests.support.forgetting.facts_told import ALL_OF_HANNA, HANNA, OLIA, TARAS, rule, words


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
