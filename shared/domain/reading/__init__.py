"""What is learnt from talk: patterns, statistics, filters, summaries and episodes."""
