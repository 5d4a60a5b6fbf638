"""docs/commands.md: every command and button as a group sees them, said to a whole Spomyn over loopback.

`python -m tests.transcript` writes the page anew; a test compares it with what happens.
"""
