"""What was said of one value."""

from __future__ import annotations

import pytest

from shared.domain.facts.claims import claims_of
from shared.domain.facts.evidence.claim import Authority, Claim, rank_authority, tally_of
from shared.domain.facts.fact import Status
from shared.domain.facts.lifecycle import learn
from tests.support.builders import candidate, evidence
from tests.unit.domain.facts.evidence.test_belief import against, voted


def test_a_claim_knows_its_wordings():
    claim = Claim("Weekend hiking", "", wordings=("hiking", "weekend hiking"))
    assert claim.value_key == "hiking"
    assert claim.says(" HIKING ")
    assert not claim.says("skiing")


@pytest.mark.parametrize(
    ("subject", "weakest_first"),
    [
        ("chat", ["STATISTICS", "MODEL", "OWN_STATEMENT", "CONSENSUS", "ADMIN"]),
        ("user:1", ["STATISTICS", "MODEL", "CONSENSUS", "OWN_STATEMENT", "ADMIN"]),
    ],
)
def test_authorities_rank_in_their_order_and_one_members_word_about_the_chat_below_consensus(subject, weakest_first):
    ranks = [rank_authority(subject, Authority[name]) for name in weakest_first]
    assert ranks == sorted(set(ranks))


def test_a_supporter_who_changes_their_mind_counts_on_the_other_side():
    three = candidate("friday", *(evidence(n, user_id=n) for n in range(1, 4)))
    known = voted(learn(None, three).after, *against(1, 2))
    assert tally_of(known.value_key, claims_of(known)) == ({3}, {1, 2})
    assert tally_of(known.value_key, claims_of(known)).missing(3) == 1
    assert voted(known, *against(3, start=30)).status is Status.DEPRECATED
