"""Taking words out of CONTEXT.md: whose lines go, which stay, and what of them is kept in earlier revisions."""

import pytest

from shared.application.chats.context_codec import context_path, revision_path, revisions_path
from shared.application.consolidation.board_codec import StoredBoard, board_fields, read_stored_board
from shared.application.consolidation.erasing import forget_in_context
from shared.application.documents import chat_path
from shared.domain.consolidation import render
from tests.support.exports import app_on
from tests.unit.domain.consolidation.boards import KYIV, NIGHT, ago, item, quote

CHAT, HANNA, TARAS = -1001, 104, 102


def line(text, *quotes, **more):
    return item(text, quotes=quotes, **{"started_by": None, "starter": ""} | more)


HERS = line("забронювати квитки", quote("забронювати квитки", message_id=1, user_id=HANNA, days=5))
HIS = line("купити шашлик", quote("купити шашлик", message_id=2, user_id=TARAS, days=3))
BOTH = line(
    "знайти готель",
    quote("знайти готель", message_id=3, user_id=TARAS, days=3),
    quote("готель", message_id=4, user_id=HANNA, days=2),
)
BEGUN = line("прибрати дах", quote("прибрати дах", message_id=5, user_id=TARAS), started_by=HANNA, starter="Ганна")


def board(*items, closed=(), revision=3):
    text = render(items, language="uk", updated_at=NIGHT, zone=KYIV)
    return StoredBoard(revision, text, tuple(items), tuple(closed), updated_at=NIGHT)


async def put(store, present, *earlier):
    await store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT, "type": "group", "title": ""})
    await store.set(context_path(CHAT), board_fields(present))
    for number, each in enumerate(earlier, 1):
        await store.set(revision_path(CHAT, number), board_fields(each))


async def left(store):
    return {each.text for each in read_stored_board(await store.get(context_path(CHAT))).items}


TEXTS = {"забронювати квитки", "купити шашлик", "знайти готель", "прибрати дах"}


@pytest.mark.parametrize(
    ("what", "gone"),
    [
        ({"user_id": HANNA}, {"забронювати квитки"}),
        ({"user_id": HANNA, "until": ago(5)}, {"забронювати квитки"}),
        ({"user_id": HANNA, "until": ago(6)}, set()),
        ({"user_id": TARAS}, {"купити шашлик", "знайти готель", "прибрати дах"}),
        ({"message_ids": {2}}, {"купити шашлик"}),
        ({"message_ids": {3}}, {"знайти готель"}),
        ({"message_ids": {4}}, set()),
        ({"before": ago(3)}, {"забронювати квитки"}),
        ({"before": ago(2.5)}, {"забронювати квитки", "купити шашлик", "знайти готель"}),
        ({}, set()),
    ],
)
async def test_a_line_goes_when_what_is_left_of_its_quotes_does_not_say_it(sqlite_store, what, gone):
    await put(sqlite_store, board(HERS, HIS, BOTH, BEGUN))
    assert await forget_in_context(app_on(sqlite_store), CHAT, **what) == len(gone)
    assert await left(sqlite_store) == TEXTS - gone
    text = (await sqlite_store.get(context_path(CHAT))).data["text"]
    assert not any(each in text for each in gone)


async def test_of_who_is_forgotten_the_name_goes_from_what_they_began_unless_words_stay(sqlite_store):
    later = line(
        "помити авто",
        quote("помити авто", message_id=6, user_id=TARAS, days=4),
        quote("авто", message_id=7, user_id=HANNA, days=1),
        started_by=HANNA,
        starter="Ганна",
    )
    await put(sqlite_store, board(BEGUN, later))
    await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA, until=ago(2))
    kept = {each.text: each for each in read_stored_board(await sqlite_store.get(context_path(CHAT))).items}
    assert (kept["прибрати дах"].started_by, kept["прибрати дах"].starter) == (None, "")
    assert (kept["помити авто"].started_by, kept["помити авто"].starter) == (HANNA, "Ганна")
    await forget_in_context(app_on(sqlite_store), CHAT, user_id=TARAS + 1)
    assert (await sqlite_store.get(context_path(CHAT))).data["revision"] == 4


async def test_a_document_without_such_words_is_not_written_anew(sqlite_store):
    await put(sqlite_store, board(HIS))
    before = sqlite_store.usage.writes
    assert await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA) == 0
    assert sqlite_store.usage.writes == before


async def test_what_was_closed_goes_too_and_counts(sqlite_store):
    await put(sqlite_store, board(HIS, closed=(HERS, BOTH)))
    assert await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA) == 1
    after = read_stored_board(await sqlite_store.get(context_path(CHAT)))
    assert ({each.text for each in after.closed}, after.revision) == ({"знайти готель"}, 4)


async def test_earlier_revisions_that_quote_or_name_them_go_whole(sqlite_store):
    earlier = (board(HIS), board(HIS, HERS), board(HIS, closed=(HERS,)), board(BEGUN))
    await put(sqlite_store, board(HIS), *earlier)
    await sqlite_store.set(revision_path(CHAT, 5), {"items": [{"no": "item"}]})
    assert await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA) == 4
    assert [document.id for document in await sqlite_store.query(revisions_path(CHAT))] == ["000001"]


async def test_a_document_that_cannot_be_read_is_deleted(sqlite_store):
    await put(sqlite_store, board(HIS))
    await sqlite_store.set(context_path(CHAT), {"items": [{"no": "item"}]})
    assert await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA) == 1
    assert await sqlite_store.get(context_path(CHAT)) is None
    assert await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA) == 0


async def test_a_line_changed_by_hand_goes_with_one_of_its_quotes_and_one_without_any_stays(sqlite_store):
    changed = line("знайти дах", *BOTH.quotes, by_hand=True)
    written = line("не забути ключі", by_hand=True)
    await put(sqlite_store, board(changed, written))
    await forget_in_context(app_on(sqlite_store), CHAT, user_id=HANNA)
    assert await left(sqlite_store) == {"не забути ключі"}
