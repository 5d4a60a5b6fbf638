"""Facts: what is believed of a member or the chat, by which evidence, and how surely."""
