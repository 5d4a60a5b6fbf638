"""Talk: messages, their editions and files, links to them, and in which language to speak to somebody."""
