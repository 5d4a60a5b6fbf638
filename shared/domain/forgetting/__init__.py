"""Recognising what others retell of a member who was forgotten: their name beside what was erased, known by hashes."""
