"""Photos, voice, stickers and documents are shown to the model with the question that they belong to."""

import asyncio
from dataclasses import replace

import pytest

from infra.sqlite import SqliteStore
from shared.application.chats.chat_codec import ChatState
from shared.application.conversation.media import (
    LONGEST_WAIT,
    MediaDescription,
    media_description_fields,
    media_parts,
    read_media_description,
)
from shared.application.documents import chat_path, message_path
from shared.application.ports.store import Document
from shared.domain.conversation.messages import MediaFile
from tests.support import updates
from tests.support.builders import at
from tests.support.group import CHAT, running_group
from tests.support.media import VOTE, answer_of, group_with_files, photo, png, sticker, voice
from tests.support.talk import said

OLIA, TARAS, MARKO = (101, "Оля"), (102, "Тарас"), (103, "Марко")


def shown_to(request):
    """Our lines about files in the turn that asks."""
    return [text for text in request.turns[-1][1] if text.startswith("[meta] file")]


@pytest.mark.parametrize("question", ["гряг, що на фото?", "gryag, what is in the photo?"])
async def test_a_photo_goes_to_the_model_with_the_question_in_its_caption(gallery, gemini, question):
    await gallery.say(None, *OLIA, **photo(), caption=question)
    request = gemini.requests[-1]
    assert request.media == [("image/png", png())]
    assert f"[photo] {question}" in request.prompt
    assert shown_to(request) == ["[meta] file message_id=1 kind=photo"]
    assert gallery.answers == ["Бачу торт."]


async def test_what_the_question_replies_to_is_shown_however_old_it_is(gallery, gemini):
    sent = await gallery.say(None, *OLIA, **voice())
    for i in range(40):
        await gallery.store.set(
            message_path(CHAT, 100 + i), {**(await gallery.messages())[0], "message_id": 100 + i, "media": None}
        )
    await gallery.say("гряг, що вона каже?", *MARKO, message_id=200, reply_to_message=sent["message"])
    assert gemini.requests[-1].media == [("audio/ogg", VOTE)]
    assert shown_to(gemini.requests[-1]) == ["[meta] file message_id=1 kind=voice"]


async def test_the_rest_of_the_album_is_shown_too_in_its_order(either_gallery, gemini):
    group = either_gallery
    for shade in (1, 2, 3):
        group.api.files.add(f"a{shade}", png(shade))
        sent = await group.say(None, *OLIA, **photo(f"a{shade}"), media_group_id="7")
    await group.say(None, *TARAS, **photo(), media_group_id="8")
    await group.say("гряг, що тут?", *MARKO, reply_to_message=sent["message"])
    assert [body for _, body in gemini.requests[-1].media] == [png(3), png(1), png(2)]


async def test_an_album_that_asks_waits_for_its_other_pictures(gallery, gemini):
    gallery.api.files.add("second", png(2))
    second = gallery.says(None, *OLIA, message_id=2, **photo("second"), media_group_id="7")
    assert await gallery.deliver(second) == 200
    await gallery.say(None, *OLIA, message_id=1, **photo(), media_group_id="7", caption="гряг, яка краща?")
    assert [body for _, body in gemini.requests[-1].media] == [png(), png(2)]


async def test_a_reply_within_an_album_shows_each_picture_once(gallery, gemini):
    gallery.api.files.add("first", png(1))
    first = await gallery.say(None, *OLIA, **photo("first"), media_group_id="7")
    reply = {"reply_to_message": first["message"]}
    await gallery.say(None, *OLIA, **photo(), media_group_id="7", caption="гряг, яка краща?", **reply)
    assert [body for _, body in gemini.requests[-1].media] == [png(), png(1)]


async def test_a_question_without_a_file_costs_no_read_and_no_download(gallery, gemini):
    await gallery.say(None, *OLIA, **photo())
    await gallery.say("гряг, привіт", *MARKO)
    assert gemini.requests[-1].media == []
    assert gallery.api.files.downloads == []


class Trickling:
    """A chat service whose files take twenty seconds."""

    async def download(self, file_id, *, limit_bytes):
        await asyncio.sleep(20)


async def test_a_file_that_trickles_in_is_not_shown(gallery):
    app, now = gallery.runtime.app, asyncio.get_running_loop().time
    message = said("гряг, що на фото?", kind="photo", media=MediaFile("cake", "u-cake", file_size=70))
    begun = now()
    (line,) = await media_parts(replace(app, gateway=Trickling()), ChatState(CHAT), message)
    assert line.endswith('not_shown="could not be fetched"')
    assert LONGEST_WAIT <= now() - begun < 2 * LONGEST_WAIT


