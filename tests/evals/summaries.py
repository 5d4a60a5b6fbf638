"""What an extractive summary keeps of a chunk's dates, numbers, places, names and promises, and how short it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from shared.domain.reading.summaries.excerpts import extractive_summary
from tests.evals.extraction import Case, Report, folded, message_of

KINDS = ("dates", "numbers", "places", "names", "promises")
TALKATIVE = 600
"""Characters of talk from which a chunk counts as talkative."""


def evaluate_summaries(cases: Sequence[Case]) -> Report:
    """Share kept, by kind and language; `compression` is the summaries' part of the talk's characters."""
    found: dict[str, list[bool]] = defaultdict(list)
    sizes: dict[str, list[tuple[int, int]]] = defaultdict(list)
    failures = []
    for case in cases:
        messages = [message_of(fields) for fields in case["messages"]]
        summary = extractive_summary(messages)
        talk = sum(len(m.text) for m in messages if m.may_teach)
        sizes["talkative" if talk >= TALKATIVE else "short"].append((len(summary), talk))
        for kind, wanted in [(name, text) for name in KINDS for text in case["keep"].get(name, ())]:
            kept = _plain(wanted) in _plain(summary)
            found[kind].append(kept)
            if kind != "promises":
                found["all"].append(kept)
                found[case["lang"]].append(kept)
            if not kept:
                failures.append(f"{case['id']}: lost {kind} {wanted!r}")
    names = ("all", "uk", "en", *KINDS)
    return Report(
        {
            "cases": len(cases),
            **{name: _share(found[name]) for name in names},
            "compression": {name: _compression(pairs) for name, pairs in sorted(sizes.items())},
            "longest": max((size for pairs in sizes.values() for size, _ in pairs), default=0),
        },
        failures,
    )


def _plain(text: str) -> str:
    return " ".join(folded(text).replace('\\"', '"').split())


def _share(kept: Sequence[bool]) -> float:
    return round(sum(kept) / len(kept), 4) if kept else 1.0


def _compression(pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    shares = [size / talk for size, talk in pairs if talk]
    mean = sum(size for size, _ in pairs) / max(sum(talk for _, talk in pairs), 1)
    return {"chunks": len(pairs), "overall": round(mean, 4), "worst": round(max(shares, default=0.0), 4)}
