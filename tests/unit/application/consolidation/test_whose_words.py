"""Words that may no longer be kept leave CONTEXT.md and everything that it was before."""

import pytest

from shared.application.chats.context_codec import context_path
from shared.application.consolidation.changing import forget_in_context
from shared.application.documents import chat_path, message_path
from shared.application.forgetting.forget import reset_chat_facts
from tests.support.nights import PROMISE, meanwhile
from tests.support.tool_chat import CHAT, OLYA, TARAS


@pytest.mark.parametrize("change", ["erased", "edited", "opted out", "reset", "private since"])
async def test_an_item_goes_with_the_words_that_it_rests_on(chat, change):
    promised = await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    assert (await chat.context_file()).items
    path = message_path(CHAT, promised.message_id)
    if change == "erased":
        await chat.app.store.delete(path)
    elif change == "edited":
        await chat.app.store.update(path, {"text": "Я нічого не обіцяв"})
    elif change == "private since":
        await chat.app.store.update(path, {"chunk": "private"})
    else:
        value = {"opted_out": [TARAS]} if change == "opted out" else {"learn_from": chat.app.clock.now()}
        await chat.app.chats.change(CHAT, value)
    await chat.night()
    file = await chat.context_file()
    assert (file.items, file.text) == ((), "")


async def test_forgetting_reaches_items_closed_ones_and_revisions(chat):
    await chat.said("Я забронюю квитки до Львова", TARAS, "Тарас")
    await chat.night()
    await chat.said("Забронював квитки!", TARAS, "Тарас")
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    file = await chat.context_file()
    assert file.closed
    assert file.items
    assert await forget_in_context(chat.app, CHAT, user_id=TARAS) == 2  # the closed one and the first revision
    documents = [document async for document in chat.app.store.subtree(chat_path(CHAT))]
    context = repr([document for document in documents if "/context/" in document.path])
    assert "Львова" not in context
    assert "дракона" in context
    assert await forget_in_context(chat.app, CHAT, user_id=TARAS) == 0
    (item,) = (await chat.context_file()).items
    assert await forget_in_context(chat.app, CHAT, message_ids=[item.quotes[0].message_id]) == 1
    assert "дракона" not in repr(await chat.app.store.get(context_path(CHAT)))


async def test_a_line_of_several_members_stays_when_the_others_say_all_of_it(chat):
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    await chat.said("Так, я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    (item,) = (await chat.context_file()).items
    assert len(item.quotes) == 2
    await forget_in_context(chat.app, CHAT, message_ids=[item.quotes[0].message_id])
    left = (await chat.context_file()).items
    assert not left or left[0].quotes == item.quotes[1:]


async def test_a_consolidation_that_runs_while_somebody_is_forgotten_does_not_bring_their_words_back(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    await chat.said("Я куплю дракона на ярмарку", TARAS, "Тарас")

    async def forget(store):
        for message_id in (1, 2):
            await store.delete(message_path(CHAT, message_id))
        await forget_in_context(chat.app, CHAT, user_id=TARAS)

    await meanwhile(chat, forget)
    assert "дракона" not in repr(await chat.app.store.get(context_path(CHAT)))
    assert "Львова" not in repr(await chat.app.store.get(context_path(CHAT)))


async def test_forgetting_keeps_lines_by_hand_but_not_those_that_were_words_of_the_forgotten(chat):
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    file = await chat.context_file()
    assert "дракона" in file.text
    text = file.text.replace("дракона", "дракона (зеленого)").replace("\n---", "\n- Сам дописав\n\n---")
    await chat.app.store.update(context_path(CHAT), {"text": text})
    await forget_in_context(chat.app, CHAT, user_id=OLYA)
    file = await chat.context_file()
    assert [item.text for item in file.items] == ["Сам дописав"]
    left = [document async for document in chat.app.store.subtree(chat_path(CHAT)) if "/context/" in document.path]
    assert left
    assert "дракона" not in repr(left)


async def test_a_document_that_cannot_be_read_is_forgotten_whole(chat):
    for path in (context_path(CHAT), f"{context_path(CHAT)}/revisions/000001"):
        await chat.app.store.set(path, {"schema": 1, "text": "дракон", "items": ["дракон"]})
    assert await forget_in_context(chat.app, CHAT, user_id=OLYA) == 2
    assert "дракон" not in repr([document async for document in chat.app.store.subtree(chat_path(CHAT))])


async def test_a_reset_takes_what_was_said_before_it_at_once_with_all_that_was_there_before(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    await chat.said("Я куплю дракона на ярмарку", OLYA, "Оля")
    await chat.night()
    file = await chat.context_file()
    assert file.revision == 2
    text = file.text.replace("\n---", "\n- Сам дописав\n\n---")
    await chat.app.store.update(context_path(CHAT), {"text": text})
    portrait = {"text": "Возять квитки і драконів", "made_at": chat.app.clock.now(), "speakers": [OLYA]}
    await chat.app.chats.change(CHAT, {"culture_summary": portrait})
    await reset_chat_facts(chat.app, CHAT)
    assert [item.text for item in (await chat.context_file()).items] == ["Сам дописав"]
    left = [await chat.app.store.get(chat_path(CHAT)), *[d async for d in chat.app.store.subtree(context_path(CHAT))]]
    left.append(await chat.app.store.get(context_path(CHAT)))
    assert "Сам дописав" in repr(left)
    assert "Львова" not in repr(left)
    assert "дракон" not in repr(left)
    await chat.said("Я напишу звіт", TARAS, "Тарас")
    await chat.night()
    assert len(await chat.texts()) == 2
