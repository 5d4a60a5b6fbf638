"""A memory told at random to learn, correct and forget, beside a model of it that fits on a page."""
