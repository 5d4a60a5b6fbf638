"""Two things at once: what happens in the middle of an extraction, and what comes late after a migration."""

import functools
import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from infra.telegram.updates import parse_update
from shared.application.chats.state import Chats
from shared.application.conversation.message_codec import read_message
from shared.application.documents import chat_path, chunks_path, fact_path, messages_path
from shared.application.facts.memory import learn_candidates
from shared.application.facts.moderation import vote
from shared.application.facts.version_codec import facts_as_of
from shared.application.forgetting.forget import reset_chat_facts
from shared.application.intake.maintenance import run_job
from shared.application.intake.receive import receive_update
from shared.application.ports.store import Order
from shared.application.reading.extraction import extract_chat
from shared.application.recall.cache import IndexCache
from shared.application.recall.loading import load_corpus
from shared.domain.conversation.messages import migrated_message_id
from shared.domain.facts.evidence.claim import Vote
from shared.domain.facts.fact import fact_id
from tests.support import updates
from tests.support.faults import InterruptedStore
from tests.support.group import CHAT, running_group
from tests.support.talk import extract_patterns

ADMIN = (102, "Тарас")
RULE = "Нагадую: ніякої політики в чаті!"
OTHER_RULE = "Нагадую: без спойлерів у чаті!"
OLD, NEW = -777, -1_009_999


@pytest.fixture
def interrupted(sqlite_store):
    return InterruptedStore(sqlite_store)


@pytest.fixture
async def laptop(interrupted):
    async with running_group(interrupted) as running:
        yield running


def edited(update, text, *, update_id=None):
    """The update by which Telegram reports that what `update` said now reads `text`."""
    message = update["message"] | {"text": text, "edit_date": 1_800_000_000}
    return {"update_id": update_id or update["update_id"] + 10_000, "edited_message": message}


async def proposed(group):
    """What patterns find in all that was said."""
    documents = await group.store.query(messages_path(CHAT), order_by=[Order("message_id")])
    talk = [read_message(document).message for document in documents]
    return extract_patterns(talk, admins=frozenset({102}), bot_names=("гряг",), bot_username="gryag_bot")


def add_both(group):
    """A basic group, and the supergroup that it becomes; the chats as updates show them."""
    group.api.add_chat(OLD, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})
    return updates.chat(OLD, "group"), updates.chat(NEW, "supergroup")


async def migrate(group, old=OLD, new=NEW):
    assert await group.deliver(updates.migration_update(old, new, update_id=70_000 - old)) == 200


async def run_due(group):
    await group.tasks.dispatch_due(group.clock.now())


async def left_under(group, chat_id):
    return [document.path async for document in group.store.subtree(chat_path(chat_id))]


async def believed(group, chat_id=CHAT):
    return {fact["value"] for fact in await group.facts(chat_id) if fact["status"] == "active"}


async def interrupt_each_call(laptop, interrupted, meanwhile, check):
    """Extract a chat's rule; in each further chat `meanwhile(chat_id, update)` happens one store call later."""
    for call in itertools.count(1):
        chat_id = CHAT - call
        laptop.api.add_chat(chat_id, admins={102})
        said = await laptop.say(RULE, *ADMIN, chat=updates.chat(chat_id))
        laptop.clock.advance(timedelta(minutes=20))
        interrupted.interrupt(call, functools.partial(meanwhile, chat_id, said))
        await extract_chat(laptop.runtime.app, chat_id)
        if interrupted.pending:
            break
    assert call > 10, "an extraction asks its store more often than that"
    await laptop.settle()
    for chat_id in range(CHAT - call + 1, CHAT):
        await check(chat_id)


# --- During an extraction ----------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [False, True], ids=["its task waits", "its task runs at once"])
async def test_an_edit_at_any_moment_of_an_extraction_is_what_the_chat_believes(laptop, interrupted, at_once):
    async def edit(_, said):
        assert await laptop.deliver(edited(said, OTHER_RULE)) == 200
        if at_once:
            await run_due(laptop)

    async def check(chat_id):
        assert await believed(laptop, chat_id) == {"spoilers"}
        (message,) = await laptop.messages(chat_id)
        assert (message["text"], message["rederive"], message["chunk"] is None) == (OTHER_RULE, False, False)

    await interrupt_each_call(laptop, interrupted, edit, check)


async def test_an_edit_that_only_mends_a_word_keeps_what_the_message_taught(laptop):
    said = await laptop.say(RULE, *ADMIN)
    await laptop.settle()
    assert await laptop.deliver(edited(said, f"{RULE}!!")) == 200
    await laptop.settle()
    (fact,) = await laptop.facts()
    assert (fact["status"], [quote["quote"] for quote in fact["evidence"]]) == ("active", [f"{RULE}!!"])


