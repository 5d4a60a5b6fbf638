"""English rows of phrases and the words that they name."""
