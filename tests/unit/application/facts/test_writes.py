"""What one step of a fact writes."""

from datetime import timedelta

from shared.application.facts.writes import change_writes, makes_fact
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.lifecycle import learn
from tests.support.builders import at, candidate, evidence


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


def test_a_first_statement_makes_a_fact_and_a_rival_or_a_second_quote_makes_none():
    first = learn(None, candidate("friday", evidence(1), authority=Authority.ADMIN))
    rival = learn(first.after, candidate("monday", evidence(2), authority=Authority.OWN_STATEMENT))
    again = learn(first.after, candidate("friday", evidence(3, user_id=9)))
    assert [makes_fact(change) for change in (first, rival, again)] == [True, False, False]
