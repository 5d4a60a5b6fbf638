"""How an answer is sent: its markup, what it may do to its readers, and how many a minute."""
