"""Model and patterns saw one statement: there is one fact, in the model's words."""

from dataclasses import replace
from datetime import UTC, datetime

from shared.domain.facts.evidence.claim import Authority, Evidence, Quorum
from shared.domain.facts.fact import Candidate
from shared.domain.reading.one_statement import join_lanes, needs_agreement

AT = datetime(2026, 3, 2, tzinfo=UTC)


def quote(text, message_id=1, user_id=7, **more):
    return Evidence(AT, message_id, user_id, text, 0.9, **more)


READ = Candidate("user:7", "personal_info", "health", "нудить у бусі", "Устима нудить у бусі.", 0.95,
                 (quote("мене нудить у бусі"),), Authority.MODEL)  # fmt: skip
MATCHED = Candidate("user:7", "personal_info", "dislikes", "у бусі", "Не любить: у бусі", 0.8,
                    (quote("нудить у бусі"), quote("і мене", 2, 8, agrees=True)))  # fmt: skip


def test_what_both_found_is_told_by_the_model_and_backed_as_patterns_know():
    (one,) = join_lanes([READ], [MATCHED])
    assert (one.value, one.description, one.authority) == (READ.value, READ.description, Authority.OWN_STATEMENT)
    assert [e.message_id for e in one.evidence] == [1, 2]


def test_what_patterns_alone_found_is_left_out():
    elsewhere = replace(MATCHED, evidence=(quote("нудить у бусі", 5),))
    of_another = replace(MATCHED, subject="user:8")
    assert join_lanes([READ], [elsewhere, of_another]) == [READ]


def test_what_only_agrees_and_what_a_consensus_lays_down_stay():
    agrees = replace(MATCHED, subject="chat", holds=False)
    rule = Candidate("chat", "rule", "forbidden_topics", "politics", "No politics.", 0.8,
                     (quote("no politics", 6, quorum=Quorum.CONSENSUS),))  # fmt: skip
    assert join_lanes([], [agrees, rule, MATCHED]) == [agrees, rule]


def test_words_that_patterns_know_for_a_rule_of_no_admin_need_agreement_under_whatever_key():
    rule = Candidate("chat", "rule", "forbidden_topics", "politics", "No politics.", 0.8,
                     (quote("no politics", 6, quorum=Quorum.CONSENSUS),))  # fmt: skip
    custom = replace(READ, subject="chat", category="tradition", key="talk", evidence=(quote("no politics here", 6),))
    decreed = replace(rule, authority=Authority.ADMIN, evidence=(quote("no politics", 6),))
    assert needs_agreement(custom, [MATCHED, rule])
    assert not needs_agreement(custom, [MATCHED, decreed])
    assert not needs_agreement(replace(custom, evidence=(quote("tea at six", 6),)), [rule])
