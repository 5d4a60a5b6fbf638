"""Facts that several members told, and the words of one of them."""

from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.forgetting.traces.slots import others_words
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate

OLIA, HANNA, TARAS = 101, 104, 102
ALL_OF_HANNA = Scope(-1001, HANNA, frozenset(), at(10_000))


def believed(*candidates):
    """The fact that these candidates leave in their slot."""
    fact = None
    for each in candidates:
        change = learn(fact, each)
        fact = fact if change is None else change.belief
    return fact


def words(*said, fact=None, scope=ALL_OF_HANNA):
    """Of the member, without what others own in the fact."""
    found = ForgottenWords(said)
    for text in [] if fact is None else others_words(fact, scope):
        found.leave_out(text)
    return found


def rule(value, *quotes, **more):
    return candidate(value, *quotes, category="rule", key="forbidden_topics", **{"authority": Authority.ADMIN} | more)


def quality_record(**more):
    """A quality record of a rule, as stored."""
    same = {"key": "forbidden_topics", "value": "a", "description": "b"}
    record = {"kind": "merge", "fact_id": "f", "subject": "chat", "existing": same, "incoming": same}
    judged = {"verdict": "duplicate", "score": 1.0, "cause": "pinned", "at": at(1), "resolved": True, "message_ids": []}
    return record | judged | more
