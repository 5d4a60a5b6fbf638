"""The chats' own documents: state, choices, marks of nights, and the move to a new id."""
