"""What was said of one value."""

from __future__ import annotations

from shared.domain.facts.evidence.claim import Claim


def test_a_claim_knows_its_wordings():
    claim = Claim("Weekend hiking", "", wordings=("hiking", "weekend hiking"))
    assert claim.value_key == "hiking"
    assert claim.says(" HIKING ")
    assert not claim.says("skiing")
