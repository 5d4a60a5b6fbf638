"""The parts of the webhook: the store, the queues and what it must know of a chat. Its bundle holds no model and no
way into the chats."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from infra.foundation import WEBHOOK_NEEDS, cloud_tasks_queue, collector_paused, function_settings, light_store
from infra.observability import configure_cloud_logging
from infra.policy import log_key, policy_from
from infra.system import SystemClock
from shared.application.chats.state import Chats
from shared.application.schedule import Schedule
from shared.settings import Settings

if TYPE_CHECKING:
    from shared.application.app import Intake
    from shared.application.policy import Policy
    from shared.application.ports.store import DocumentStore
    from shared.application.ports.system import Clock
    from shared.application.ports.tasks import TaskQueue


class TakingIn(Protocol):
    """The runtime behind the webhook: here `WebhookRuntime`, on one machine the `Runtime` that serves all functions."""

    @property
    def app(self) -> Intake: ...
    @property
    def settings(self) -> Settings: ...


class IntakeParts(NamedTuple):
    """An `Intake`."""

    store: DocumentStore
    queue: TaskQueue
    clock: Clock
    policy: Policy
    chats: Chats
    schedule: Schedule


class WebhookRuntime(NamedTuple):
    """The running webhook."""

    app: IntakeParts
    settings: Settings


@cache
def webhook_runtime() -> WebhookRuntime:
    """The deployed webhook's runtime, built at the first request.

    Raises:
        SettingsError: A setting is missing or wrong.
    """
    settings = function_settings(WEBHOOK_NEEDS, os.environ)
    project, key = settings.google_cloud_project or "", log_key(settings)
    configure_cloud_logging(settings.log_level, project=project, key=key)
    with collector_paused():
        store, queue = light_store(settings), cloud_tasks_queue(settings)
        clock, policy = SystemClock(), policy_from(settings)
        parts = IntakeParts(store, queue, clock, policy, Chats(store, clock), Schedule(queue, clock, policy))
        return WebhookRuntime(parts, settings)
