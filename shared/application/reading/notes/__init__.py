"""The notes about talk: chunks, meta summaries, episodes, and their vectors."""
