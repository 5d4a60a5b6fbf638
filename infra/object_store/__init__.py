"""The ObjectStore port on any S3 API."""

from infra.object_store.store import Bucket, S3ObjectStore

__all__ = ["Bucket", "S3ObjectStore"]
