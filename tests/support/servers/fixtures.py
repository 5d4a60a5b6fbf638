"""Fixtures for tests over buckets: moto in this process, moto's server, and a proxy that fails as networks do."""

import hashlib

import pytest

from tests.support.servers.objects import FaultyProxy, moto_inside, moto_server, store_on


@pytest.fixture(scope="module")
def inside():
    with moto_inside() as client:
        yield client


@pytest.fixture(scope="module")
def server():
    with moto_server() as client:
        yield client


@pytest.fixture
def bucket(request):
    return "b" + hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:20]


@pytest.fixture
async def behind(server, bucket):
    """A proxy, the adapter behind it, and a client that goes around."""
    server.create_bucket(Bucket=bucket)
    async with FaultyProxy(server.meta.endpoint_url).running() as proxy:
        archive = store_on(bucket, proxy.url, timeout=1.0)
        yield proxy, archive, server
        await archive.aclose()
