"""What a sentence says about the chat: rules, customs, plans and wishes."""
