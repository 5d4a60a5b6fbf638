"""What a chat is set to: its hours and its time zone."""
