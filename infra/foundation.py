"""The foundation of every function: settings, store and queue. Adapters are imported where they are chosen."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from shared.domain.errors import SettingsError
from shared.settings import Settings

if TYPE_CHECKING:
    from shared.application.ports.store import DocumentStore
    from shared.application.ports.tasks import TaskQueue

WEBHOOK_NEEDS = ("TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET")
WORKER_NEEDS = ("TELEGRAM_BOT_TOKEN", "OIDC_INVOKER_EMAIL")


def stop_unless_configured(needs: Sequence[str]) -> None:
    """End the process with one sentence when a deployed function's settings cannot work; nothing is built.

    Args:
        needs: Settings that this function cannot run without.
    """
    try:
        function_settings(needs, os.environ)
    except SettingsError as error:
        sys.exit(f"Spomyn does not start: {error}")


def function_settings(needs: Sequence[str], env: Mapping[str, str]) -> Settings:
    """The settings of a deployed function, from its environment.

    Raises:
        SettingsError: One is missing or wrong.
    """
    settings = Settings.from_env(env)
    settings.require(needs, because="this function uses it")
    if settings.spomyn_queue == "local":
        raise SettingsError("SPOMYN_QUEUE is local, which only `make run` serves: set it to cloud-tasks.")
    return settings


@contextmanager
def collector_paused() -> Iterator[None]:
    """Import without looking for garbage: what modules make stays, and walking through it over and over takes a tenth
    of a cold start. Later walks leave it out too."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def document_store(settings: Settings) -> DocumentStore:
    """The SQLite file or Firestore."""
    if settings.sqlite_path is not None:
        from infra.sqlite import SqliteStore

        Path(settings.sqlite_path).parent.mkdir(parents=True, exist_ok=True)
        return SqliteStore(settings.sqlite_path)
    from infra.firestore import FirestoreStore

    return FirestoreStore(
        settings.google_cloud_project or "",
        settings.firestore_database,
        emulator_host=settings.firestore_emulator_host,
    )


def light_store(settings: Settings) -> DocumentStore:
    """Firestore for a function that starts often: without its SDK as long as that is not needed."""
    if settings.sqlite_path is not None:
        return document_store(settings)
    from infra.rest.store import RestStore

    return RestStore(
        settings.google_cloud_project or "",
        settings.firestore_database,
        sdk=lambda: document_store(settings),
        emulator_host=settings.firestore_emulator_host,
    )


def cloud_tasks_queue(settings: Settings) -> TaskQueue:
    """Cloud Tasks, or an emulator of it."""
    from infra.tasks.cloud_tasks import CloudTasksQueue

    return CloudTasksQueue(
        project=settings.google_cloud_project or "",
        location=settings.cloud_tasks_location,
        queue=settings.cloud_tasks_queue,
        answers=settings.cloud_tasks_answers_queue,
        urls={
            "answer": settings.answer_url or "",
            "extract": settings.extract_url or "",
            "maintenance": settings.maintenance_url or "",
        },
        service_account_email=settings.oidc_invoker_email,
        audience=settings.oidc_audience,
        emulator_host=settings.cloud_tasks_emulator_host,
    )
