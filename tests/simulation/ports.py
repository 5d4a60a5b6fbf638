"""The ports of one instance: each call takes time, may fail before or after its effect, and ends with the instance."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from shared.application.ports.store import Document, Filter, Order, StoreUsage, Sums, Transaction, Vector, Write
from shared.application.ports.tasks import Backlog, Task
from shared.domain.errors import ModelUnavailable, QueueUnavailable, StoreUnavailable
from tests.simulation.loop import SimulatedLoop
from tests.simulation.peers.errands import at_work
from tests.simulation.peers.weather import Weather
from tests.support.google.indexes import require_index, shape_of

if TYPE_CHECKING:
    from tests.simulation.peers.queue import MemoryQueue
    from tests.simulation.peers.store import MemoryStore

T = TypeVar("T")

_known_shapes: set[Any] = set()


class Crashed(BaseException):
    """The process died here: no handler catches it, as none would in a process that is gone."""


class Life:
    """Whether an instance lives, how its clock is wrong, and what befell it.

    Attributes:
        skew: By how much its clock is ahead.
        died_at: Virtual seconds; None while it lives.
        troubles: Virtual seconds at which something went wrong that may keep it from noting what it did.
        jumps: Virtual seconds at which its clock was set.
    """

    def __init__(self, name: str, weather: Weather, loop: SimulatedLoop, die: Callable[[], None]) -> None:
        self.name, self.weather, self._loop, self._die = name, weather, loop, die
        self.alive = True
        self.died_at: float | None = None
        self.skew = timedelta()
        self.troubles: list[float] = []
        self.jumps: list[float] = []

    def trouble(self) -> None:
        """Note that something went wrong now, with what is done here."""
        self.troubles.append(self._loop.time())
        if (errand := at_work.get(None)) is not None:
            errand.troubles.append(self._loop.time())

    def die(self) -> None:
        """End it."""
        self.alive, self.died_at = False, self._loop.time()
        self.trouble()

    def jump(self, seconds: float) -> None:
        """Set its clock."""
        self.skew += timedelta(seconds=seconds)
        self.jumps.append(self._loop.time())

    def check(self) -> None:
        """Do nothing as long as the instance lives.

        Raises:
            Crashed: It does not.
        """
        if not self.alive:
            raise Crashed(self.name)

    async def before(self, usual: float) -> None:
        """Let a call be on its way, which takes about so many seconds; the instance may die of it, or stand still."""
        weather = self.weather
        self.check()
        if weather.odds:
            if weather.strikes("crash"):
                self._die()
                raise Crashed(self.name)
            if weather.strikes("stall"):
                self.trouble()
                await self._stand_still(weather.stall())
        seconds = weather.latency(usual)
        if not self._loop.pass_time(seconds):
            await asyncio.sleep(seconds)
        if not self.alive:
            raise Crashed(self.name)

    async def _stand_still(self, seconds: float) -> None:
        if (errand := at_work.get(None)) is not None:
            errand.stood_still += seconds
        await asyncio.sleep(seconds)

    async def after(self, usual: float, *, peril: float = 1.0) -> None:
        """Let the reply be on its way; the instance may die before it has it, `peril` times as likely as elsewhere."""
        weather = self.weather
        if weather.odds or weather.chance.random() < 0.1:
            seconds = weather.latency(usual)
            if not self._loop.pass_time(seconds):
                await asyncio.sleep(seconds)
        if weather.strikes("crash", peril=peril):
            self._die()
        self.check()


class SkewedClock:
    """The clock of an instance."""

    def __init__(self, now: Callable[[], datetime], life: Life) -> None:
        self._now, self._life = now, life

    def now(self) -> datetime:
        return self._now() + self._life.skew

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class DrawnIds:
    """Tokens drawn from the seed."""

    def __init__(self, weather: Weather) -> None:
        self._chance = weather.chance

    def token(self) -> str:
        return f"{self._chance.getrandbits(128):022x}"[:22]


_STORE_SECONDS = 0.008


class StorePort:
    """The store as an instance reaches it."""

    def __init__(self, store: MemoryStore, life: Life) -> None:
        self._store, self._life = store, life

    @property
    def usage(self) -> StoreUsage:
        return self._store.usage

    async def _call(self, work: Callable[[], Awaitable[T]]) -> T:
        life = self._life
        await life.before(_STORE_SECONDS)
        fails = life.weather.strikes("store")
        if fails and life.weather.chance.random() < 0.5:
            life.trouble()
            raise StoreUnavailable("simulated: before the effect")
        result = await work()
        if fails:
            life.trouble()
            raise StoreUnavailable("simulated: after the effect")
        await life.after(_STORE_SECONDS)
        return result

    async def get(self, path: str) -> Document | None:
        return await self._call(lambda: self._store.get(path))

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        return await self._call(lambda: self._store.get_many(paths))

    async def create(self, path: str, data: Mapping[str, Any]) -> bool:
        return await self._call(lambda: self._store.create(path, data))

    async def set(self, path: str, data: Mapping[str, Any]) -> None:
        await self._call(lambda: self._store.set(path, data))

    async def upsert(self, path: str, changes: Mapping[str, Any]) -> None:
        await self._call(lambda: self._store.upsert(path, changes))

    async def update(self, path: str, changes: Mapping[str, Any]) -> bool:
        return await self._call(lambda: self._store.update(path, changes))

    async def delete(self, path: str) -> None:
        await self._call(lambda: self._store.delete(path))

    async def batch(self, writes: Sequence[Write]) -> list[Sums]:
        return await self._call(lambda: self._store.batch(writes))

    async def query(
        self, collection: str, *, where: Sequence[Filter] = (), order_by: Sequence[Order] = (), **more: Any
    ) -> list[Document]:
        _require_index(collection, where, order_by)
        return await self._call(lambda: self._store.query(collection, where=where, order_by=order_by, **more))

    async def count(self, collection: str, *, where: Sequence[Filter] = ()) -> int:
        _require_index(collection, where, ())
        return await self._call(lambda: self._store.count(collection, where=where))

    async def nearest(self, collection: str, field: str, vector: Sequence[float], **more: Any) -> list[Any]:
        require_index(shape_of(collection, more.get("where", ()), vector=field))
        return await self._call(lambda: self._store.nearest(collection, field, vector, **more))

    async def subtree(self, path: str) -> AsyncIterator[Document]:
        await self._life.before(_STORE_SECONDS)
        if self._life.weather.strikes("store"):
            raise StoreUnavailable("simulated: a stream that does not begin")
        async for document in self._store.subtree(path):
            self._life.check()
            yield document

    async def transaction(self, body: Callable[[Transaction], Awaitable[T]]) -> T:
        is_refused = False

        async def attempt(tx: Transaction) -> T:
            nonlocal is_refused
            self._life.check()
            is_refused = True  # by its body, unless that comes to its end
            result = await body(_TransactionPort(tx, self))
            is_refused = False
            await self._life.before(_STORE_SECONDS)  # the commit is on its way
            return result

        try:
            return await self._call(lambda: self._store.transaction(attempt))
        except Exception:
            if not is_refused:
                self._life.trouble()
            raise

    async def scrub(self) -> None:
        """There are no files."""

    async def aclose(self) -> None:
        """There is nothing to release."""


class _TransactionPort:
    """What a transaction's body sees."""

    def __init__(self, tx: Transaction, port: StorePort) -> None:
        self._tx, self._port = tx, port

    async def get(self, path: str) -> Document | None:
        return await self._port._call(lambda: self._tx.get(path))

    async def get_many(self, paths: Sequence[str]) -> list[Document | None]:
        return await self._port._call(lambda: self._tx.get_many(paths))

    def write(self, write: Write) -> None:
        self._tx.write(write)


