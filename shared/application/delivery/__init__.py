"""Delivering answers: each piece once, in order, and no more than a chat takes."""
