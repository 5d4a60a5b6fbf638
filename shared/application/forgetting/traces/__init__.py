"""The traces of forgotten words: whose words are meant, and which documents hold them."""
