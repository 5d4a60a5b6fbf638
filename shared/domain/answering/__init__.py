"""The context of an answer, and the answers that need no model."""
