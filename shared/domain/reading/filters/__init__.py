"""What must not be stored, each refusal under a name that is counted and logged."""
