"""Talk as it is stored and read again: which words may be used, what stood around, files, editions."""
