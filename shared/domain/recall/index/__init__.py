"""The index of a chat's talk and notes: sealed segments, and one searchable whole over them."""
