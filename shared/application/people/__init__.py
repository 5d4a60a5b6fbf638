"""The administrators of a chat, as Telegram tells them."""
