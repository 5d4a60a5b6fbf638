"""What a memory's transactions read: each document once, whatever is learnt, read again or kept up at night."""

import inspect
from collections import Counter
from datetime import timedelta

import pytest

from shared.application.intake.maintenance import run_job
from shared.application.night.fan_out import NIGHTLY
from tests.support.group import CHAT, running_group

TARAS = (102, "Тарас")
TALK = ["Я живу у Львові", "Нагадую: ніякої політики в чаті!", "Я забронюю квитки завтра", *("Ага, добре",) * 7]


class NotedReads:
    """Forwards to a real store, and notes which documents a transaction read more than once."""

    def __init__(self, store):
        self._store, self.twice, self.transactions = store, set(), 0

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def transaction(self, body):
        async def noted(tx):
            reads = Counter()
            result = await body(NotedTransaction(tx, reads))
            frame = inspect.getmodule(body) or body
            self.twice |= {(frame.__name__, path) for path, times in reads.items() if times > 1}
            self.transactions += 1
            return result

        return await self._store.transaction(noted)


class NotedTransaction:
    def __init__(self, tx, reads):
        self._tx, self._reads, self.write = tx, reads, tx.write

    async def get(self, path):
        self._reads[path] += 1
        return await self._tx.get(path)

    async def get_many(self, paths):
        self._reads.update(paths)
        return await self._tx.get_many(paths)


@pytest.mark.parametrize("is_kept_up", [False, True], ids=["read", "kept up"])
async def test_no_transaction_reads_a_document_twice(store, is_kept_up):
    noted = NotedReads(store)
    async with running_group(noted) as group:
        said = [await group.say(text, *TARAS) for text in TALK]
        await group.settle()
        if is_kept_up:
            message = said[0]["message"] | {"text": "Я живу у Харкові", "edit_date": 1_800_000_000}
            await group.post({"update_id": 90_000, "edited_message": message})
            await group.settle()
            group.clock.advance(timedelta(hours=9))
            for job in NIGHTLY:
                await run_job(group.runtime.app, job, {"chat_id": CHAT})
    assert noted.transactions > 5
    assert noted.twice == set()
