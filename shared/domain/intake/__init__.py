"""Incoming updates, whom a message addresses, and what buttons carry."""
