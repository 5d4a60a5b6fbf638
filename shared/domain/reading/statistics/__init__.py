"""What the manner of a talk says about the group, counted."""
