"""Jobs through the queue, and the move of a group that became a supergroup."""

from datetime import timedelta

from shared.application.intake.maintenance import run_job
from tests.support.group import CHAT

ADMIN = (102, "Тарас")


async def start(group, job, payload=None):
    token = _token(group)
    return await group.http.post(f"/maintenance/{job}", json=payload or {}, headers={"authorization": token})


def _token(group):
    from google.cloud import tasks_v2

    from tests.support.google.cloud_tasks import sign
    from tests.support.group import ACCOUNT, MAINTENANCE_URL

    token = tasks_v2.OidcToken(service_account_email=ACCOUNT, audience=MAINTENANCE_URL)
    return "Bearer " + sign(token, MAINTENANCE_URL, group.clock.now())


async def test_decay_fans_out_over_the_active_chats_and_expires_what_nobody_confirms(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    group.clock.advance(timedelta(days=89))
    await group.runtime.app.chats.state(CHAT, fresh=True)
    assert await run_job(group.runtime.app, "decay", {"chat_id": CHAT}) == {"expired": 0}
    group.clock.advance(timedelta(days=2))
    await group.runtime.app.chats.change(-5, {"active": False})
    assert await run_job(group.runtime.app, "decay", {}) == {"chats": 2, "enqueued": 2, "failed": 0}  # two nights ahead
    await group.settle(timedelta(hours=8))
    (fact,) = await group.facts()
    assert fact["status"] == "expired"
    assert await run_job(group.runtime.app, "decay", {"chat_id": CHAT}) == {"expired": 0}


async def test_an_expired_fact_comes_back_when_it_is_said_again(group):
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    group.clock.advance(timedelta(days=91))
    await run_job(group.runtime.app, "decay", {"chat_id": CHAT})
    await group.say("Нагадую: ніякої політики в чаті!", *ADMIN)
    await group.settle()
    (fact,) = await group.facts()
    assert fact["status"] == "active"


async def test_workers_want_a_token_of_our_account(group):
    assert (await group.http.post("/maintenance/decay", json={})).status_code == 401
    forged = {"authorization": "Bearer x.y.z"}
    good = {"authorization": _token(group)}
    assert (await group.http.post("/maintenance/decay", json={}, headers=forged)).status_code == 401
    assert (await group.http.post("/extract", json={"chat_id": CHAT}, headers=forged)).status_code == 401
    assert (await group.http.post("/extract", json={"chat_id": CHAT}, headers=good)).status_code == 401  # its audience
    assert (await group.http.post("/maintenance/decay", json={}, headers=good)).status_code == 200
    group.clock.advance(timedelta(hours=3))
    assert (await group.http.post("/maintenance/decay", json={}, headers=good)).status_code == 401


async def test_an_unknown_job_is_not_found_and_a_bad_payload_is_refused(group):
    headers = {"authorization": _token(group)}
    assert (await start(group, "nonsense")).status_code == 404
    assert (await group.http.post("/maintenance/decay", json=[1], headers=headers)).status_code == 400
    assert (await group.http.get("/maintenance/decay", headers=headers)).status_code == 405
