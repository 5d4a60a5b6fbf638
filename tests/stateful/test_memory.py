"""Whatever members do, the memory holds what is said and nothing that is gone: on both stores."""

import itertools

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from infra.sqlite import SqliteStore
from tests.stateful.memory_machine import MemoryMachine


def held_against_its_model(open_store, *, examples, steps):
    machine = type("Memory", (MemoryMachine,), {"open_store": staticmethod(open_store)})
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))


def test_the_memory_is_what_its_model_says_over_sqlite():
    held_against_its_model(lambda: SqliteStore(":memory:"), examples=25, steps=15)


def test_the_memory_is_what_its_model_says_over_firestore(firestore_emulator):
    from infra.firestore import FirestoreStore

    names = itertools.count()
    held_against_its_model(
        lambda: FirestoreStore(f"stateful-{id(names)}-{next(names)}", emulator_host=firestore_emulator, timeout=60),
        examples=4,
        steps=10,
    )
