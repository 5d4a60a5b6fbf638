"""The rules of sending an answer: its markup, its links and mentions, and how many are sent a minute."""
