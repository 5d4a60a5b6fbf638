"""Taking words out of CONTEXT.md: whose lines go, which stay, and what of them is kept in earlier revisions."""

from dataclasses import replace

import pytest

from shared.application.chats.context_codec import context_path, revision_path, revisions_path
from shared.application.chats.migration import begin_migration
from shared.application.consolidation.changing import BadEdit, edit_context_file, forget_in_context
from shared.application.consolidation.context_file_codec import (
    ContextFile,
    context_file_fields,
    load_context_file,
    read_context_file,
    read_revisions,
)
from shared.application.consolidation.nightly import consolidate
from shared.application.documents import chat_path, messages_path
from shared.application.reading.moving import move_chat
from shared.domain.consolidation.document import render
from shared.domain.conversation.messages import migrated_message_id
from tests.support.exports import app_on
from tests.support.faults import Crashed, DyingStore
from tests.support.nights import PROMISE
from tests.support.tool_chat import CHAT, OLYA, TARAS
from tests.unit.domain.consolidation.item_lists import KYIV, NIGHT, ago, item, quote

ERASED_CHAT, HANNA, ERASED = -1001, 104, 102


def line(text, *quotes, **more):
    return item(text, quotes=quotes, **{"started_by": None, "starter": ""} | more)


HERS = line("забронювати квитки", quote("забронювати квитки", message_id=1, user_id=HANNA, days=5))
HIS = line("купити шашлик", quote("купити шашлик", message_id=2, user_id=ERASED, days=3))
BOTH = line(
    "знайти готель",
    quote("знайти готель", message_id=3, user_id=ERASED, days=3),
    quote("готель", message_id=4, user_id=HANNA, days=2),
)
BEGUN = line("прибрати дах", quote("прибрати дах", message_id=5, user_id=ERASED), started_by=HANNA, starter="Ганна")


def file(*items, closed=(), revision=3):
    text = render(items, language="uk", updated_at=NIGHT, zone=KYIV)
    return ContextFile(revision, text, tuple(items), tuple(closed), updated_at=NIGHT)


async def put(store, present, *earlier):
    await store.set(chat_path(ERASED_CHAT), {"schema": 1, "chat_id": ERASED_CHAT, "type": "group", "title": ""})
    await store.set(context_path(ERASED_CHAT), context_file_fields(present))
    for number, each in enumerate(earlier, 1):
        await store.set(revision_path(ERASED_CHAT, number), context_file_fields(each))


async def left(store):
    return {each.text for each in read_context_file(await store.get(context_path(ERASED_CHAT))).items}


TEXTS = {"забронювати квитки", "купити шашлик", "знайти готель", "прибрати дах"}


@pytest.mark.parametrize(
    ("what", "gone"),
    [
        ({"user_id": HANNA}, {"забронювати квитки"}),
        ({"user_id": HANNA, "until": ago(5)}, {"забронювати квитки"}),
        ({"user_id": HANNA, "until": ago(6)}, set()),
        ({"user_id": ERASED}, {"купити шашлик", "знайти готель", "прибрати дах"}),
        ({"message_ids": {2}}, {"купити шашлик"}),
        ({"message_ids": {3}}, {"знайти готель"}),
        ({"message_ids": {4}}, set()),
        ({"before": ago(3)}, {"забронювати квитки"}),
        ({"before": ago(2.5)}, {"забронювати квитки", "купити шашлик", "знайти готель"}),
        ({}, set()),
    ],
)
async def test_a_line_goes_when_what_is_left_of_its_quotes_does_not_say_it(sqlite_store, what, gone):
    await put(sqlite_store, file(HERS, HIS, BOTH, BEGUN))
    assert await forget_in_context(app_on(sqlite_store), ERASED_CHAT, **what) == len(gone)
    assert await left(sqlite_store) == TEXTS - gone
    text = (await sqlite_store.get(context_path(ERASED_CHAT))).data["text"]
    assert not any(each in text for each in gone)


