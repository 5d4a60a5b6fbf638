"""Files that go along: inside the request or uploaded, waited for, named and deleted."""

import asyncio
from datetime import timedelta

import pytest

from infra.gemini.model import GeminiModel
from infra.gemini.uploads import INLINE_BYTES
from shared.application.ports.model import Media, ModelTurn
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.support.gemini.adapters import asked

PHOTO = Media("image/jpeg", b"\xff\xd8\xffphoto", "photo.jpg")
VIDEO = Media("video/mp4", b"\x00video" * (INLINE_BYTES // 7), "круглячок.mp4")


def seen(*files, **changes):
    return asked(ModelTurn("user", ("[meta] user_id=1", *files)), **changes)


async def test_a_small_file_travels_inside_the_request(model, gemini):
    await model.generate(seen(PHOTO))
    (sent,) = gemini.requests
    assert sent.media == [("image/jpeg", PHOTO.data)]
    assert gemini.files.uploaded == []


async def test_a_large_file_is_uploaded_waited_for_named_and_deleted(model, gemini):
    gemini.files.looks = 2
    await model.generate(seen(VIDEO))
    (sent,) = gemini.requests
    assert (sent.media, len(sent.files)) == ([], 1)
    assert gemini.files.uploaded == [("video/mp4", VIDEO.data)]
    assert gemini.files.held == {}
    assert gemini.files.names == []


async def test_a_large_file_is_not_uploaded_for_a_tier_that_may_refuse_it(model, gemini):
    gemini.flex = 503
    await model.generate(seen(VIDEO, tier="extraction"))
    assert [sent.body.get("serviceTier") for sent in gemini.requests] == [None]


async def test_only_what_does_not_fit_is_uploaded_the_largest_first(model, gemini):
    half = INLINE_BYTES * 3 // 8
    files = [Media("image/png", b"1" * half, "1"), Media("audio/ogg", b"2" * (half - 9), "2"), PHOTO]
    await model.generate(asked(ModelTurn("user", ("[meta] user_id=1", *files))))
    (sent,) = gemini.requests
    assert [kind for kind, _ in sent.media] == ["audio/ogg", "image/jpeg"]
    assert [kind for kind, _ in gemini.files.uploaded] == ["image/png"]


async def test_one_file_in_two_turns_is_uploaded_once(model, gemini):
    turn = ModelTurn("user", ("[meta] user_id=1", VIDEO))
    await model.generate(asked(turn, ModelTurn("model", ("бачу",)), turn))
    assert len(gemini.files.uploaded) == 1
    assert len(set(gemini.requests[0].files)) == 1


async def test_a_file_that_google_cannot_read_is_a_refusal_and_is_deleted(model, gemini):
    gemini.files.unreadable = True
    with pytest.raises(ModelRefused, match="video/mp4"):
        await model.generate(seen(VIDEO))
    assert gemini.files.held == {}
    assert gemini.requests == []


async def test_a_file_that_is_never_ready_ends_at_the_deadline_and_is_deleted(connect, gemini):
    gemini.files.looks = 10_000
    with pytest.raises(ModelUnavailable, match=r"within 0\.6 s"):
        async with asyncio.timeout(60):
            await connect(GeminiModel, timeout=timedelta(seconds=0.6)).generate(seen(VIDEO))
    assert gemini.files.held == {}


async def test_a_failed_answer_leaves_no_file_behind(model, gemini):
    gemini.fail_next(400)
    with pytest.raises(ModelRefused):
        await model.generate(seen(VIDEO))
    assert gemini.files.held == {}


@pytest.mark.parametrize(("status", "kind"), [(429, ModelUnavailable), (503, ModelUnavailable), (400, ModelRefused)])
async def test_an_upload_that_fails_is_the_models_failure(model, gemini, status, kind):
    gemini.files.fail_next(status, times=9)
    with pytest.raises(kind):
        await model.generate(seen(VIDEO))
    assert gemini.requests == []


async def test_a_file_that_expires_meanwhile_is_unavailable_and_the_key_is_not_blamed(model, gemini):
    gemini.files.looks = 0
    gemini.lose_files_next()
    with pytest.raises(ModelUnavailable, match="lost a file"):
        await model.generate(seen(VIDEO))


async def test_an_answer_comes_although_the_file_cannot_be_deleted(model, gemini, caplog):
    gemini.files.looks = 0

    def reply(_):
        gemini.files.fail_next(500, times=9)
        return "Бачу відео."

    gemini.reply_with(reply)
    assert (await model.generate(seen(VIDEO))).text == "Бачу відео."
    assert "left for Google to delete" in caplog.text


async def test_a_file_that_cannot_be_deleted_keeps_no_other(model, gemini):
    other = Media("video/mp4", b"2" * len(VIDEO.data), "other")
    gemini.files.looks = 0

    def reply(_):
        gemini.files.fail_next(404)
        return "Бачу обидва."

    gemini.reply_with(reply)
    assert (await model.generate(seen(VIDEO, other))).text == "Бачу обидва."
    assert len(gemini.files.uploaded) == 2
    assert len(gemini.files.held) == 1