async def test_a_reset_at_any_moment_of_an_extraction_forgets_the_chat(laptop, interrupted):
    async def reset(chat_id, _):
        await reset_chat_facts(laptop.runtime.app, chat_id)

    async def check(chat_id):
        assert await laptop.facts(chat_id) == []

    await interrupt_each_call(laptop, interrupted, reset, check)


@pytest.mark.parametrize("choice", [{"opted_out": [102]}, {"private_mode": True}], ids=["opted out", "private"])
async def test_a_choice_between_extraction_and_learning_is_kept(laptop, choice):
    await laptop.say(RULE, *ADMIN)
    await laptop.say("Підтримую!", 103, "Марко")
    found, app = await proposed(laptop), laptop.runtime.app
    assert found
    await app.chats.change(CHAT, choice)
    assert await learn_candidates(app, CHAT, found) == []
    assert await laptop.facts() == []


async def test_who_opts_out_between_extraction_and_learning_is_no_witness_and_no_objector(laptop):
    said = [await laptop.say(text, user_id, "Хтось") for text, user_id in ((RULE, 102), ("+1", 103), ("проти", 104))]
    found = await proposed(laptop)
    against = Vote(laptop.clock.now(), 104, supports=False, message_id=said[2]["message"]["message_id"])
    await laptop.runtime.app.chats.change(CHAT, {"opted_out": [103, 104]})
    await learn_candidates(laptop.runtime.app, CHAT, [replace(each, voices=(against,)) for each in found])
    (fact,) = await laptop.facts()
    assert ([e["user_id"] for e in fact["evidence"]], fact["voices"], fact["objectors"]) == ([102], [], [])


async def test_who_opts_out_at_any_moment_of_an_extraction_takes_no_words_of_others_along(laptop, interrupted):
    moments = itertools.count(1)

    async def opt_out(chat_id, _):
        await laptop.runtime.app.chats.change(chat_id, {"opted_out": [102]})

    for call in moments:
        chat_id = CHAT - call
        laptop.api.add_chat(chat_id, admins={102, 106})
        for user_id in (102, 106):
            await laptop.say(RULE, user_id, "Хтось", chat=updates.chat(chat_id))
        laptop.clock.advance(timedelta(minutes=20))
        interrupted.interrupt(call, functools.partial(opt_out, chat_id, None))
        await extract_chat(laptop.runtime.app, chat_id)
        if interrupted.pending:
            break
        await laptop.settle()
        (fact,) = await laptop.facts(chat_id)
        assert 106 in [e["user_id"] for e in fact["evidence"]]
    assert call > 10


async def test_a_rule_that_is_laid_down_again_after_a_reset_is_known_again(laptop):
    await laptop.say(RULE, *ADMIN)
    await laptop.settle()
    await reset_chat_facts(laptop.runtime.app, CHAT)
    laptop.clock.advance(timedelta(seconds=5))
    await laptop.say(RULE, *ADMIN)
    await laptop.settle()
    (fact,) = await laptop.facts()
    assert (fact["value"], fact["evidence_message_ids"]) == ("politics", [2])


async def test_who_agreed_with_a_rule_that_was_edited_away_does_not_keep_it(laptop):
    said = await laptop.say(RULE, *ADMIN)
    await laptop.say("Підтримую!", 103, "Марко")
    await laptop.settle()
    (fact,) = await laptop.facts()
    assert fact["evidence_message_ids"] == [1, 2]
    assert await laptop.deliver(edited(said, "Добрий вечір")) == 200
    await laptop.settle()
    assert await believed(laptop) == set()


async def test_a_second_worker_at_any_moment_of_an_extraction_does_nothing_twice(laptop, interrupted):
    async def extract_too(chat_id, _):
        await extract_chat(laptop.runtime.app, chat_id)

    async def check(chat_id):
        assert [fact["version"] for fact in await laptop.facts(chat_id)] == [1]
        assert len(await laptop.store.query(chunks_path(chat_id))) == 1
        assert (await laptop.runtime.app.chats.state(chat_id, fresh=True)).chunks == 1

    await interrupt_each_call(laptop, interrupted, extract_too, check)


async def test_a_question_at_any_moment_of_an_extraction_is_told_what_was_said(laptop, interrupted):
    told = {}

    async def ask(chat_id, said):
        state, message_id = await laptop.runtime.app.chats.state(chat_id), said["message"]["message_id"]
        another = replace(laptop.runtime.app, indexes=IndexCache())
        told[chat_id] = message_id in (await load_corpus(another, state)).message_ids

    async def check(chat_id):
        assert told[chat_id]

    await interrupt_each_call(laptop, interrupted, ask, check)


