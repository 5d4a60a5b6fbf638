"""The ObjectStore port on any S3 API."""

from infra.storage.object_store.client import Bucket
from infra.storage.object_store.store import S3ObjectStore

__all__ = ["Bucket", "S3ObjectStore"]
