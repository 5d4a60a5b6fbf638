"""Guards against talk that must not teach: instructions, questions, hypotheses, and lines that are somebody else's."""
