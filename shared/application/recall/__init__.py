"""The retrieval index of a chat: kept by the extraction worker, read by answers.

Nothing is imported here: the instance's cache is made at its start, which must not load numpy.
"""
