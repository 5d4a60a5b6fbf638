"""The task queue: Google Cloud Tasks, or a table in a SQLite file."""
