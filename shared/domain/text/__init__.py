"""Words, names and numbers as people write them, in both languages: what every subject reads talk with."""
