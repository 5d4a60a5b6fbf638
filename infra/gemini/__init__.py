"""Gemini as the language model and the embedder.

The SDK, and what speaks its types, is imported by the first call: it costs a cold start more than everything else
together, and most updates need no model. One deadline bounds a call with all its retries and uploads; whatever goes
wrong leaves as `ModelUnavailable` or `ModelRefused`, so that the caller can fall back on quoting memory.
"""
