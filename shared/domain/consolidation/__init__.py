"""CONTEXT.md, what a group is doing now: suggested from its talk, verified, merged night after night, and rendered."""
