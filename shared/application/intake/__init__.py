"""Deals with what comes in: updates, presses, reactions and tasks."""