async def test_of_who_is_forgotten_the_name_goes_from_what_they_began_unless_words_stay(sqlite_store):
    later = line(
        "помити авто",
        quote("помити авто", message_id=6, user_id=ERASED, days=4),
        quote("авто", message_id=7, user_id=HANNA, days=1),
        started_by=HANNA,
        starter="Ганна",
    )
    await put(sqlite_store, file(BEGUN, later))
    await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA, until=ago(2))
    kept = {each.text: each for each in read_context_file(await sqlite_store.get(context_path(ERASED_CHAT))).items}
    assert (kept["прибрати дах"].started_by, kept["прибрати дах"].starter) == (None, "")
    assert (kept["помити авто"].started_by, kept["помити авто"].starter) == (HANNA, "Ганна")
    await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=ERASED + 1)
    assert (await sqlite_store.get(context_path(ERASED_CHAT))).data["revision"] == 4


async def test_a_document_without_such_words_is_not_written_anew(sqlite_store):
    await put(sqlite_store, file(HIS))
    before = sqlite_store.usage.writes
    assert await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA) == 0
    assert sqlite_store.usage.writes == before


async def test_what_was_closed_goes_too_and_counts(sqlite_store):
    await put(sqlite_store, file(HIS, closed=(HERS, BOTH)))
    assert await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA) == 1
    after = read_context_file(await sqlite_store.get(context_path(ERASED_CHAT)))
    assert ({each.text for each in after.closed}, after.revision) == ({"знайти готель"}, 4)


async def test_earlier_revisions_that_quote_or_name_them_go_whole(sqlite_store):
    earlier = (file(HIS), file(HIS, HERS), file(HIS, closed=(HERS,)), file(BEGUN))
    await put(sqlite_store, file(HIS), *earlier)
    await sqlite_store.set(revision_path(ERASED_CHAT, 5), {"items": [{"no": "item"}]})
    assert await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA) == 4
    assert [document.id for document in await sqlite_store.query(revisions_path(ERASED_CHAT))] == ["000001"]


async def test_a_document_that_cannot_be_read_is_deleted(sqlite_store):
    await put(sqlite_store, file(HIS))
    await sqlite_store.set(context_path(ERASED_CHAT), {"items": [{"no": "item"}]})
    assert await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA) == 1
    assert await sqlite_store.get(context_path(ERASED_CHAT)) is None
    assert await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA) == 0


async def test_a_line_changed_by_hand_goes_with_one_of_its_quotes_and_one_without_any_stays(sqlite_store):
    changed = line("знайти дах", *BOTH.quotes, by_hand=True)
    written = line("не забути ключі", by_hand=True)
    await put(sqlite_store, file(changed, written))
    await forget_in_context(app_on(sqlite_store), ERASED_CHAT, user_id=HANNA)
    assert await left(sqlite_store) == {"не забути ключі"}