async def test_an_extraction_at_any_moment_of_a_question_hides_nothing_from_it(laptop, interrupted):
    app = laptop.runtime.app
    for call in itertools.count(1):
        chat_id = CHAT - call
        laptop.api.add_chat(chat_id, admins={102})
        said = await laptop.say(RULE, *ADMIN, chat=updates.chat(chat_id))
        laptop.clock.advance(timedelta(minutes=20))
        state = await app.chats.state(chat_id)
        interrupted.interrupt(call, functools.partial(extract_chat, app, chat_id))
        corpus = await load_corpus(app, state, around=said["message"]["message_id"] + 1)
        assert corpus.message_ids.tolist() == [said["message"]["message_id"]]
        if interrupted.pending:
            break
    assert call > 3, "a question asks its store more often than that"


async def test_a_migration_at_any_moment_of_an_extraction_loses_and_doubles_nothing(laptop, interrupted):
    async def move(chat_id, _):
        laptop.api.add_chat(10 * chat_id, admins={102})
        await migrate(laptop, chat_id, 10 * chat_id)
        await run_due(laptop)

    async def check(chat_id):
        assert await left_under(laptop, chat_id) == []
        (fact,) = await laptop.facts(10 * chat_id)
        (message,) = await laptop.messages(10 * chat_id)
        assert [e["message_id"] for e in fact["evidence"]] == [message["message_id"]]
        assert (message["text"], message["chunk"]) == (RULE, f"{message['message_id']}-{message['message_id']}")

    await interrupt_each_call(laptop, interrupted, move, check)


async def test_a_reset_at_any_moment_leaves_no_version_of_a_step_that_was_taken_meanwhile(laptop, interrupted):
    for call in itertools.count(1):
        chat_id = CHAT - call
        laptop.api.add_chat(chat_id, admins={102})
        await laptop.say(RULE, *ADMIN, chat=updates.chat(chat_id))
        laptop.clock.advance(timedelta(minutes=20))
        await extract_chat(laptop.runtime.app, chat_id)
        (fact,) = await laptop.facts(chat_id)
        voted = fact_id("chat", "rule", fact["key"], fact["value"])
        interrupted.interrupt(call, functools.partial(vote, laptop.runtime.app, chat_id, voted, 7, supports=False))
        await reset_chat_facts(laptop.runtime.app, chat_id)
        if interrupted.pending:
            break
        assert [path for path in await left_under(laptop, chat_id) if "/facts/" in path] == []
    assert call > 3


async def test_a_reset_forgets_the_chat_but_not_what_waits_to_be_learnt_about_members(laptop):
    await laptop.say(RULE, *ADMIN)
    await laptop.say("Я живу у Львові", 104, "Ганна")
    await reset_chat_facts(laptop.runtime.app, CHAT)
    await laptop.settle()
    assert [fact["subject"] for fact in await laptop.facts()] == ["user:104"]


async def test_of_two_edits_in_one_second_the_later_one_counts_whichever_comes_first(laptop):
    for order in ((500, 501), (501, 500)):
        said = await laptop.say("о п'ятій")
        for update_id in order:
            text = {500: "о шостій", 501: "о сьомій"}[update_id]
            assert await laptop.deliver(edited(said, text, update_id=update_id)) == 200
    assert [message["text"] for message in await laptop.messages()] == ["о сьомій", "о сьомій"]


# --- Around a migration ------------------------------------------------------------------------


async def test_an_answer_to_a_group_that_has_just_moved_arrives_once_in_the_supergroup(group):
    old_chat, _ = add_both(group)
    await group.say("привіт", chat=old_chat)
    group.api.chats[OLD].migrated_to = NEW
    await group.say("гряг, ти тут?", chat=old_chat)
    assert [sent.chat_id for sent in group.api.sent] == [NEW]
    await migrate(group)
    await group.settle()
    *earlier, answer = await group.messages(NEW)
    assert [message["text"] for message in earlier] == ["привіт", "гряг, ти тут?"]
    assert answer["is_bot"]
    assert answer["message_id"] == group.api.chats[NEW].ids.next_id - 1
    assert await left_under(group, OLD) == []


async def test_a_late_message_of_an_instance_that_missed_the_migration_is_brought_along(laptop):
    (old_chat, _), app = add_both(laptop), laptop.runtime.app
    await laptop.say("привіт", chat=old_chat)
    other = replace(app, chats=Chats(app.store, app.clock))
    await other.chats.state(OLD)  # remembered for a minute
    await migrate(laptop)
    await run_due(laptop)
    await receive_update(other, parse_update(laptop.says(RULE, *ADMIN, chat=old_chat)))
    assert await laptop.messages(OLD) != []
    await laptop.settle()
    assert await left_under(laptop, OLD) == []
    assert [message["text"] for message in await laptop.messages(NEW)] == ["привіт", RULE]
    assert await believed(laptop, NEW) == {"politics"}


