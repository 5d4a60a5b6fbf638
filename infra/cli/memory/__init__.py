"""Commands that look at a chat's memory or change it."""
