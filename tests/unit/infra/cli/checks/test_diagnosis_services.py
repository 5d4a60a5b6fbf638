"""What doctor sees of services: the webhook's refusals, indexes, models that retire, a clock that is off."""

import shlex
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import grpc
import pytest

from infra.cli.checks.diagnosis_services import (
    INDEXES,
    Index,
    _refusal,
    declared_indexes,
    look_at_clock,
    look_at_models,
    missing_indexes,
)
from infra.firestore import FirestoreStore
from infra.system import SystemClock
from shared.application.ports.store import Vector
from shared.domain.errors import ModelUnavailable, StoreUnavailable
from shared.settings import Settings
from tests.support.gemini.server import CHAT_MODEL, FakeGemini
from tests.support.group import running_group
from tests.support.queues import SteppedClock
from tests.unit.infra.cli.checks.doctors import patient_of

pytestmark = pytest.mark.wall_clock


@pytest.mark.parametrize(
    ("status", "with_secret", "asks", "severity"),
    [
        (401, False, True, "ok"),
        (405, True, True, "ok"),
        (405, False, False, "ok"),
        (401, True, True, "error"),
        (405, False, True, "error"),
        (404, False, True, "error"),
        (200, True, True, "error"),
    ],
)
def test_the_webhook_is_known_by_how_it_refuses(status, with_secret, asks, severity):
    assert _refusal(status, with_secret=with_secret, asks=asks).severity == severity


class Refusing(grpc.GenericRpcHandler):
    """A Firestore that has some indexes, or fails."""

    def __init__(self, code: grpc.StatusCode, text: bytes = b""):
        self._code, self._text = code, text

    def service(self, details):
        async def run_query(request, context):
            if self._text in request:
                await context.abort(self._code, "The query requires an index. You can create it here: …")
            yield b""

        return grpc.unary_stream_rpc_method_handler(run_query) if details.method.endswith("/RunQuery") else None


@asynccontextmanager
async def firestore_that(handler):
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    store = FirestoreStore("project-1", emulator_host=f"127.0.0.1:{port}", timeout=3)
    try:
        yield store
    finally:
        await store.aclose()
        await server.stop(None)


def cloud_settings():
    return Settings.from_env({"SPOMYN_STORE": "firestore", "GOOGLE_CLOUD_PROJECT": "project-1"})


def indexes():
    return list(declared_indexes(INDEXES.read_text("utf-8")))


async def test_indexes_that_are_missing_are_named_with_the_command_that_makes_them():
    async with firestore_that(Refusing(grpc.StatusCode.FAILED_PRECONDITION, b"indexed")) as store:
        checks = await missing_indexes(store, cloud_settings(), indexes())
    assert {check.severity for check in checks} == {"error"}
    assert [check.text.split(" is missing")[0] for check in checks] == [
        str(index) for index in indexes() if "indexed" in str(index)
    ]
    command = shlex.split(checks[0].remedy)
    assert command[:5] == ["gcloud", "firestore", "indexes", "composite", "create"]
    assert "--field-config=field-path=indexed,order=ascending" in command
    assert "--database=(default)" in command


async def test_a_firestore_that_is_away_has_no_missing_indexes():
    async with firestore_that(Refusing(grpc.StatusCode.PERMISSION_DENIED)) as store:
        with pytest.raises(StoreUnavailable):
            await missing_indexes(store, cloud_settings(), indexes())


async def test_indexes_that_are_there_are_well():
    async with firestore_that(Refusing(grpc.StatusCode.FAILED_PRECONDITION, b"nowhere")) as store:
        [check] = await missing_indexes(store, cloud_settings(), indexes())
    assert (check.severity, str(len(indexes())) in check.text) == ("ok", True)
    assert Index("chunks", (("told", "ASCENDING"), ("first", "ASCENDING"))) in indexes()
    assert Path(INDEXES).is_file()


class Embeds:
    name = "e/768"

    def __init__(self, error=None):
        self._error = error

    async def embed(self, texts, *, query=False):
        if self._error:
            raise self._error
        return [Vector([1.0] * 768) for _ in texts]


async def test_a_model_that_is_gone_will_be_gone_or_is_of_another_kind_names_its_setting(sqlite_store):
    retiring = "gemini-2.5-flash"
    async with FakeGemini(models=(retiring, "text-embedding-9")) as gemini, running_group(sqlite_store) as group:
        env = gemini.environment | {
            "GEMINI_EXTRACTION_MODEL": retiring,
            "GEMINI_EMBEDDING_MODEL": retiring,
        }
        broken = Embeds(ModelUnavailable("no vectors"))
        checks = await look_at_models(await patient_of(group, Settings.from_env(env), embedder=broken))
    assert [check.severity for check in checks] == ["error", "ok", "error", "ok", "warning", "warning", "error"]
    assert CHAT_MODEL in checks[0].text
    assert "GEMINI_CHAT_MODEL" in checks[0].remedy
    assert "2026-12-01" in checks[4].text
    assert "the dearest" in checks[5].text
    assert "GEMINI_EMBEDDING_MODEL" in checks[2].remedy


@pytest.mark.parametrize(("ahead", "severity"), [(0, "ok"), (90, "warning"), (3_600, "error"), (-3_600, "error")])
async def test_a_clock_that_is_off_is_told(sqlite_store, ahead, severity):
    async with running_group(sqlite_store) as group:
        clock = SteppedClock(SystemClock().now() + timedelta(seconds=ahead))
        [check] = await look_at_clock(await patient_of(group, group.runtime.settings, clock=clock))
    assert check.severity == severity
