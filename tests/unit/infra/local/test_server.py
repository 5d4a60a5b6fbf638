"""One process serves the three functions on one port."""

from __future__ import annotations

import socket

import pytest

from infra.local.cli import main
from infra.local.doors import SECRET_FILE
from infra.local.server import listening_socket
from tests.support.updates import START, message_update, user
from tests.unit.infra.local.processes import line_with, serving

pytestmark = [pytest.mark.usefixtures("logging_restored"), pytest.mark.wall_clock]


async def test_one_process_serves_the_three_functions(tmp_path):
    async with serving(tmp_path, EXTRACTION_IDLE_SECONDS="0") as (client, output):
        assert "Spomyn" in (await client.get("/")).text
        said = ("Хлопці, давайте більше українською спілкуватися", "Підтримую!", "+1, українська краща")
        for number, text in enumerate(said, 1):
            update = message_update(text, update_id=number, message_id=number, sender=user(100 + number, f"M{number}"))
            assert (await client.post("/webhook", json=update)).status_code == 200
        await line_with(output, "learnt · preference")  # the queue's task came by itself
        question = message_update("гряг, якою мовою ми спілкуємось?", update_id=4, message_id=4, date=START + 60)
        assert (await client.post("/webhook", json=question)).status_code == 200
        assert "↩ 4" in await line_with(output, "гряг")
        secret = (tmp_path / SECRET_FILE).read_text().strip()
        assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600
        assert (await client.post("/extract", json={"chat_id": -1_001_000_000_001})).status_code == 401
        client.headers["authorization"] = f"Bearer {secret}"
        extracted = await client.post("/extract", json={"chat_id": -1_001_000_000_001})
        # The question itself is a chunk, made now or already by the queue's own task; it teaches nothing.
        assert extracted.json() in ({"chunks": 1, "changes": 0}, {"chunks": 0, "changes": 0})
        done = (await client.post("/maintenance/decay", json={})).json()
        assert (done["chats"], done["failed"]) == (1, 0)
        assert done["enqueued"] in (1, 2)  # the thirty hours ahead hold one night, in the evening two
        assert (await client.post("/maintenance/none", json={})).status_code == 404
        assert (await client.get("/webhook")).status_code == 405
        rebound = await client.get("/", headers={"host": "evil.example"})
        assert (rebound.status_code, "localhost" in rebound.text) == (421, True)


def test_a_port_in_use_is_said_in_one_sentence(here, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        here.setenv("SPOMYN_PORT", str(taken.getsockname()[1]))
        assert main([]) == 2
    errors = capsys.readouterr().err
    assert "SPOMYN_PORT" in errors
    assert errors.count("\n") == 1


def test_a_reply_of_two_writes_does_not_wait_for_an_acknowledgement():
    with (
        listening_socket(0) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
