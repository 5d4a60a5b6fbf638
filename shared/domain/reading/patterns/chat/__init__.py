"""Patterns for sentences about the chat: rules, customs, plans and wishes."""
