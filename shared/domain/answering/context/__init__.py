"""What reaches the model for one answer: its layers, their budgets, and the two formats talk is shown in."""
