"""Matching of sentences: clauses, phrases of lemmas, rows of phrases, and tables of rows."""
