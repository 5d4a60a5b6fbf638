"""Summaries of what was said: excerpts without a model, and what is kept of a model's text."""
