"""Telegram's side of local chats: members, messages, files and ids, as the Bot API tells of them."""
