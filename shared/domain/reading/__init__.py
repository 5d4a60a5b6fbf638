"""Learning from talk: patterns, statistics, filters, summaries and episodes."""
