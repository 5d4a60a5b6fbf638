import asyncio

import pytest

from infra.rest.http import HttpPool
from tests.unit.infra.rest.servers import peer


@pytest.fixture
async def served():
    async with peer((200, {"a": 1})) as server:
        pool = HttpPool(f"http://{server.host}", timeout=2)
        yield server, pool
        await pool.aclose()


async def test_a_connection_is_kept_for_the_next_request(served):
    server, pool = served
    for _ in range(3):
        reply = await pool.request("POST", "/x", headers={"x-a": "b"}, body=b"{}")
        assert (reply.status, reply.body) == (200, b'{"a": 1}')
    assert len(set(map(id, server.connections))) == 1
    assert server.asked[0][2] == b"{}"


async def test_requests_at_once_have_a_connection_each(served):
    server, pool = served
    await asyncio.gather(*(pool.request("GET", "/", headers={}) for _ in range(8)))
    assert len(server.asked) == 8


async def test_a_connection_that_the_server_closed_meanwhile_is_not_used_again(served):
    server, pool = served
    await pool.request("GET", "/", headers={})
    server.connections[0].close()
    await asyncio.sleep(0.05)
    assert (await pool.request("GET", "/", headers={})).status == 200
    assert len(server.asked) == 2


async def test_a_connection_that_breaks_is_an_error_and_nothing_is_repeated(served):
    server, pool = served
    server.closes = True
    with pytest.raises(OSError):
        await pool.request("POST", "/", headers={}, body=b"{}")
    assert len(server.asked) == 1


async def test_a_closed_pool_opens_again(served):
    _, pool = served
    await pool.request("GET", "/", headers={})
    await pool.aclose()
    assert (await pool.request("GET", "/", headers={})).status == 200
