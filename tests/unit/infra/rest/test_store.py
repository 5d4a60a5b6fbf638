"""What only the calls themselves show: which are repeated, and what a refusal means. The rest is the contract's."""

import json

import pytest

from infra.rest.store import RestStore
from shared.domain.errors import Contention, StoreUnavailable, UnstorableDocument
from tests.simulation.peers.store import MemoryStore
from tests.unit.infra.rest.servers import peer, refusal

DONE = (200, {})


async def done(call, *answers):
    """What comes of a call, and how often it was made."""
    async with peer(*answers) as server:
        store = RestStore("p", sdk=MemoryStore, emulator_host=server.host, timeout=2)
        try:
            return await call(store), len(server.asked)
        except (StoreUnavailable, Contention, UnstorableDocument) as error:
            return type(error), len(server.asked)
        finally:
            await store.aclose()


def set_one(store):
    return store.set("a/1", {"b": 1})


def create_one(store):
    return store.create("a/1", {"b": 1})


async def test_a_write_says_whose_it_is_and_what_it_writes():
    async with peer(DONE) as server:
        store = RestStore("p", sdk=MemoryStore, emulator_host=server.host)
        await store.set("a/1", {"b": 1})
        await store.aclose()
    ((path, headers, body),) = server.asked
    assert path == "/v1/projects/p/databases/(default)/documents:commit"
    assert headers["authorization"] == "Bearer owner"
    name = "projects/p/databases/(default)/documents/a/1"
    assert json.loads(body) == {"writes": [{"update": {"name": name, "fields": {"b": {"integerValue": "1"}}}}]}


@pytest.mark.parametrize("fault", [refusal(503, "UNAVAILABLE"), refusal(429, "RESOURCE_EXHAUSTED"), (502, "?")])
async def test_what_may_be_done_twice_is_repeated_after_a_brief_fault(fault):
    assert await done(set_one, fault, DONE) == (None, 2)


@pytest.mark.parametrize("fault", [refusal(503, "UNAVAILABLE"), (502, "?")])
async def test_a_create_of_which_nobody_knows_is_not_repeated(fault):
    assert await done(create_one, fault, DONE) == (StoreUnavailable, 1)


async def test_a_document_that_is_there_is_not_created():
    assert await done(create_one, refusal(409, "ALREADY_EXISTS")) == (False, 1)


async def test_a_locked_document_is_tried_again_and_then_contention():
    assert await done(create_one, refusal(409, "ABORTED"), DONE) == (True, 2)
    assert await done(create_one, refusal(409, "ABORTED")) == (Contention, 5)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refusal(400, "INVALID_ARGUMENT"), UnstorableDocument),
        (refusal(401, "UNAUTHENTICATED"), StoreUnavailable),
        (refusal(403, "PERMISSION_DENIED"), StoreUnavailable),
        (refusal(404, "NOT_FOUND"), StoreUnavailable),
    ],
)
async def test_a_refusal_is_not_repeated(answer, error):
    assert await done(set_one, answer) == (error, 1)


async def test_a_server_that_is_away_is_an_outage():
    async with peer(DONE) as server:
        host = server.host
    store = RestStore("p", sdk=MemoryStore, emulator_host=host, timeout=1)
    with pytest.raises(StoreUnavailable):
        await store.get("a/1")
    await store.aclose()
