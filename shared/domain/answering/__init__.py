"""What an answer is made from, and what it says without a model."""
