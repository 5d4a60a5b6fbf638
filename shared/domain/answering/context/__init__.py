"""The context of one answer: its layers, their budgets, and the two formats that talk is shown in."""
