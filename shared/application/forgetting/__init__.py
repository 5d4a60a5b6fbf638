"""Forgetting for good (law 7): a chat, a member or single messages, from everything that is kept."""
