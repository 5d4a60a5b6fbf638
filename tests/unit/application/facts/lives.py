"""What may happen to one fact, step by step."""

from hypothesis import strategies as st

from shared.domain.facts.change import Cause
from shared.domain.facts.evidence.claim import Authority, Vote
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
            return deprecate(fact, now=at(number), cause=Cause.DROPPED_BY_ADMIN, user_id=7)
        case "retract":
            return retract(fact, number // 2, now=at(number), cause=Cause.EDITED)
        case "vote":
            return cast_voice(fact, fact.value_key, Vote(at(number), number % 4, number % 3 > 0, number))
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


def live(life):
    """The changes of one slot's life, the first of which is its creation."""
    changes = [learn(None, candidate("friday", evidence(0)))]
    for number, (kind, value) in enumerate(life, start=1):
        change = step(changes[-1].belief, kind, number, value)
        changes += [change] if change is not None else []
    return changes
