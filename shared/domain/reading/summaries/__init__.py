"""Summaries: excerpts of talk without a model, excerpts of excerpts, and what is kept of a model's own words."""

from shared.domain.reading.summaries.excerpts import condense, extractive_summary
from shared.domain.reading.summaries.wording import clean_facts, clean_summary, says_nothing

__all__ = ["clean_facts", "clean_summary", "condense", "extractive_summary", "says_nothing"]
