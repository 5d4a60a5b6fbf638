"""Where the words of somebody who is forgotten are: whose they are, and which documents hold them."""
