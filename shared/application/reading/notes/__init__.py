"""What is written down of talk: chunks, meta summaries, episodes, and their vectors."""
