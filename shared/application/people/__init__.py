"""Who administrates a chat, as Telegram says."""
