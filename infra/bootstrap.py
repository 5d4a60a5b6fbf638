"""The composition root: the only module that knows every adapter. It builds lazily, never at import.

Adapters are imported where they are chosen. The webhook is built by `infra.intake`, of far less.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from infra.foundation import WORKER_NEEDS, cloud_tasks_queue, collector_paused, document_store, function_settings
from infra.observability import configure_cloud_logging
from infra.offline.charts import MatplotlibCharts
from infra.offline.model import OfflineModel
from infra.policy import log_key, policy_from
from infra.system import SystemClock, SystemIds
from shared.application.app import App
from shared.application.chats.state import Chats
from shared.application.recall.cache import IndexCache
from shared.application.schedule import Schedule
from shared.domain.errors import SettingsError
from shared.settings import Settings

if TYPE_CHECKING:
    from infra.web.oidc import TokenVerifier
    from shared.application.ports.chat import ChatGateway
    from shared.application.ports.model import Embedder, LanguageModel
    from shared.application.ports.objects import ObjectStore
    from shared.application.ports.store import DocumentStore
    from shared.application.ports.system import Clock
    from shared.application.ports.tasks import TaskQueue
    from shared.application.ports.weather import Weather


class Runtime(NamedTuple):
    """A running function: the product, its settings, and what checks the tokens of tasks (None: nothing does)."""

    app: App
    settings: Settings
    verifier: TokenVerifier | None = None


class Models(NamedTuple):
    """A model and an embedder in place of those that the settings name."""

    language: LanguageModel
    embedder: Embedder | None = None


@cache
def worker_runtime() -> Runtime:
    """Return the runtime of a deployed function whose callers are tasks; built at the first request.

    Raises:
        SettingsError: A setting is missing or wrong.
    """
    settings = function_settings(WORKER_NEEDS, os.environ)
    project, key = settings.google_cloud_project or "", log_key(settings)
    configure_cloud_logging(settings.log_level, project=project, key=key)
    clock = SystemClock()
    with collector_paused():
        queue, gateway = cloud_tasks_queue(settings), telegram_gateway(settings, clock)
        app = build_app(settings, clock=clock, queue=queue, gateway=gateway)
        return Runtime(app, settings, token_verifier(settings, clock))


def build_app(
    settings: Settings,
    *,
    clock: Clock,
    queue: TaskQueue,
    gateway: ChatGateway,
    store: DocumentStore | None = None,
    models: Models | None = None,
) -> App:
    """Put the product together; the store and the models are as the settings say, unless they are given."""
    store = store or document_store(settings)
    policy = policy_from(settings)
    return App(
        store=store,
        queue=queue,
        gateway=gateway,
        model=models.language if models else language_model(settings),
        offline=OfflineModel(),
        embedder=models.embedder if models else embedder(settings),
        clock=clock,
        ids=SystemIds(),
        policy=policy,
        chats=Chats(store, clock),
        schedule=Schedule(queue, clock, policy),
        indexes=IndexCache(),
        weather=weather_service(settings),
        archive=object_store(settings),
        charts=MatplotlibCharts(),
    )


def queue_path(settings: Settings) -> Path:
    """The local queue's file, which is the store's when that is one; its folder is made.

    Raises:
        SettingsError: The folder cannot be made.
    """
    path = Path(settings.sqlite_path or ".spomyn/queue.db")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"The folder {path.parent} cannot be made ({error.strerror}): choose another file."
        ) from error
    return path


def telegram_gateway(settings: Settings, clock: Clock) -> ChatGateway:
    """The Bot API."""
    from infra.telegram.gateway import TelegramGateway

    return TelegramGateway(settings.telegram_bot_token or "", api_url=settings.telegram_api_url, clock=clock)


def language_model(settings: Settings) -> LanguageModel | None:
    """Gemini when there is a key."""
    if not settings.gemini_api_key:
        return None
    from infra.gemini.model import GeminiModel

    return GeminiModel(
        api_key=settings.gemini_api_key,
        base_url=settings.google_gemini_base_url,
        chat_model=settings.gemini_chat_model,
        extraction_model=settings.gemini_extraction_model,
        flex=settings.gemini_flex,
    )


def embedder(settings: Settings) -> Embedder | None:
    """Gemini's embeddings when there is a key."""
    if not settings.gemini_api_key:
        return None
    from infra.gemini.embedder import GeminiEmbedder

    return GeminiEmbedder(
        api_key=settings.gemini_api_key,
        base_url=settings.google_gemini_base_url,
        model=settings.gemini_embedding_model,
    )


def weather_service(settings: Settings) -> Weather | None:
    """Open-Meteo, when its tool is among those that the model may use."""
    if "weather" not in settings.tools:
        return None
    from infra.web.weather import OpenMeteo

    return OpenMeteo(api_url=settings.weather_api_url, places_url=settings.weather_places_url)


def object_store(settings: Settings) -> ObjectStore | None:
    """The archive: a folder or a bucket. boto3 is loaded by the first call, which only workers make."""
    if settings.archive_folder is not None:
        from infra.storage.object_folder import ObjectFolder

        return ObjectFolder(settings.archive_folder)
    if settings.archive_bucket is None:
        return None
    from infra.storage.object_store import Bucket, S3ObjectStore

    name, prefix = settings.archive_bucket
    return S3ObjectStore(
        Bucket(
            name,
            prefix,
            endpoint_url=settings.archive_endpoint_url,
            region=settings.archive_region,
            access_key_id=settings.archive_access_key_id,
            secret_access_key=settings.archive_secret_access_key,
        )
    )


def token_verifier(settings: Settings, clock: Clock) -> TokenVerifier | None:
    """Return what checks the OIDC tokens of tasks and schedules; None when no account is named or none is checked."""
    if settings.oidc_invoker_email is None or not settings.oidc_check:
        return None
    from infra.web.oidc import SigningKeys, TokenVerifier

    keys = SigningKeys(settings.oidc_certs_url, clock)
    return TokenVerifier(keys, email=settings.oidc_invoker_email, audience=settings.oidc_audience, clock=clock)


def environment(dotenv: Mapping[str, str | None]) -> dict[str, str]:
    """The process environment over the values of a `.env` file."""
    return {**{k: v for k, v in dotenv.items() if v is not None}, **os.environ}