async def test_an_edit_before_the_move_takes_back_what_the_old_text_taught(group):
    old_chat, _ = add_both(group)
    said = await group.say(RULE, *ADMIN, chat=old_chat)
    await group.settle()
    await migrate(group)
    assert await group.deliver(edited(said, OTHER_RULE)) == 200  # stored under the new id already
    await group.settle()
    (message,) = await group.messages(NEW)
    assert (message["text"], message["rederive"]) == (OTHER_RULE, False)
    assert message["message_id"] == migrated_message_id(said["message"]["message_id"])
    assert await believed(group, NEW) == {"spoilers"}


async def test_a_migration_back_or_to_itself_moves_nothing(laptop):
    old_chat, new_chat = add_both(laptop)
    await laptop.say(RULE, *ADMIN, chat=old_chat)
    for old, new in ((OLD, NEW), (NEW, OLD), (NEW, NEW)):
        await migrate(laptop, old, new)
    assert await run_job(laptop.runtime.app, "migrate", {"chat_id": NEW, "new_chat_id": NEW}) == {"moved": 0}
    await laptop.say("ще", chat=new_chat)
    await laptop.settle()
    assert [(m["text"], m["message_id"] > 0) for m in await laptop.messages(NEW)] == [(RULE, False), ("ще", True)]
    assert await believed(laptop, NEW) == {"politics"}


async def test_who_opted_out_and_what_was_reset_before_the_migration_stays_so(laptop):
    (old_chat, new_chat), app = add_both(laptop), laptop.runtime.app
    await laptop.say(RULE, *ADMIN, chat=old_chat)
    await reset_chat_facts(app, OLD)
    await app.chats.change(OLD, {"opted_out": [101]})
    await app.chats.change(NEW, {"opted_out": [104]})
    await migrate(laptop)
    for moved in (False, True):
        for member in (101, 104):
            await laptop.say(f"таємне {moved}", member, chat=new_chat)
        await laptop.settle()
    assert [message["text"] for message in await laptop.messages(NEW)] == [RULE]
    assert await laptop.facts(NEW) == []


async def test_what_both_chats_learnt_keeps_the_history_of_both(laptop):
    old_chat, new_chat = add_both(laptop)
    for chat in (old_chat, old_chat, new_chat, None, new_chat):
        await (laptop.say(RULE, *ADMIN, chat=chat) if chat else migrate(laptop))
        await laptop.settle()
    (fact,) = await laptop.facts(NEW)
    assert len(fact["evidence"]) == 4
    path = fact_path(NEW, fact_id("chat", "rule", "forbidden_topics", "politics"))
    records = [record.data["change"] for record in await laptop.store.query(f"{path}/versions")]
    assert sorted(records) == ["creation"] * 2 + ["reinforcement"] * 3


async def test_what_the_old_chat_believed_before_the_new_one_learnt_it_too_can_still_be_asked(laptop):
    old_chat, new_chat = add_both(laptop)
    await laptop.say(RULE, *ADMIN, chat=old_chat)
    await laptop.settle()
    between = laptop.clock.now()
    laptop.clock.advance(timedelta(days=1))
    await laptop.say(RULE, *ADMIN, chat=new_chat)
    await laptop.settle()
    await migrate(laptop)
    await laptop.settle()
    assert [len(f.evidence) for f in await facts_as_of(laptop.runtime.app.store, NEW, "chat", between)] == [1]
    assert [len(f.evidence) for f in await facts_as_of(laptop.runtime.app.store, NEW, "chat", laptop.clock.now())] == [
        2
    ]


async def test_a_button_from_before_the_migration_still_works(laptop):
    old_chat, _ = add_both(laptop)
    await laptop.say(RULE, *ADMIN, chat=old_chat)
    await laptop.say("/gryadchatreset", *ADMIN, chat=old_chat)
    await migrate(laptop)
    await laptop.settle()
    assert await believed(laptop, NEW) == {"politics"}
    button = laptop.pressing("Так, забути", *ADMIN, chat_id=OLD)
    laptop.api.chats[OLD].migrated_to = NEW
    assert await laptop.deliver(button) == 200
    assert await laptop.facts(NEW) == []


async def test_what_was_said_before_the_bot_left_is_kept_and_does_not_bring_it_back(laptop):
    await laptop.say("привіт")
    late = laptop.says("запізніле")
    laptop.clock.advance(timedelta(seconds=5))
    assert await laptop.deliver(updates.membership_update("member", "kicked", update_id=601)) == 200
    assert await laptop.deliver(late) == 200
    assert not (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active
    assert [message["text"] for message in await laptop.messages()] == ["привіт", "запізніле"]
    laptop.clock.advance(timedelta(seconds=5))
    await laptop.say("бот знову тут")
    assert (await laptop.runtime.app.chats.state(CHAT, fresh=True)).active