def _require_index(collection: str, where: Sequence[Filter], order_by: Sequence[Order]) -> None:
    known = (collection.rsplit("/", 1)[-1], tuple((each.field, each.op) for each in where), tuple(order_by))
    if known not in _known_shapes:
        require_index(shape_of(collection, where, order_by))
        _known_shapes.add(known)


class QueuePort:
    """The queue as an instance reaches it."""

    def __init__(self, queue: MemoryQueue, life: Life) -> None:
        self._queue, self._life = queue, life

    async def enqueue(self, task: Task) -> bool:
        await self._life.before(0.015)
        fails = self._life.weather.strikes("queue")
        if fails and self._life.weather.chance.random() < 0.5:
            raise QueueUnavailable("simulated: before the effect")
        added = await self._queue.enqueue(task)
        if fails:
            raise QueueUnavailable("simulated: after the effect")
        await self._life.after(0.015)
        return added

    async def backlog(self, now: datetime, *, limit: int = 1_000) -> Backlog:
        await self._life.before(0.015)
        return await self._queue.backlog(now, limit=limit)

    async def aclose(self) -> None:
        """There is nothing to release."""


class SimulatedEmbedder:
    """Vectors of texts that share words point the same way."""

    name = "simulated/8"

    def __init__(self, life: Life) -> None:
        self._life = life

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        await self._life.before(0.1)
        if self._life.weather.strikes("model"):
            raise ModelUnavailable("simulated")
        return [_vector(text) for text in texts]


def _vector(text: str) -> Vector:
    sums = [0.01] * 8
    for word in text.split():
        digest = hashlib.blake2s(word.encode("utf-8", "surrogatepass"), digest_size=2).digest()
        sums[digest[0] % 8] += 1 + digest[1] / 256
    length = sum(each * each for each in sums) ** 0.5
    return Vector(each / length for each in sums)
