"""DocumentStore on Firestore (native mode)."""

from infra.firestore.store import FirestoreStore

__all__ = ["FirestoreStore"]