async def test_lines_by_hand_are_kept_and_deleted_ones_stay_away_until_said_anew(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    text = (await chat.context_file()).text
    kept = [line for line in text.splitlines() if "Тарас" not in line]
    edited = await edit_context_file(chat.app, await chat.read_chat(), "\n".join([*kept, "Пишемо від руки"]))
    assert "Пишемо від руки" in edited.text
    assert "Тарас" not in edited.text
    await chat.night()
    assert "Тарас" not in (await chat.context_file()).text
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    text = (await chat.context_file()).text
    assert "Тарас" in text
    assert "Пишемо від руки" in text


async def test_an_edit_straight_in_the_store_is_read_back(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    file = await chat.context_file()
    await chat.app.store.update(context_path(CHAT), {"text": file.text.replace("\n---", "\n- Сам дописав\n\n---")})
    await chat.night()
    assert "- Сам дописав\n" in (await chat.context_file()).text


async def test_an_edit_that_cannot_be_is_refused_and_changes_nothing(chat):
    await edit_context_file(chat.app, await chat.read_chat(), "## Триває\n- Ремонт даху\n")
    before, state = await chat.context_file(), await chat.read_chat()
    for text, revision in (("я" * 1_025, None), ("- рядок", 7)):
        with pytest.raises(BadEdit):
            await edit_context_file(chat.app, state, text, revision=revision)
    with pytest.raises(BadEdit, match="headings"):
        await edit_context_file(chat.app, state, "\n".join(f"- {n} {'я' * 200}" for n in range(5)))
    with pytest.raises(BadEdit):
        await edit_context_file(chat.app, state._replace(known=False), "- рядок")
    assert await chat.context_file() == before


NEW = -1_009_999


class Unasked:
    """A schedule that nobody waits for."""

    async def extraction_later(self, *args, **kwargs):
        pass

    async def job(self, *args, **kwargs):
        pass


@pytest.fixture
async def moving(chat):
    """A chat after two nights, which is about to move."""
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    portrait = {"text": "Возять драконів", "made_at": chat.app.clock.now(), "speakers": [OLYA], "facts": []}
    mark = {"at": chat.app.clock.now(), "next_at": None, "day": "2026-11-08", "by": ""}
    await chat.app.chats.change(CHAT, {"culture_summary": portrait, "nightly": {"consolidate": mark}})
    chat.having(schedule=Unasked())
    await begin_migration(chat.app, CHAT, NEW)
    return chat


async def consolidated(chat):
    return await consolidate(chat.app, await chat.app.chats.state(NEW, fresh=True))


async def test_the_next_night_keeps_every_item_with_its_quotes_under_their_new_ids(moving):
    before = await moving.context_file()
    await move_chat(moving.app, CHAT, NEW)
    done = await consolidated(moving)
    assert (done.changed, done.after.text, len(done.after.items)) == (False, before.text, 2)
    quotes = [[(migrated_message_id(q.message_id), *q[1:]) for q in item.quotes] for item in before.items]
    assert [[tuple(q) for q in item.quotes] for item in done.after.items] == quotes
    (revision,) = await read_revisions(moving.app.store, NEW)
    assert revision.items[0].quotes[0].message_id < 0
    stored = await moving.app.store.get(context_path(NEW))
    assert all(message_id < 0 for message_id in stored.data["message_ids"])


async def test_neither_marks_nor_the_portrait_are_left_under_the_old_id_or_inherited(moving):
    await move_chat(moving.app, CHAT, NEW)
    for chat_id in (CHAT, NEW):
        document = await moving.app.store.get(chat_path(chat_id))
        assert {"nightly", "culture_summary"}.isdisjoint(document.data)


async def test_a_night_that_comes_while_the_chat_moves_waits(moving):
    store = DyingStore(moving.app.store)
    store.arm(3, after=True)
    with pytest.raises(Crashed):
        await move_chat(replace(moving.app, store=store), CHAT, NEW)
    assert len((await load_context_file(moving.app.store, NEW)).items) == 2
    assert await moving.app.store.query(messages_path(NEW)) == []
    done = await consolidated(moving)
    assert (done.after.items, done.next_at) == ((), moving.app.clock.now())
    await move_chat(moving.app, CHAT, NEW)
    assert len((await consolidated(moving)).after.items) == 2


async def test_what_both_context_files_have_is_in_one(moving):
    await edit_context_file(moving.app, await moving.app.chats.state(NEW, fresh=True), "## Триває\n- Ремонт даху\n")
    await move_chat(moving.app, CHAT, NEW)
    texts = [item.text for item in (await load_context_file(moving.app.store, NEW)).items]
    assert (len(texts), "Ремонт даху" in texts) == (3, True)
    assert len((await consolidated(moving)).after.items) == 3


async def test_of_two_context_files_one_that_cannot_be_read_is_left_out_and_the_rest_moves(moving):
    nonsense = {"schema": 1, "text": "дракон", "items": ["дракон"]}
    for chat_id, items in ((NEW, 2), (CHAT, 2)):
        await moving.app.store.set(context_path(chat_id), nonsense)
        await move_chat(moving.app, CHAT, NEW)
        assert len((await load_context_file(moving.app.store, NEW)).items) == items
    assert [d async for d in moving.app.store.subtree(chat_path(CHAT))] == []
