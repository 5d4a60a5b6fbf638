"""The night shift: what tends the memory of each chat while nobody talks."""
