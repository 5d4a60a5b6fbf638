"""Who asks sees that an answer is being made: it grows in a private chat, and somebody types in a group."""

import asyncio
from datetime import timedelta

import pytest

from shared.application.answering.progress import show_progress
from shared.application.forgetting.forget import forget_member
from shared.domain.errors import ChatUnavailable, MessageRejected
from tests.support import updates
from tests.support.builders import message

PERSON = 101


class Shown:
    """A way into the chat that notes what it is to show."""

    def __init__(self, refusal=None):
        self.drafts = []
        self.typing = 0
        self._refusal = refusal

    async def show_draft(self, chat_id, draft_id, text, *, thread_id=None):
        if self._refusal is not None:
            raise self._refusal
        self.drafts.append((chat_id, draft_id, text))

    async def show_typing(self, chat_id, *, thread_id=None):
        self.typing += 1


async def test_in_a_private_chat_the_answer_grows(monkeypatch):
    monkeypatch.setattr("shared.application.answering.progress.DRAFT_PAUSE", 0.01)
    shown = Shown()

    async def until(drafts):
        async with asyncio.timeout(30):
            while len(shown.drafts) < drafts:
                await asyncio.sleep(0.005)

    async with show_progress(shown, message("?", chat_id=PERSON), 77) as progress:
        await until(1)
        progress.text = "**Намет**"
        await until(2)
        progress.text = "**Намет** у Тараса, tg://user?id=1"
        await until(3)
    assert shown.drafts == [(PERSON, 77, ""), (PERSON, 77, "Намет"), (PERSON, 77, "Намет у Тараса, tg:user?id=1")]
    assert shown.typing == 0


async def test_in_a_group_somebody_types():
    shown = Shown()
    async with show_progress(shown, message("?", chat_id=-1001), 77):
        await asyncio.sleep(0.01)
    assert (shown.drafts, shown.typing) == ([], 1)


@pytest.mark.parametrize("chat_id", [PERSON, -1001])
async def test_what_could_not_be_shown_for_a_moment_is_shown_the_next_time(monkeypatch, chat_id):
    for pause in ("TYPING_LASTS", "DRAFT_PAUSE"):
        monkeypatch.setattr(f"shared.application.answering.progress.{pause}", 0.001)
    failures, again = [ChatUnavailable("500"), ChatUnavailable("429", retry_after=0.002)], asyncio.Event()

    class Failing:
        async def show_typing(self, *_, **__):
            if failures:
                raise failures.pop()
            again.set()

        show_draft = show_typing

    async with show_progress(Failing(), message("?", chat_id=chat_id), 77):
        await asyncio.wait_for(again.wait(), 5)
    assert failures == []


async def test_where_the_server_is_too_old_for_drafts_somebody_types_in_a_private_chat(minded, gemini):
    minded.api.add_chat(PERSON, "private")
    minded.api.too_old_for.append("sendMessageDraft")
    for _ in range(2):
        gemini.delay_next(0.1)
        await minded.say("у кого намет?", chat=updates.chat(PERSON))
    shown = [c.method for c in minded.api.calls if c.method in ("sendMessageDraft", "sendChatAction")]
    assert shown == ["sendMessageDraft", "sendChatAction", "sendChatAction"]


@pytest.mark.parametrize(("refusal", "typing"), [(MessageRejected("no drafts here"), 1), (ChatUnavailable("away"), 0)])
async def test_what_cannot_be_shown_never_stops_an_answer(refusal, typing):
    shown = Shown(refusal)
    async with show_progress(shown, message("?", chat_id=PERSON), 77):
        await asyncio.sleep(0.01)
    assert shown.typing == typing


async def test_a_draft_of_the_models_words_is_shown_and_the_answer_is_sent_by_itself(minded, gemini):
    minded.api.add_chat(PERSON, "private")
    gemini.reply_with(lambda _: "Намет у Тараса [#77].")
    gemini.delay_next(0.1)
    await minded.say("у кого намет?", chat=updates.chat(PERSON))
    drafts = [call.params for call in minded.api.calls if call.method == "sendMessageDraft"]
    assert drafts[0]["text"] == ""
    assert all("[#77]" not in draft["text"] for draft in drafts)
    assert [sent.text for sent in minded.api.sent] == ["Намет у Тараса."]


async def test_a_draft_retells_nobody_who_was_forgotten(minded, gemini):
    """What the model makes of a retelling is thrown away at the end: it must not be seen growing before."""
    minded.api.add_chat(PERSON, "private")
    chat = updates.chat(PERSON)
    await minded.say("я скрипалька, граю в опері щовечора", name="Ярина Мельник", chat=chat)
    await forget_member(minded.runtime.app, PERSON, PERSON)
    minded.clock.advance(timedelta(minutes=5))
    gemini.reply_with(lambda _: "Ярина Мельник — скрипалька, грає в опері щовечора.")
    gemini.delay_next(0.1)
    await minded.say("хто тут грає?", name="Гість", chat=chat)
    drafts = [call.params["text"] for call in minded.api.calls if call.method == "sendMessageDraft"]
    assert drafts
    assert not any("скрипал" in text for text in [*drafts, *minded.answers])
