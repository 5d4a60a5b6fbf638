"""Who people are to a chat: what they are called, and who administrated it when."""
