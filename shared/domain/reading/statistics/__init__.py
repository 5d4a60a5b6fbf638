"""Statistics of a talk's manner, as facts about the group."""
