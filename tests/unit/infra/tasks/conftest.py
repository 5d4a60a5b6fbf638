"""Cloud Tasks, connected to a strict server on this machine."""

from tests.support.google.fixtures import cloud

__all__ = ["cloud"]
