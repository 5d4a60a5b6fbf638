"""A message that is found is shown with what it is understood by."""

from datetime import timedelta

from shared.application.answering.excerpts import links_to_sources
from shared.application.recall.loading import load_corpus
from shared.domain.recall.index.note import Note
from tests.support.group import CHAT
from tests.unit.application.answering.remembered import asked, remembering


async def test_what_was_said_long_ago_is_found_with_its_neighbours_and_its_link(minded):
    gathered, context = await asked(await remembering(minded))
    link = f"https://t.me/c/{-CHAT - 10**12}/1"
    assert "#1 Тарас: Намет у мене, на чотирьох" in context.system.split("<found>")[1]
    assert context.citations[1] == f"[↗]({link})"
    assert gathered.grounding.found[0].link == link
    assert [m.text for m in gathered.material.talk] == [f"про каву {i}" for i in range(10, 40)]


async def test_what_the_question_replies_to_is_told_however_old_it_is(minded):
    _, context = await asked(await remembering(minded), "а це що?", reply_to=1)
    assert "#1 Тарас: Намет у мене" in context.system.split("<found>")[1]
    assert "Оля → Тарас: а це що?" in context.turns[0].parts[0]


async def test_what_a_note_was_made_from_is_linked_until_it_expires(minded):
    app = await remembering(minded)
    state, now = await app.chats.state(CHAT, fresh=True), app.clock.now()
    corpus = await load_corpus(app, state)
    notes = [Note("chunk", str(first), first, 9, now, now, "Про намет.") for first in (1, 99)]
    links = links_to_sources(app.clock, app.policy, state, corpus, [], notes)
    assert links == {1: f"https://t.me/c/{-CHAT - 10**12}/1"}
    app.clock.advance(app.policy.retention + timedelta(days=1))
    assert links_to_sources(app.clock, app.policy, state, corpus, [], notes) == {}


async def test_what_its_author_puts_right_soon_after_is_shown_with_a_message_that_is_found(minded):
    for text, user_id, name in (
        ("Зустріч клубу на Садовій 4, друзі", 102, "Тарас"),
        ("ура", 104, "Ганна"),
        ("ой, Садова 14, не дописав", 102, "Тарас"),
        ("чайник візьму я", 102, "Тарас"),
    ):
        await minded.say(text, user_id, name)
    for i in range(40):
        await minded.say(f"про каву {i}", 104, "Ганна")
    await minded.settle()
    minded.runtime.app.indexes.forget(CHAT)
    gathered, _ = await asked(minded.runtime.app, "де зустріч клубу?")
    (excerpt,) = [each for each in gathered.material.found if each.message.message_id == 1]
    assert [message.message_id for message in excerpt.around] == [1, 2, 3]
