"""What must not teach: instructions, questions, hypotheses, and lines that are somebody else's."""
