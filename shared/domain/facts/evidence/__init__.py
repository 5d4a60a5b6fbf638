"""The words for and against a value, and the belief that follows: a pure function of quotes, votes and rulings."""
