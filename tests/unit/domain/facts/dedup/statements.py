"""Statements as candidates and facts make them, for deduplication."""

from __future__ import annotations

from types import SimpleNamespace

from shared.domain.facts.dedup import Verdict
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Fact

MERGES = (Verdict.DUPLICATE, Verdict.REINFORCES)
DAYS = [
    ("Monday", "понеділок"),
    ("Tuesday", "вівторок"),
    ("Thursday", "четвер"),
    ("Friday", "п'ятниця"),
    ("Sunday", "неділя"),
]
THINGS = ["coffee", "chess", "hiking", "кава", "настолки", "шахи", "jazz", "оливки"]


def said(value, description, *, key="likes", category="preference", subject="user:1"):
    return SimpleNamespace(
        subject=subject, category=category, key=key, value=value, description=description, single=False
    )


def fact(value, description, *, key="likes", category="preference", subject="user:1"):
    return Fact(
        subject=subject, category=category, key=key, value=value, description=description, confidence=0.8, evidence=(),
        authority=Authority.OWN_STATEMENT, single=False,
    )  # fmt: skip
