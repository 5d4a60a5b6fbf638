"""Commands and buttons about facts: lists, cards, votes, corrections, questions to the group, and why."""
