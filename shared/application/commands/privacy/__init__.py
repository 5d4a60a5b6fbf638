"""Commands about one's own data: opting out, export, forgetting."""
