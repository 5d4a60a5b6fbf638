"""CONTEXT.md: what a group is doing now, kept up to date night after night, edited by hand, and forgotten in."""
