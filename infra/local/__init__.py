"""Everything in one process on one laptop: `make run`. Nothing here is deployed."""
