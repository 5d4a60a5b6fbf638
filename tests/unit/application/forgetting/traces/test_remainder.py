"""What is left of a fact when somebody who spoke in it is forgotten: nobody else's word goes with theirs."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.application.forgetting.traces.remainder import CAUSE, others_words, step_without, without
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.domain.facts.change import FactChange
from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Authority, Evidence, Ruling, RulingKind, Voice
from shared.domain.facts.fact import Status
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence
from tests.support.forgetting.facts_told import ALL_OF_HANNA, HANNA, OLIA, TARAS, believed, rule, words


def test_a_rule_stays_word_for_word_when_a_member_who_typed_its_value_is_forgotten():
    fact = believed(rule("politics, advertising", evidence(1, user_id=TARAS)))
    typed = ("politics, advertising", "politics, advertising in any form")
    assert without(fact, ALL_OF_HANNA, words(*typed, fact=fact)) == replace(fact, version=2)
    kept = without(fact, ALL_OF_HANNA, words(*typed))
    assert (kept.value, kept.value_key, kept.evidence) == (fact.value, fact.value_key, fact.evidence)


def test_a_rule_that_an_admin_said_first_keeps_its_value_when_a_member_repeated_it():
    fact = believed(
        rule("politics, advertising", evidence(1, user_id=TARAS)),
        rule("politics, advertising", evidence(2, user_id=HANNA, quote="politics, advertising"), authority=2),
    )
    kept = without(fact, ALL_OF_HANNA, words("politics, advertising", fact=fact))
    assert (kept.value, kept.value_key) == ("politics, advertising", "politics, advertising")
    assert [e.user_id for e in kept.evidence] == [TARAS]


def test_a_value_in_the_members_words_goes_and_what_somebody_else_said_stays_in_theirs():
    fact = believed(
        rule("quasar fights on stage", evidence(1, user_id=HANNA, quote="no quasar fights on stage")),
        rule("quasar fights on stage", evidence(2, user_id=TARAS, quote="Right: nobody fights here")),
    )
    kept = without(fact, ALL_OF_HANNA, words("quasar fights on stage", "no quasar fights on stage", fact=fact))
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
    assert without(fact, ALL_OF_HANNA, words("no quasars here")) is None
    own = replace(agreeing, agrees=False)
    assert without(replace(fact, evidence=(*said.evidence, own)), ALL_OF_HANNA, ForgottenWords()) is not None


def test_one_of_many_values_goes_on_under_another_id_in_the_words_of_who_is_left():
    more = {"category": "tradition", "key": "place", "single": False}
    fact = believed(
        candidate("the quasar cafe downtown", evidence(1, user_id=HANNA), **more),
        candidate("the quasar cafe downtown", evidence(2, user_id=TARAS, quote="at Olena's"), **more),
    )
    kept = without(fact, ALL_OF_HANNA, words("the quasar cafe downtown", fact=fact))
    assert kept.id != fact.id
    assert (kept.anchor, kept.value_key) == ("at olena's", "at olena's")
    same = without(fact, ALL_OF_HANNA, words("somewhere else entirely", fact=fact))
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
    kept = without(fact, ALL_OF_HANNA, theirs if sole else words(" ".join(typed), fact=fact))
    quotes = {e for claim in claims_of(fact) for e in claim.evidence if e.user_id != HANNA}
    left = set() if kept is None else {e for claim in claims_of(kept) for e in claim.evidence}
    assert left == quotes


def test_a_fact_about_the_member_goes_when_none_of_their_own_words_is_left():
    about = {"subject": f"user:{HANNA}", "category": "preference", "key": "likes"}
    fact = believed(candidate("tea", evidence(1, user_id=HANNA), evidence(2, user_id=TARAS), **about))
    assert without(fact, ALL_OF_HANNA, ForgottenWords()) is None
    later = ALL_OF_HANNA._replace(until=at(0))
    assert without(fact, later, ForgottenWords()) == replace(fact, version=2)
    of_taras = Scope(-1001, TARAS, frozenset(), at(10_000))
    assert [e.user_id for e in without(fact, of_taras, ForgottenWords()).evidence] == [HANNA]


def test_votes_and_decisions_of_the_member_go_and_those_of_others_stay():
    fact = replace(
        believed(rule("politics", evidence(1, user_id=TARAS))),
        voices=(Voice(at(3), HANNA, supports=True), Voice(at(4), OLIA, supports=True)),
        rulings=(
            Ruling(at(5), RulingKind.ACCEPTED, user_id=HANNA),
            Ruling(at(6), RulingKind.ACCEPTED, user_id=OLIA),
        ),
    )
    kept = without(fact, ALL_OF_HANNA, ForgottenWords())
    assert [voice.user_id for voice in kept.voices] == [OLIA]
    assert [(ruling.at, ruling.user_id) for ruling in kept.rulings] == [(at(5), None), (at(6), OLIA)]


def test_a_description_with_the_members_words_gives_way_to_the_quote_that_is_left():
    retold = rule(
        "politics", evidence(1, user_id=TARAS, quote="No politics"), description="No politics, not even levitation"
    )
    kept = without(believed(retold), ALL_OF_HANNA, words("not even levitation"))
    assert kept.description == "No politics"
    assert without(believed(retold), ALL_OF_HANNA, words("quite another thing")).description == retold.description


def test_what_came_of_a_fact_is_recorded_as_what_it_is():
    admins, members = (
        rule("friday", evidence(1, user_id=TARAS)),
        rule("friday", evidence(2, user_id=HANNA), authority=2),
    )
    both = believed(admins, members)
    kept = without(both, ALL_OF_HANNA, ForgottenWords())
    change = step_without(both, kept, ALL_OF_HANNA)
    assert (change.kind, change.cause, change.after) == ("correction", CAUSE, kept)
    assert [e.user_id for e in change.before.evidence] == [TARAS]
    replaced = believed(rule("friday", evidence(1, user_id=TARAS)), rule("saturday", evidence(5, user_id=HANNA)))
    revived = step_without(replaced, without(replaced, ALL_OF_HANNA, ForgottenWords()), ALL_OF_HANNA)
    assert (revived.kind, revived.after.value) == ("revival", "friday")
    rejected = replace(both, rulings=(Ruling(at(3), RulingKind.REJECTED, user_id=OLIA),))
    over = without(rejected, ALL_OF_HANNA, ForgottenWords())
    assert over.status is Status.DEPRECATED
    assert step_without(rejected, over, ALL_OF_HANNA).kind == "deprecation"
    objected = replace(both, voices=(Voice(at(4), HANNA, supports=False),))
    surer = without(objected, ALL_OF_HANNA, ForgottenWords())
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
    assert without(worded, ALL_OF_HANNA, words("levitating")).wordings == ("politics", "party talk")


def test_a_description_of_which_a_third_is_said_is_not_others():
    fact = believed(
        rule("politics", evidence(1, user_id=TARAS, quote="No politics"), description="Politics levitating quasars")
    )
    assert list(others_words(fact, ALL_OF_HANNA)) == ["politics"] * 2


def test_the_step_begins_with_how_sure_the_fact_was():
    both = believed(rule("friday", evidence(1, user_id=TARAS)), rule("friday", evidence(2, user_id=HANNA)))
    kept = without(both, ALL_OF_HANNA, ForgottenWords())
    assert step_without(both, kept, ALL_OF_HANNA).before.confidence == both.confidence != kept.confidence
