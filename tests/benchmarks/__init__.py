"""Figures of docs/benchmarks.md: `python -m tests.benchmarks [name ...] [--json]`."""
