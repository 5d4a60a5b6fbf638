"""Reading what was learnt of a talk."""

from __future__ import annotations

from shared.domain.facts.fact import Candidate

ADMIN = {"is_admin": True}


def only(candidates: list[Candidate]) -> Candidate:
    assert len(candidates) == 1, candidates
    return candidates[0]


def quotes(candidate: Candidate) -> list[tuple[int, str]]:
    return [(evidence.message_id, evidence.quote) for evidence in candidate.evidence]
