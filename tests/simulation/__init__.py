"""Spomyn as a whole, simulated from one seed: see docs/simulation.md."""
