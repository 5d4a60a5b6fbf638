"""Asking the model in the background, and what that costs a chat and its members."""
