"""One run of a transaction's body on the server: reads go with the transaction, writes wait."""

import pytest

from infra.firestore.attempts import FirestoreAttempt
from shared.application.ports.store import Delete, Document


async def test_reads_go_with_the_transaction():
    seen = []

    async def read(paths, sdk):
        seen.append((tuple(paths), sdk))
        return [Document(path, {}) for path in paths]

    found = await FirestoreAttempt(read, "the transaction").get("a/b")
    assert (found, seen) == (Document("a/b", {}), [(("a/b",), "the transaction")])


async def test_nothing_is_read_after_the_first_write():
    attempt = FirestoreAttempt(None, None)
    attempt.write(Delete("a/b"))
    with pytest.raises(ValueError, match="before its first write"):
        await attempt.get("a/b")
    assert attempt.writes == [Delete("a/b")]
