"""Embedded DocumentStore: one SQLite file, the same documents, no account and no server."""

from infra.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
