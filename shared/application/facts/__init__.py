"""Facts in the store: learnt, taken back, voted on, corrected, and read as profiles."""
