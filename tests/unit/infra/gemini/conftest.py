"""Gemini's adapters, connected to a strict server on this machine."""

from tests.support.gemini.fixtures import connect, gemini, model

__all__ = ["connect", "gemini", "model"]
