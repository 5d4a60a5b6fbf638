"""Names in what is remembered follow their people: who is renamed, forgotten or opted out, and who hides a nickname."""

from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import gather
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, chunks_path, member_path, message_path
from shared.application.facts.memory import learn_candidates
from shared.application.forgetting.consent import opt_out
from shared.application.forgetting.forget import erase_member
from shared.application.forgetting.proof import prove
from shared.application.recall.loading import load_corpus, load_names
from shared.domain.facts.evidence.claim import Evidence
from shared.domain.facts.fact import Candidate
from shared.domain.people.labels import labels_of
from shared.domain.people.naming import people_marked
from shared.domain.recall.roster import roster_of
from tests.support import updates
from tests.support.group import CHAT

OLYA, TARAS, IHOR = (101, "Оля"), (102, "Тарас"), (103, "Ігор")
FRUIT = ("яблука", "груші", "сливи", "вишні", "аґрус", "малина", "ожина", "кавун", "диня", "айва")


async def told_of_taras(group):
    """He says a little, others talk, and then of him; what he said is long past."""
    for fruit in FRUIT:
        await group.say(f"Продаю {fruit} по 40 гривень", *TARAS)
    await group.settle()
    for fruit in (*FRUIT, *FRUIT):
        await group.say(f"Зварила варення: {fruit}, 12 банок", *OLYA)
    await group.settle()
    for number in range(10, 20):
        await group.say(f"Тарасові привезуть шафу {number} травня", *OLYA)
    await group.settle()
    return [d for d in await group.store.query(chunks_path(CHAT)) if 102 in people_marked(d.data["summary"])]


async def summaries(group):
    asked = (await group.say("кому привезуть шафу?", *IHOR))["message"]
    app = group.runtime.app
    said = read_message(await group.store.get(message_path(CHAT, asked["message_id"]))).message
    gathered = await gather(app, await app.chats.state(CHAT, fresh=True), UserQuestion(said, said.text, "uk", None), "")
    return "\n".join(note.text for note in (*gathered.material.summaries, *gathered.material.key_facts))


async def test_a_summary_calls_who_has_another_name_by_it(laptop):
    assert await told_of_taras(laptop)
    before = await summaries(laptop)
    await laptop.say("Я тепер садівник", 102, "Садівник")
    after = await summaries(laptop)

    assert "Тарасові привезуть" in before
    assert "Садівник привезуть" in after
    assert "Тарас" not in after


async def test_nothing_that_is_remembered_names_who_was_forgotten(laptop):
    assert await told_of_taras(laptop)
    app = laptop.runtime.app
    erased = await erase_member(app, CHAT, 102)
    await laptop.settle()
    kept = [d async for d in laptop.store.subtree(chat_path(CHAT)) if d.path.split("/")[2] != "messages"]

    assert not any("Тарас" in repr(d.data) for d in kept)
    assert (await prove(app.store, app.archive, erased)).left == []
    assert "хтось привезуть шафу" in await summaries(laptop)


async def test_a_name_that_is_left_in_a_note_is_found_by_the_proof(laptop):
    (note, *_) = await told_of_taras(laptop)
    app = laptop.runtime.app
    erased = await erase_member(app, CHAT, 102)
    await laptop.store.update(note.path, {"summary": "{{102|Тарасові}} привезуть"})

    assert (await prove(app.store, app.archive, erased)).left == [note.path]


async def test_who_opted_out_is_not_named_in_what_others_said(laptop):
    assert await told_of_taras(laptop)
    await opt_out(laptop.runtime.app, CHAT, 102)
    await laptop.settle()

    assert "Тарас" not in await summaries(laptop)


async def test_a_nickname_of_who_hides_what_is_known_of_them_is_neither_label_nor_name(laptop):
    app = laptop.runtime.app
    for user_id in (102, 103):
        said = (await laptop.say(f"мене звуть Шуруп{user_id}", user_id, "Андрій"))["message"]
        evidence = Evidence(laptop.clock.now(), said["message_id"], user_id, "мене звуть")
        fact = Candidate(
            f"user:{user_id}", "personal_info", "nickname", f"Шуруп{user_id}", "Прізвисько.", 0.9, (evidence,)
        )
        await learn_candidates(app, CHAT, [fact])
    state = await app.chats.state(CHAT, fresh=True)

    async def labels():
        corpus = await load_corpus(app, state)
        people = roster_of(corpus, [102, 103], ())
        return labels_of(people.values(), bot_id=1, bot_name="гряг"), await load_names(app.store, app.indexes, state)

    shown, _ = await labels()
    assert (shown[102], shown[103]) == ("Андрій (Шуруп102)", "Андрій (Шуруп103)")
    await laptop.store.set(member_path(CHAT, 103), {"schema": 1, "user_id": 103, "visibility": "nobody"})
    shown, names = await labels()
    assert shown[102] == "Андрій (Шуруп102)"
    assert "Шуруп103" not in shown[103]
    assert names.members_named("шуруп102") == {102}
    assert not names.members_named("шуруп103")


async def test_lists_and_explanations_tell_namesakes_apart(laptop):
    for user_id, words in ((102, "Я живу у Львові"), (103, "Я живу в Луцьку")):
        sender = updates.user(user_id, "Андрій", **({"username": "andriy_dron"} if user_id == 103 else {}))
        await laptop.say(words, sender=sender)
    await laptop.settle()
    await laptop.say("/gryadfacts @andriy_dron", *OLYA)
    await laptop.say("гряг, де живе Андрій?", *OLYA)
    answered = laptop.api.sent[-1]
    why = updates.message("?", message_id=answered.message_id, sender=laptop.api.bot)
    await laptop.say("/gryadwhy", *OLYA, reply_to_message=why)
    listed, _, explained = laptop.answers[-3:]

    for told in (listed, explained):
        assert "Андрій (@andriy_dron)" in told
    assert "«Я живу у Львові» - Андрій, " in explained
    assert "«Я живу в Луцьку» - Андрій (@andriy_dron), " in explained
