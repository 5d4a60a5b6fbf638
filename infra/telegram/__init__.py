"""The Telegram Bot API, and what Telegram Desktop exports."""
