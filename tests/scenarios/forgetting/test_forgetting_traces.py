"""What names a member beside their words: votes, budgets, questions to the group, who changed what; and CONTEXT.md."""

from datetime import timedelta

from shared.application.chats.choices import choose
from shared.application.chats.settings_codec import ChoiceLocation
from shared.application.documents import chat_path, facts_path, learning_path
from shared.application.facts.moderation import vote
from shared.application.forgetting.forget import erase_member, forget_member
from shared.application.forgetting.proof import prove
from shared.application.forgetting.request import ForgettingRequest
from shared.application.forgetting.requested import forget_as_requested
from shared.application.intake.maintenance import run_job
from tests.support.group import CHAT

HANNA, TARAS = (104, "Ганна"), (102, "Тарас")


async def holding(group, words):
    """Kinds of documents in which these words stand."""
    return {d.path.split("/")[2] async for d in group.store.subtree(chat_path(CHAT)) if words in repr(d)}


async def test_ids_of_the_member_go_with_their_words(laptop):
    app = laptop.runtime.app
    await laptop.say("Нагадую: ніякої політики в чаті!", *TARAS)
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.settle()
    facts = {d.data["subject"]: d.id for d in await laptop.store.query(facts_path(CHAT))}
    await vote(app, CHAT, facts["chat"], HANNA[0], supports=True)
    await choose(app.chats, app.clock, CHAT, "language", ChoiceLocation("language"), "uk", user_id=HANNA[0])
    day = laptop.clock.now().date()
    spent = {"schema": 1, "user_id": HANNA[0], "tokens": 9, "expire_at": laptop.clock.now()}
    await laptop.store.set(f"{chat_path(CHAT)}/spending/{HANNA[0]}-{day}", spent)
    for fact_id in facts.values():
        await laptop.store.set(f"{chat_path(CHAT)}/questions/{fact_id}", {"schema": 1, "message_id": 5})
    await laptop.say("/gryadfacts", *HANNA)
    erased = await erase_member(app, CHAT, HANNA[0])
    proof = await prove(app.store, app.archive, erased)
    assert proof.left == []
    assert proof.searched > 5
    assert await holding(laptop, "104") == set()
    assert "104" not in repr(await laptop.store.get(chat_path(CHAT)))
    assert [d.id for d in await laptop.store.query(f"{chat_path(CHAT)}/questions")] == [facts["chat"]]
    assert (await app.chats.state(CHAT, fresh=True)).language == "uk"


async def test_a_task_that_comes_again_late_finds_nothing_left_although_they_went_on_talking(laptop):
    app = laptop.runtime.app
    await laptop.say("Я живу у Житомирі", *HANNA)
    await laptop.settle()
    request = ForgettingRequest(CHAT, HANNA[0], laptop.clock.now())
    await forget_as_requested(app, request.task("1").payload)
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("Я живу в Одесі", *HANNA)
    await laptop.say("Обожнюю зелений чай", *HANNA)
    await laptop.settle()
    known = [fact["value"] for fact in await laptop.facts()]
    assert len(known) == 2
    await forget_as_requested(app, request.task("1").payload)
    await laptop.settle()
    assert [fact["value"] for fact in await laptop.facts()] == known
    assert await laptop.store.get(learning_path(CHAT, "user:104")) is not None


async def test_what_they_say_later_stays_in_context_md_when_they_are_forgotten_once_more(laptop):
    app = laptop.runtime.app
    await laptop.say("Я забронюю квитки на левітацію завтра", *HANNA)
    await laptop.settle()
    await run_job(app, "consolidate", {"chat_id": CHAT})
    assert await holding(laptop, "левітацію") >= {"context", "messages"}
    until = laptop.clock.now()
    await forget_member(app, CHAT, HANNA[0], until=until)
    assert await holding(laptop, "левітацію") == set()
    laptop.clock.advance(timedelta(minutes=5))
    await laptop.say("Я забронюю столик у пекарні завтра", *HANNA)
    await laptop.settle()
    await run_job(app, "consolidate", {"chat_id": CHAT})
    assert "context" in await holding(laptop, "пекарні")
    await forget_member(app, CHAT, HANNA[0], until=until)
    assert await holding(laptop, "пекарні") >= {"context", "messages"}
    await forget_member(app, CHAT, HANNA[0])
    assert await holding(laptop, "пекарні") == set()
