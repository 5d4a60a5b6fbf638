"""Spomyn as deployed: three bundles as processes of their own, with Firestore's emulator, over HTTP."""

import asyncio
import itertools
import json
from datetime import timedelta

import pytest
import pytest_asyncio
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt
from packaging.utils import canonicalize_name

from infra.bundle import FUNCTIONS
from shared.application.documents import facts_path
from shared.application.night.fan_out import NIGHTLY
from tests.support.google.cloud_tasks import KEY_ID
from tests.support.servers.deployment import EXTRACT_URL, MAINTENANCE_URL, deployed, made_bundles, serving
from tests.support.servers.ports import kept_port

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.wall_clock]

SEEDS = {
    ("preference", "language_preference", "ukrainian"): 0.8,
    ("tradition", "weekly_recap", "friday"): 0.85,
    ("rule", "forbidden_topics", "politics"): 0.9,
}
_CHATS = itertools.count(1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def spomyn(firestore_emulator, tmp_path_factory):
    folder = tmp_path_factory.mktemp("deployed")
    quick = {"EXTRACTION_WINDOW_SECONDS": "1", "EXTRACTION_IDLE_SECONDS": "0", "READING_WAIT_SECONDS": "0"}
    async with deployed(firestore_emulator, f"deployed-{folder.parent.name}-{folder.name}", folder, **quick) as running:
        yield running


@pytest.fixture
def chat(spomyn):
    """A group of its own, with 102 for its administrator, and no leftovers of other tests."""
    chat_id = -1_002_000_000_000 - next(_CHATS)
    spomyn.peers.api.add_chat(chat_id, admins={102})
    spomyn.peers.gemini.reply_with(lambda _: "Так, за планом.")
    spomyn.peers.gemini.requests.clear()
    spomyn.done.clear()
    return chat_id


async def teach(spomyn, chat):
    """The three scenarios of the specification, and what they became."""
    await spomyn.say(chat, "Хлопці, давайте більше українською спілкуватися", 101, "Оля")
    await spomyn.say(chat, "Підтримую!", 103, "Марко")
    await spomyn.say(chat, "+1, українська краща", 104, "Ганна")
    await spomyn.say(chat, "Як завжди, в п'ятницю підіб'ємо підсумки", 101, "Оля")
    await spomyn.say(chat, "Так, це вже традиція :)", 103, "Марко")
    await spomyn.say(chat, "Нагадую: ніякої політики в чаті!", 102, "Тарас")
    await spomyn.settle()
    facts = {name[1:]: document for name, document in (await spomyn.facts(chat)).items() if name[0] == "chat"}
    assert set(facts) == set(SEEDS)
    return facts


def sent_to(spomyn, chat):
    return [sent for sent in spomyn.peers.api.sent if sent.chat_id == chat]


async def test_what_three_members_say_becomes_facts_with_verbatim_evidence(spomyn, chat):
    facts = await teach(spomyn, chat)
    messages = await spomyn.messages(chat)
    for name, least in SEEDS.items():
        assert facts[name].data["confidence"] >= least
        assert facts[name].data["evidence"]
        for evidence in facts[name].data["evidence"]:
            assert evidence["quote"] in messages[evidence["message_id"]]["text"]
            assert evidence["user_id"] == messages[evidence["message_id"]]["user_id"]


async def test_a_question_reaches_gemini_with_the_facts_and_its_answer_is_a_reply(spomyn, chat):
    facts = await teach(spomyn, chat)
    spomyn.peers.gemini.requests.clear()
    asked = await spomyn.say(chat, "гряг, що в нас у п'ятницю?", 104, "Ганна")
    (request,) = [each for each in spomyn.peers.gemini.requests if each.method == "generateContent"]
    for document in facts.values():
        assert document.data["description"] in request.system
    users = [texts for role, texts in request.turns if role == "user"]
    ((talk, *_),) = users
    assert len([line for line in talk.split("\n") if not line.startswith("[")]) == 7
    (sent,) = sent_to(spomyn, chat)
    assert (sent.text, sent.reply_to) == ("Так, за планом.", asked["message"]["message_id"])


async def test_with_gemini_down_the_bot_answers_from_memory_and_says_so(spomyn, chat):
    await teach(spomyn, chat)
    spomyn.peers.gemini.fail_next(500, times=6)  # the question's vector, and the answer, three attempts each
    await spomyn.say(chat, "гряг, які в нас правила?", 103, "Марко")
    (sent,) = sent_to(spomyn, chat)
    assert "ніякої політики в чаті" in sent.text
    assert "без мовної моделі" in sent.text


async def test_a_redelivered_update_is_not_answered_twice(spomyn, chat):
    update = await spomyn.say(chat, "гряг, ти тут?")
    assert [await spomyn.deliver(update) for _ in range(3)] == [200] * 3
    assert len(sent_to(spomyn, chat)) == 1
    assert len(await spomyn.messages(chat)) == 2


async def test_running_every_task_again_changes_no_document(spomyn, chat):
    await teach(spomyn, chat)
    before = await spomyn.dump(chat)
    assert any("/chunks/" in path for path in before)
    assert await spomyn.repeat() >= 1
    assert await spomyn.dump(chat) == before


async def test_the_schedulers_call_fans_out_over_the_queue(spomyn, chat):
    facts = await teach(spomyn, chat)
    long_ago = spomyn.clock.now() - timedelta(days=120)
    rule = facts["rule", "forbidden_topics", "politics"]
    path = f"{facts_path(chat)}/{rule.id}"
    aged = [{**quote, "sent_at": long_ago} for quote in (await spomyn.peers.store.get(path)).data["evidence"]]
    await spomyn.peers.store.update(path, {"last_reinforced_at": long_ago, "evidence": aged})
    # As the schedule is configured: the job is in the path, the audience is the function's address.
    token = spomyn.token(MAINTENANCE_URL)
    answer = await spomyn.call("maintenance", "/maintenance/night", token=token)
    assert answer.status_code == 200
    assert answer.json()["enqueued"] >= 1
    urls = [task.task.http_request.url for task in spomyn.peers.tasks.tasks.values()]
    waiting = sum(url.rpartition("/")[2] in NIGHTLY for url in urls)
    assert waiting == answer.json()["enqueued"]
    # The chats' night is hours away; an operator need not wait for it.
    at_once = await spomyn.call("maintenance", "/maintenance/decay", token=token, payload={"now": True})
    assert await spomyn.settle() >= at_once.json()["enqueued"] >= 1
    status = {name[1:]: d.data["status"] for name, d in (await spomyn.facts(chat)).items()}
    assert status["rule", "forbidden_topics", "politics"] != "active"
    assert status["tradition", "weekly_recap", "friday"] == "active"


async def test_the_webhook_serves_only_who_knows_the_secret(spomyn, chat):
    update = spomyn.says(chat, "привіт")
    assert await spomyn.deliver(update, secret="guessed") == 401
    assert await spomyn.messages(chat) == {}
    assert await spomyn.deliver(update) == 200
    assert len(await spomyn.messages(chat)) == 1


async def test_maintenance_serves_only_the_schedules_account(spomyn, chat):
    job, payload = "/maintenance/decay", {"chat_id": chat}
    for token in (None, spomyn.token(EXTRACT_URL)):
        assert (await spomyn.call("maintenance", job, token=token, payload=payload)).status_code == 401
    good = await spomyn.call("maintenance", job, token=spomyn.token(MAINTENANCE_URL), payload=payload)
    assert good.status_code == 200


@pytest.mark.parametrize("function", FUNCTIONS)
async def test_a_function_finds_only_the_packages_of_its_own_list(spomyn, function):
    [bundle] = (each for each in made_bundles() if each.function == function)
    listed = "import importlib.metadata as m, json; print(json.dumps([d.name for d in m.distributions()]))"
    process = await asyncio.create_subprocess_exec(
        spomyn.servers[function].process.args[0], "-c", listed, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert {canonicalize_name(name) for name in json.loads(output)} == {pin.name for pin in bundle.requirements}


async def test_the_workers_serve_only_the_tasks_account(spomyn, chat):
    assert (await spomyn.call("extract", payload={"chat_id": chat})).status_code == 401
    refused = [
        spomyn.token(MAINTENANCE_URL),
        spomyn.token(EXTRACT_URL, email="someone@spomyn-test.iam.gserviceaccount.com"),
        spomyn.token(EXTRACT_URL, exp=int(spomyn.clock.now().timestamp()) - 3600),
        spomyn.token(EXTRACT_URL)[:-8] + "AAAAAAAA",
        forged(spomyn.token(EXTRACT_URL)),
    ]
    for token in refused:
        assert (await spomyn.call("extract", token=token, payload={"chat_id": chat})).status_code == 401
    good = await spomyn.call("extract", token=spomyn.token(EXTRACT_URL), payload={"chat_id": chat})
    assert good.status_code == 200


def forged(token):
    """The same claims, signed by somebody else under the same key id."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return jwt.encode(crypt.RSASigner.from_string(pem, KEY_ID), jwt.decode(token, verify=False)).decode()


async def test_a_missing_setting_stops_the_start_with_one_sentence_that_names_it(spomyn, tmp_path):
    env = {name: value for name, value in spomyn.peers.settings.items() if name != "TELEGRAM_BOT_TOKEN"}
    running = spomyn.servers["webhook"]
    arguments = (running.process.args[0], running.folder, "webhook", env, tmp_path / "log")
    with kept_port() as port, serving(*arguments, port=port) as server:
        assert server.process.wait(30) != 0
        (line,) = server.log.read_text().splitlines()
    assert "TELEGRAM_BOT_TOKEN is not set" in line
