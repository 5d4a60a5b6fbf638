"""Compares two facts: `duplicate`, `reinforces`, `conflicts` or `distinct`, in and across two languages.

A similarity threshold alone merges contradictions and misses paraphrases. So a statement is taken apart (`reading`)
into what it is about, with which sign, when and how many; guards decide first (`judging`): negation, antonyms, numbers,
days, names and places; only then likeness of words, and vectors where there are any.
"""

from shared.domain.facts.claims import Verdict
from shared.domain.facts.dedup.index import DuplicateMatch, FactIndex, verdict

__all__ = ["DuplicateMatch", "FactIndex", "Verdict", "verdict"]
