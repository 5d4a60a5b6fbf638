"""One run of a transaction's body: what it saw decides whether it may commit."""

import pytest

from infra.sqlite.attempts import Row, SqliteAttempt
from shared.application.ports.store import Delete, Document


async def test_the_first_sight_of_a_document_is_what_the_commit_compares():
    rows = iter([Row(Document("a/b", {}), 3), Row(Document("a/b", {}), 4), Row(None, None)])
    attempt = SqliteAttempt(lambda _: next(rows))
    await attempt.get_many(["a/b", "a/b", "a/c"])
    assert attempt.seen == {"a/b": 3, "a/c": None}


async def test_nothing_is_read_after_the_first_write():
    attempt = SqliteAttempt(lambda _: Row(None, None))
    attempt.write(Delete("a/b"))
    with pytest.raises(ValueError, match="before its first write"):
        await attempt.get("a/b")
