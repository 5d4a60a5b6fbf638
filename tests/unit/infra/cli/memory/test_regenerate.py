"""`regenerate`: the model is asked again; without one, everything stays as it is."""

import pytest

from tests.support.gemini.server import FakeGemini
from tests.support.telegram.export import CHAT, talk, written
from tests.unit.application.reading.test_model_pass import memory_of

pytestmark = pytest.mark.wall_clock


@pytest.fixture
def stored(spomyn, tmp_path):
    assert spomyn("backfill", written(tmp_path, talk(12)), "--since", "2026-10-01").code == 0
    return spomyn


@pytest.fixture
def gemini(monkeypatch):
    """A model on loopback, in a thread of its own: commands have their own event loop."""
    import asyncio
    import threading

    server, loop = FakeGemini("test-key"), asyncio.new_event_loop()
    server.reply_with(memory_of)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    yield server
    asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_talk_is_marked_to_be_read_anew_and_vectors_are_made_anew(stored, gemini):
    assert stored("regenerate", "talk", CHAT, "--first", 1, "--last", 12, "--json").json == {"chunks": 2}
    assert stored("stats", CHAT, "--json").json["counts"]["waiting"] == 2
    assert stored("regenerate", "embeddings", CHAT, "--json").json["vectors"] >= 2
    assert "vectors" in stored("regenerate", "embeddings", CHAT, "--last", 10).out


def test_backfill_with_chunks_lets_the_model_make_what_waits(stored, gemini):
    done = stored("backfill", "--chunks", CHAT, "--rate", 100_000, "--json")
    assert (done.code, done.json["chunks_waiting_for_the_model"]) == (0, 0)
    assert stored("stats", CHAT, "--json").json["counts"]["waiting"] == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["talk", -5, "--first", 1, "--last", 12], 1),
        (["talk", CHAT, "--first", 1, "--last", 12], 3),
        (["embeddings", CHAT], 3),
        (["talk", CHAT, "--first", 12, "--last", 1], 2),
        (["talk", CHAT], 2),
    ],
)
def test_what_cannot_be_made_anew_is_one_sentence(stored, arguments, code):
    done = stored("regenerate", *arguments)
    assert done.code == code
    assert "Error: " in done.err
    assert done.out == ""
