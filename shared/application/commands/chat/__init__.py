"""Commands about the chat as a whole: CONTEXT.md, recap, portrait, figures, reading again, reset."""
