"""Measures for deduplication (see the case formats)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.domain.facts.dedup import Verdict, verdict
from tests.evals.extraction import Case, Report

MERGES = frozenset({Verdict.DUPLICATE, Verdict.REINFORCES})


class CaseStatement(NamedTuple):
    """One side of a case."""

    subject: str
    category: str
    key: str
    value: str
    description: str
    single: bool = False


class _Outcome(NamedTuple):
    wanted: Verdict
    given: Verdict


def evaluate_dedup(cases: Sequence[Case]) -> Report:
    outcomes: list[_Outcome] = []
    by_lang: dict[str, list[_Outcome]] = defaultdict(list)
    failures: list[str] = []
    for case in cases:
        outcome = _Outcome(Verdict(case["verdict"]), decided(case))
        outcomes.append(outcome)
        by_lang[case["lang"]].append(outcome)
        if outcome.wanted is not outcome.given:
            failures.append(_miss(case, outcome))
    metrics = {"cases": len(cases), **_metrics(outcomes)}
    metrics["by_lang"] = {lang: _metrics(some) for lang, some in sorted(by_lang.items())}
    metrics["by_category"] = {name.value: _accuracy(outcomes, name) for name in Verdict}
    return Report(metrics, failures)


def decided(case: Case) -> Verdict:
    """The verdict on one case."""
    return verdict(_side(case, "existing"), _side(case, "incoming"))


def _side(case: Case, name: str) -> CaseStatement:
    fields: Mapping[str, Any] = case[name]
    return CaseStatement(case["subject"], *(fields[key] for key in ("category", "key", "value", "description")))


def _metrics(outcomes: Sequence[_Outcome]) -> dict[str, Any]:
    return {
        "verdict_accuracy": _share(sum(o.wanted is o.given for o in outcomes), len(outcomes), empty=1.0),
        "merge_recall": _recall(outcomes, MERGES),
        "merge_precision": _precision(outcomes, MERGES),
        "conflict_recall": _recall(outcomes, frozenset({Verdict.CONFLICTS})),
        "conflict_precision": _precision(outcomes, frozenset({Verdict.CONFLICTS})),
    }


def _share(part: int, whole: int, *, empty: float) -> float:
    return round(part / whole, 4) if whole else empty


def _recall(outcomes: Sequence[_Outcome], kind: frozenset[Verdict]) -> float:
    wanted = [o for o in outcomes if o.wanted in kind]
    return _share(sum(o.given in kind for o in wanted), len(wanted), empty=1.0)


def _precision(outcomes: Sequence[_Outcome], kind: frozenset[Verdict]) -> float:
    given = [o for o in outcomes if o.given in kind]
    return _share(sum(o.wanted in kind for o in given), len(given), empty=1.0)


def _accuracy(outcomes: Sequence[_Outcome], wanted: Verdict) -> float:
    some = [o for o in outcomes if o.wanted is wanted]
    return _share(sum(o.given is wanted for o in some), len(some), empty=1.0)


def _miss(case: Case, outcome: _Outcome) -> str:
    old, new = (" | ".join(case[name].values()) for name in ("existing", "incoming"))
    return f"{case['id']} {outcome.given.value.upper()}, wanted {outcome.wanted.value}: {old}  ->  {new}"
