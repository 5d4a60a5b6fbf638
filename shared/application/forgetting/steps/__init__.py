"""The steps of a forgetting, in the order in which they are taken."""
