"""The dependencies of use cases: ports, the policy and nothing else. Code that only takes updates in gets fewer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the ports of answering are not loaded before the first answer
    from shared.application.chats.state import Chats
    from shared.application.policy import Policy
    from shared.application.ports.charts import Charts
    from shared.application.ports.chat import ChatGateway
    from shared.application.ports.model import Embedder, LanguageModel
    from shared.application.ports.objects import ObjectStore
    from shared.application.ports.store import DocumentStore
    from shared.application.ports.system import Clock, Ids
    from shared.application.ports.tasks import TaskQueue
    from shared.application.ports.weather import Weather
    from shared.application.recall.cache import IndexCache
    from shared.application.schedule import Schedule


class Intake(Protocol):
    """The dependencies of taking an update in: no way into the chats, and no model. `App` has all of them."""

    @property
    def store(self) -> DocumentStore: ...
    @property
    def queue(self) -> TaskQueue: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def policy(self) -> Policy: ...
    @property
    def chats(self) -> Chats: ...
    @property
    def schedule(self) -> Schedule: ...


@dataclass(frozen=True, slots=True)
class App:
    """One running Spomyn.

    Attributes:
        model: The configured model, or None when there is none (then only `offline` answers).
        offline: The model that quotes memory; it never fails.
        chats: The chats' settings, cached for a minute.
        schedule: Asks for extraction, once per chat and window.
        indexes: What this instance keeps of the chats' retrieval indexes.
        weather: The forecast, or None where nobody asks for it.
        archive: Where exports are kept, or None where they are not.
        charts: Draws pictures, or None where none are drawn.
    """

    store: DocumentStore
    queue: TaskQueue
    gateway: ChatGateway
    model: LanguageModel | None
    offline: LanguageModel
    embedder: Embedder | None
    clock: Clock
    ids: Ids
    policy: Policy
    chats: Chats
    schedule: Schedule
    indexes: IndexCache
    weather: Weather | None = None
    archive: ObjectStore | None = None
    charts: Charts | None = None
