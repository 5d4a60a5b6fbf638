"""A chat's memory as one file: exported, checked and restored, and kept outside the store."""
