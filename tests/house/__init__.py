"""Figures of the code and the bounds that they must keep: `python -m tests.house`."""
