"""What a model costs, in tokens and in money."""