ZIP = {"file_id": "zip", "file_unique_id": "z", "file_name": 'архів".zip', "mime_type": "application/zip"}


@pytest.mark.parametrize(
    ("media", "prepare", "why"),
    [
        (photo("unknown"), lambda _: None, 'kind=photo not_shown="no longer there"'),
        (photo("big"), lambda api: api.files.add("big", b"", size=21_000_000), 'kind=photo not_shown="too large"'),
        (photo("html"), lambda api: api.files.add("html", b"<html>"), 'kind=photo not_shown="of a kind that'),
        (photo(), lambda api: api.fail_next("download", status=500), 'kind=photo not_shown="could not be fetched"'),
        (photo(), lambda api: api.fail_next("getFile", cut="before"), 'kind=photo not_shown="could not be fetched"'),
        (voice(seconds=901), lambda _: None, 'kind=voice not_shown="too long"'),
        ({"document": ZIP}, lambda _: None, 'kind=document name="архів\\".zip" not_shown="of a kind that'),
        (sticker(is_animated=True), lambda _: None, 'kind=sticker name="🥦" not_shown="of a kind that'),
    ],
)
async def test_what_cannot_be_shown_is_named_and_the_answer_still_comes(gallery, gemini, media, prepare, why):
    sent = await gallery.say(None, *OLIA, **media)
    prepare(gallery.api)
    await gallery.say("гряг, що це?", *MARKO, reply_to_message=sent["message"])
    assert gemini.requests[-1].media == []
    (line,) = shown_to(gemini.requests[-1])
    assert line.startswith(f"[meta] file message_id=1 {why}")
    assert gallery.answers == ["Бачу торт."]


async def test_a_moving_sticker_is_shown_by_its_small_picture(gallery, gemini):
    gallery.api.files.add("small", png(9))
    small = {"file_id": "small", "file_unique_id": "s", "width": 9, "height": 9}
    sent = await gallery.say(None, *OLIA, **sticker(is_video=True, thumbnail=small))
    await gallery.say("gryag, what is this?", *MARKO, reply_to_message=sent["message"])
    assert gemini.requests[-1].media == [("image/png", png(9))]
    assert shown_to(gemini.requests[-1]) == [
        '[meta] file message_id=1 kind=sticker name="🥦" shown="only a still picture of it"'
    ]


async def test_files_that_do_not_fit_together_are_named(sqlite_store, gemini):
    gemini.reply_with(answer_of)
    async with group_with_files(sqlite_store, gemini, MEDIA_MEGABYTES="1") as group:
        group.api.files.add("pdf", b"%PDF-1.7" + bytes(900_000))
        group.api.files.add("more", b"%PDF-1.7" + bytes(900_000))
        pdf = {"file_id": "pdf", "file_unique_id": "p", "mime_type": "application/pdf"}
        sent = await group.say(None, *OLIA, document={**pdf, "file_id": "more"})
        await group.say(None, *MARKO, document=pdf, caption="гряг, чим різняться?", reply_to_message=sent["message"])
        assert [(kind, len(body)) for kind, body in gemini.requests[-1].media] == [("application/pdf", 900_008)]
        assert shown_to(gemini.requests[-1])[1].endswith('message_id=1 kind=document not_shown="too large"')


async def test_nothing_is_fetched_from_members_who_opted_out_or_without_a_model(gallery, gemini, tmp_path):
    sent = await gallery.say(None, *OLIA, **photo())
    await gallery.store.upsert(chat_path(CHAT), {"opted_out": [OLIA[0]]})
    gallery.runtime.app.chats.forget(CHAT)
    await gallery.say("гряг, що це?", *MARKO, reply_to_message=sent["message"])
    assert gemini.requests[-1].media == []
    store = SqliteStore(tmp_path / "offline.db")
    async with running_group(store) as offline:
        await offline.say(None, *OLIA, **photo(), caption="гряг, що це?")
        assert "без мовної моделі" in offline.answers[-1]
        assert offline.api.files.downloads == []
    await store.aclose()


async def test_a_voice_message_in_private_is_a_question(gallery, gemini):
    gallery.api.add_chat(101, "private")
    await gallery.say(None, *OLIA, **voice(), chat=updates.chat(101))
    assert gemini.requests[-1].media == [("audio/ogg", VOTE)]
    assert gallery.answers == ["Бачу торт."]


def test_what_is_written_is_read_back():
    told = MediaDescription("Кіт махає лапою", "sticker", 101, 7, at(1), at(2))
    assert read_media_description(Document("chats/-1/media/u", media_description_fields(told))) == told
