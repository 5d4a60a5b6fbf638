"""The settings of a chat: its hours and its time zone."""
