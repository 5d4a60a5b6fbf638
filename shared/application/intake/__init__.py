"""What becomes of what comes in: updates, presses, reactions and tasks."""
