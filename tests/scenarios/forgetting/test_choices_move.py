"""What is chosen while a group becomes a supergroup holds there, whoever knows of the move and whoever does not."""

from contextlib import nullcontext
from datetime import timedelta

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.chats.migration import begin_migration
from shared.application.chats.settings_codec import seen_name
from shared.application.documents import chat_path
from shared.application.forgetting.consent import opt_in, opt_out
from shared.application.forgetting.forget import reset_chat_facts
from shared.application.people.admins import note_admin
from shared.domain.errors import Contention
from shared.domain.people.admin_history import AdminNote
from tests.support import updates
from tests.support.faults import InterruptedStore
from tests.support.group import running_group

ADMIN, HANNA, TARAS = (102, "Тарас"), (104, "Ганна"), (103, "Марко")
RULE = "Нагадую: ніякої політики в чаті!"
OLD, NEW = -777, -1_009_999
BEFORE = updates.chat(OLD, "group")


def add_both(group):
    group.api.add_chat(OLD, "group", admins={102})
    group.api.add_chat(NEW, "supergroup", admins={102})


async def moved_unnoticed(group):
    """The group moves, and its one instance knows nothing of it for a minute."""
    chats = group.runtime.app.chats
    known = await chats.state(OLD, fresh=True)
    assert await begin_migration(group.runtime.app, OLD, NEW)
    group.api.chats[OLD].migrated_to = NEW
    chats._remember(known)


async def state_of(group, chat_id=NEW):
    return read_chat(chat_id, await group.store.get(chat_path(chat_id)))


async def test_who_opts_out_where_nobody_knows_of_the_move_yet_is_opted_out(group):
    add_both(group)
    await group.say("Я живу у Житомирі", *HANNA, chat=BEFORE)
    await moved_unnoticed(group)
    await group.say("/gryadoptout", *HANNA, chat=BEFORE)
    await group.settle()
    assert (await state_of(group)).opted_out == {HANNA[0]}
    assert "не зберігаю ваших слів" in group.answers[-1]
    assert [sent.chat_id for sent in group.api.sent] == [NEW]


async def test_who_opts_in_where_nobody_knows_of_the_move_yet_is_remembered_again(group):
    add_both(group)
    for who in (HANNA, TARAS):
        await group.say("/gryadoptout", *who, chat=BEFORE)
    await moved_unnoticed(group)
    await group.say("/gryadoptin", *HANNA, chat=BEFORE)
    await group.settle()
    assert (await state_of(group)).opted_out == {TARAS[0]}


async def test_a_reset_where_nobody_knows_of_the_move_yet_forgets_what_was_learnt(group):
    add_both(group)
    await group.say(RULE, *ADMIN, chat=BEFORE)
    await group.settle()
    await group.say("/gryadchatreset", *ADMIN, chat=BEFORE)
    button = group.pressing("Так, забути", *ADMIN, chat_id=OLD)
    await moved_unnoticed(group)
    assert await group.deliver(button) == 200
    await group.settle()
    assert (await state_of(group)).learn_from is not None
    assert await group.facts(OLD) == await group.facts(NEW) == []


async def test_a_reset_forgets_what_has_not_moved_yet_as_well(group):
    add_both(group)
    await group.say(RULE, *ADMIN, chat=BEFORE)
    await group.settle()
    assert await group.facts(OLD) != []
    await begin_migration(group.runtime.app, OLD, NEW)
    assert await reset_chat_facts(group.runtime.app, NEW) == 1
    await group.settle()
    assert await group.facts(OLD) == await group.facts(NEW) == []


async def test_who_is_an_admin_no_more_where_nobody_knows_of_the_move_yet_is_none(group):
    add_both(group)
    await group.say("привіт", chat=BEFORE)
    app, now = group.runtime.app, group.clock.now()
    await note_admin(app.chats, OLD, AdminNote(now, ADMIN[0], is_admin=True, told=True))
    await moved_unnoticed(group)
    group.clock.advance(timedelta(seconds=5))
    who = {"who": updates.user(*ADMIN), "chat": BEFORE, "date": int(group.clock.now().timestamp())}
    demoted = updates.member_update("administrator", "member", update_id=7_001, **who)
    delivered = [await group.deliver(demoted) for _ in range(2)]
    assert delivered == [503, 200]
    state = await state_of(group)
    assert (state.admins, [note.is_admin for note in state.admin_history]) == (frozenset(), [True, False])


async def test_a_new_name_of_who_opted_out_is_noted_where_the_group_goes_on(group):
    add_both(group)
    await group.say("/gryadoptout", *HANNA, chat=BEFORE)
    await moved_unnoticed(group)
    said = group.says("я тепер інша", HANNA[0], "Інша", chat=BEFORE)
    assert [await group.deliver(said) for _ in range(2)] == [503, 200]
    names = (await group.store.get(chat_path(NEW))).data["opted_out_names"]
    assert names == [seen_name(*HANNA), seen_name(HANNA[0], "Інша")]


@pytest.mark.parametrize("choose", [opt_out, opt_in])
async def test_a_choice_at_any_moment_of_the_move_holds(sqlite_store, choose):
    interrupted, moments = InterruptedStore(sqlite_store), 0
    async with running_group(interrupted) as group:
        app = group.runtime.app

        async def chosen():
            with pytest.raises(Contention) if (await state_of(group, old)).migrated_to else nullcontext():
                await choose(app, old, HANNA[0])
                return
            await choose(app, new, HANNA[0])

        while True:
            moments += 1
            old, new = OLD - moments, NEW - moments
            await app.chats.change(old, {"opted_out": [HANNA[0]] if choose is opt_in else [], "title": "Друзі"})
            interrupted.interrupt(moments, chosen)
            assert await begin_migration(app, old, new)
            if interrupted.pending is not None:
                break
            assert (await state_of(group, new)).opted_out == ({HANNA[0]} if choose is opt_out else frozenset())
    assert moments > 1
