"""Filters that keep candidates from being stored, each refusal under a name that is counted and logged."""
