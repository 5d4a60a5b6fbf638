"""The people of a chat: their names and labels, and its admins over time."""
