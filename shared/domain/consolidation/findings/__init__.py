"""Finds items for CONTEXT.md in a talk by rules: promises, requests, plans, threads and wishes."""
