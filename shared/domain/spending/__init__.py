"""The costs of a model, in tokens and in money."""
