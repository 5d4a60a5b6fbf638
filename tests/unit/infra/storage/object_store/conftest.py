"""Buckets of moto, and a proxy before them."""

from tests.support.servers.fixtures import behind, bucket, inside, server

__all__ = ["behind", "bucket", "inside", "server"]
