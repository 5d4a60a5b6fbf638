"""What only Firestore does: a network between, whose silence is an error and never an empty result."""

from __future__ import annotations

import asyncio
import socket

import pytest

from infra.firestore import FirestoreStore
from shared.domain.errors import StoreUnavailable
from tests.support.stores.documents import EVERY_CALL


async def test_a_firestore_that_does_not_answer_is_an_error_and_never_an_empty_result() -> None:
    nobody = FirestoreStore("nowhere", emulator_host="127.0.0.1:1", timeout=0.1)

    async with asyncio.timeout(60):
        for call in EVERY_CALL:
            with pytest.raises(StoreUnavailable):
                await call(nobody)

    await nobody.aclose()


async def test_a_firestore_that_accepts_and_stays_silent_is_an_error_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        mute = FirestoreStore("nowhere", emulator_host=f"127.0.0.1:{silent.getsockname()[1]}", timeout=0.2)
        with pytest.raises(StoreUnavailable):
            await mute.get("a/b")
        await mute.aclose()


async def test_a_firestore_store_that_was_never_used_closes() -> None:
    store = FirestoreStore("nowhere")
    await store.aclose()
    assert (store.usage.reads, store.usage.writes) == (0, 0)
