"""What was said of a value, and what that comes to: a pure function of quotes, votes and rulings."""
