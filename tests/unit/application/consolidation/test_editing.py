"""CONTEXT.md edited by hand."""

import pytest

from shared.application.chats.context_codec import context_path
from shared.application.consolidation import BadEdit, edit_board
from tests.support.nights import PROMISE
from tests.support.tool_chat import CHAT, TARAS


async def test_lines_by_hand_are_kept_and_deleted_ones_stay_away_until_said_anew(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    text = (await chat.board()).text
    kept = [line for line in text.splitlines() if "Тарас" not in line]
    edited = await edit_board(chat.app, await chat.read_chat(), "\n".join([*kept, "Пишемо від руки"]))
    assert "Пишемо від руки" in edited.text
    assert "Тарас" not in edited.text
    await chat.night()
    assert "Тарас" not in (await chat.board()).text
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    text = (await chat.board()).text
    assert "Тарас" in text
    assert "Пишемо від руки" in text


async def test_an_edit_straight_in_the_store_is_read_back(chat):
    await chat.said(PROMISE["uk"], TARAS, "Тарас")
    await chat.night()
    board = await chat.board()
    await chat.app.store.update(context_path(CHAT), {"text": board.text.replace("\n---", "\n- Сам дописав\n\n---")})
    await chat.night()
    assert "- Сам дописав\n" in (await chat.board()).text


async def test_an_edit_that_cannot_be_is_refused_and_changes_nothing(chat):
    await edit_board(chat.app, await chat.read_chat(), "## Триває\n- Ремонт даху\n")
    before, state = await chat.board(), await chat.read_chat()
    for text, revision in (("я" * 1_025, None), ("- рядок", 7)):
        with pytest.raises(BadEdit):
            await edit_board(chat.app, state, text, revision=revision)
    with pytest.raises(BadEdit, match="headings"):
        await edit_board(chat.app, state, "\n".join(f"- {n} {'я' * 200}" for n in range(5)))
    with pytest.raises(BadEdit):
        await edit_board(chat.app, state._replace(known=False), "- рядок")
    assert await chat.board() == before
