"""Tests of what tests and measures: evals, hours, mutants, the code's figures, the fake Bot API."""
