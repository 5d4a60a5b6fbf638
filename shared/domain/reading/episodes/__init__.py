"""Episodes: conversations that are over, and what each was like."""
