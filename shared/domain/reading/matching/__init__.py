"""How a sentence is matched: clauses, phrases of lemmas, rows of phrases, and tables of rows."""
