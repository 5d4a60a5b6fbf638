"""What a candidate belongs to is decided alike by facts that were read whole and by their outlines."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.application.facts.codec import OUTLINE, fact_from_fields, fact_to_fields, outline_from_fields
from shared.application.facts.memory import KnownFacts
from shared.domain.facts.change import Cause
from shared.domain.facts.dedup import verdict
from shared.domain.facts.evidence.claim import Authority, Vote
from shared.domain.facts.fact import candidate_id
from shared.domain.facts.folding import fold
from shared.domain.facts.lifecycle import learn
from shared.domain.facts.revision import cast_voice, deprecate, expire, retract
from tests.support.builders import at, candidate, evidence

SAID = [
    ("tradition", "weekly_recap", "friday", "Recap every Friday"),
    ("tradition", "recap", "п'ятниця", "Підсумки у п'ятницю"),
    ("tradition", "recap", "sunday", "Recap on Sunday now"),
    ("shared_knowledge", "shared_knowledge", "ключ під килимком", "ключ під килимком"),
    ("shared_knowledge", "key", "under the mat", "The key is under the mat"),
    ("shared_knowledge", "wifi_password", "mango42", "The wifi password is mango42"),
    ("rule", "forbidden_topics", "politics", "Без політики"),
    ("rule", "forbidden_topics", "політика", "Політика заборонена"),
    ("rule", "rule", "politics allowed", "Політика дозволена"),
    ("preference", "likes", "coffee", "We like coffee"),
    ("preference", "likes", "кава", "Ми любимо каву"),
    ("preference", "likes", "не кава", "Ми не любимо каву"),
]
histories = st.lists(
    st.tuples(
        st.sampled_from(["say", "say", "say", "say", "drop", "expire", "vote", "retract", "fold"]),
        st.sampled_from(SAID),
        st.sampled_from([Authority.MODEL, Authority.OWN_STATEMENT, Authority.ADMIN]),
        st.booleans(),
    ),
    max_size=14,
)


def of(said, number=0, authority=Authority.OWN_STATEMENT, *, single=False):
    category, key, value, description = said
    about = {"category": category, "description": description, "authority": authority, "single": single}
    return candidate(value, evidence(number, user_id=number % 4), key=key, **about)


def whole(documents):
    return [fact_from_fields(fields) for fields in documents.values()]


def outlined(documents):
    return [outline_from_fields({name: fields[name] for name in OUTLINE}) for fields in documents.values()]


def half(documents):
    """As of a worker that has learnt some of them itself."""
    return [each[i % 2] for i, each in enumerate(zip(whole(documents), outlined(documents), strict=True))]


def known(facts):
    return KnownFacts([fact for fact in facts if fact.conflicts_with is None])


def lives(documents, number, what, said, authority, single):
    """One more thing that happens to what is known; what is learnt goes where the outlines say that it belongs."""
    if what == "say":
        return learnt(documents, of(said, number, authority, single=single))
    roots = [fact for fact in whole(documents) if fact.conflicts_with is None]
    if not roots:
        return documents
    fact = roots[number % len(roots)]
    match what:
        case "drop":
            change = deprecate(fact, now=at(number), cause=Cause.DROPPED_BY_ADMIN, user_id=7)
        case "expire":
            change = expire(fact, now=at(number), unconfirmed_since=at(number))
        case "vote":
            change = cast_voice(fact, fact.value_key, Vote(at(number), number % 4, number % 3 > 0))
        case "retract":
            change = retract(fact, number // 2, now=at(number), cause=Cause.EDITED)
        case "fold":
            return folded(documents, roots, number)
    return written(documents, change)


def learnt(documents, said):
    slot, score = known(outlined(documents)).slot_of(said)
    stored = documents.get(candidate_id(said), documents.get(slot))
    existing = None if stored is None else fact_from_fields(stored)
    return written(documents, learn(existing, said, judge=verdict, score=score))


def folded(documents, roots, number):
    pairs = [(one, other) for one in roots for other in roots if one.id < other.id]
    found = (fold(one, other, judge=verdict, score=1.0, now=at(number)) for one, other in pairs)
    folding = next((each for each in found if each is not None), None)
    if folding is None:
        return documents
    left = {fact_id: fields for fact_id, fields in documents.items() if fact_id != folding.gone.after.id}
    return written(left, folding.change)


def written(documents, change):
    steps = () if change is None else (change, *change.also)
    return documents | {step.after.id: fact_to_fields(step.after) for step in steps}


@settings(max_examples=200)
@given(histories)
@example([("say", SAID[0], Authority.OWN_STATEMENT, True), ("fold", SAID[0], Authority.MODEL, False)])
def test_a_candidate_belongs_to_the_same_fact_whether_facts_were_read_whole_or_in_outline(history):
    documents = {}
    for number, (what, said, authority, single) in enumerate(history, start=1):
        documents = lives(documents, number, what, said, authority, single)
    every, few, mixed = known(whole(documents)), known(outlined(documents)), known(half(documents))
    for each in SAID:
        for single in (False, True):
            asked = of(each, 99, single=single)
            assert few.slot_of(asked) == every.slot_of(asked) == mixed.slot_of(asked)


@given(histories)
def test_an_outline_is_the_fact_in_all_that_tells_facts_apart(history):
    documents = {}
    for number, (what, said, authority, single) in enumerate(history, start=1):
        documents = lives(documents, number, what, said, authority, single)
    for fact, outline in zip(whole(documents), outlined(documents), strict=True):
        assert (outline.id, outline.value_key, outline.aliases) == (fact.id, fact.value_key, fact.aliases)
        assert verdict(outline, fact) is verdict(fact, fact)
        assert outline.conflicts_with == fact.conflicts_with
