"""Gemini's side of tools, files and search, through the real SDK, against a strict server on this machine."""

import asyncio
from datetime import timedelta

import pytest

from infra.gemini.model import GeminiModel
from infra.gemini.uploads import INLINE_BYTES
from infra.offline import OfflineModel
from shared.application.ports.model import (
    Grounding,
    Media,
    ModelRequest,
    ModelTurn,
    Tool,
    ToolCall,
    ToolResult,
    WebSource,
)
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.support.gemini.server import CHAT_MODEL, EXTRACTION_MODEL, Calls, FakeGemini, Searched, calls

KEY = "key-of-the-test"
SUMS = Tool("sum_up", "Adds two numbers.", {"type": "object", "properties": {"a": {"type": "number"}}})
CLOCK = Tool("clock", "Tells the time.", {"type": "object", "properties": {}})
ASKED = ModelTurn("user", ("[meta] user_id=1", "скільки буде 2+2?"))
PHOTO = Media("image/jpeg", b"\xff\xd8\xffphoto", "photo.jpg")
VIDEO = Media("video/mp4", b"\x00video" * (INLINE_BYTES // 7), "круглячок.mp4")


@pytest.fixture
async def gemini():
    async with FakeGemini(KEY, require_meta=True) as fake:
        yield fake


@pytest.fixture
async def connect(gemini):
    made = []

    def make(**changes):
        defaults = {"api_key": KEY, "base_url": gemini.url, "retry_delay": timedelta(milliseconds=1)}
        names = {"chat_model": CHAT_MODEL, "extraction_model": EXTRACTION_MODEL}
        made.append(GeminiModel(**(defaults | names | changes)))
        return made[-1]

    yield make
    for adapter in made:
        await adapter.aclose()


@pytest.fixture
def model(connect):
    return connect()


def request(*turns, **changes):
    return ModelRequest(**({"purpose": "answer", "system": "Ти — Спомин.", "turns": turns or (ASKED,)} | changes))


def seen(*files):
    return request(ModelTurn("user", ("[meta] user_id=1", *files)))


async def called(model, gemini, *, tools=(SUMS, CLOCK), reply=None):
    """The conversation up to and with the model's calls."""
    gemini.reply_with(lambda _: reply or calls("sum_up", a=2))
    return await model.generate(request(tools=tools))


def answered(reply, *results, text=""):
    said = (text, *reply.calls) if text else reply.calls
    return (ASKED, ModelTurn("model", said), ModelTurn("user", results))


# --- Tools ---


async def test_tools_are_declared_with_their_schema(model, gemini):
    await model.generate(request(tools=(SUMS, CLOCK)))
    ((declared, _),) = [tool["functionDeclarations"] for tool in gemini.requests[0].body["tools"]]
    assert gemini.requests[0].tools == ["sum_up", "clock"]
    assert declared["description"] == SUMS.about
    assert SUMS.parameters in declared.values()


async def test_a_call_comes_back_with_its_arguments_id_and_signature(model, gemini):
    reply = await called(model, gemini)
    (call,) = reply.calls
    assert (call.name, call.arguments, reply.text) == ("sum_up", {"a": 2}, "")
    assert call.call_id
    assert call.signature
    assert reply.usage.total > 0


async def test_results_are_sent_after_their_calls_in_order_and_the_answer_comes(model, gemini):
    reply = await called(model, gemini, reply=Calls((("sum_up", {"a": 2}), ("clock", {})), text="Зараз порахую."))
    assert [call.signature is None for call in reply.calls] == [False, True]
    results = [ToolResult(call.name, {"output": n}, call.call_id) for n, call in enumerate(reply.calls)]
    gemini.reply_with(lambda _: "Чотири.")
    turns = answered(reply, *results, text=reply.text)
    assert (await model.generate(request(*turns, tools=(SUMS, CLOCK)))).text == "Чотири."
    sent = gemini.requests[-1]
    assert sent.called == [("sum_up", {"a": 2}), ("clock", {})]
    assert sent.results == [("sum_up", {"output": 0}), ("clock", {"output": 1})]


async def test_without_its_signature_a_call_is_refused_as_gemini_3_does(model, gemini):
    (call,) = (await called(model, gemini)).calls
    bare = ModelTurn("model", (ToolCall(call.name, call.arguments, call.call_id),))
    turns = (ASKED, bare, ModelTurn("user", (ToolResult(call.name, {}, call.call_id),)))
    with pytest.raises(ModelRefused, match="missing a thought_signature"):
        await model.generate(request(*turns, tools=(SUMS,)))


async def test_a_call_without_a_result_is_refused(model, gemini):
    reply = await called(model, gemini, reply=Calls((("sum_up", {}), ("clock", {}))))
    turns = answered(reply, ToolResult("sum_up", {}, reply.calls[0].call_id))
    with pytest.raises(ModelRefused, match="number of function response parts"):
        await model.generate(request(*turns, tools=(SUMS,)))


async def test_calls_can_be_forbidden_while_earlier_ones_stay_explained(model, gemini):
    reply = await called(model, gemini)
    turns = answered(reply, ToolResult("sum_up", {"output": 4}, reply.calls[0].call_id))
    gemini.reply_with(lambda sent: calls("sum_up") if sent.may_call else "Чотири.")
    assert (await model.generate(request(*turns, tools=(SUMS,), may_call=False))).text == "Чотири."
    assert gemini.requests[-1].tools == ["sum_up"]


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
async def test_a_bungled_call_is_followed_by_an_answer_without_calls(model, gemini, reason):
    gemini.finish_next(reason)
    gemini.reply_with(lambda sent: calls("sum_up") if sent.may_call else "Чотири.")
    reply = await model.generate(request(tools=(SUMS,)))
    assert (reply.text, reply.calls, len(gemini.requests)) == ("Чотири.", (), 2)


async def test_a_model_that_calls_although_it_may_not_is_refused(model, gemini):
    gemini.finish_next("UNEXPECTED_TOOL_CALL")
    with pytest.raises(ModelRefused, match="UNEXPECTED_TOOL_CALL"):
        await model.generate(request(tools=(SUMS,), may_call=False))


@pytest.mark.parametrize("call", [{"args": {}}, {"name": "", "args": {}}])
async def test_a_call_without_a_name_is_an_unreadable_answer(model, gemini, call):
    content = {"role": "model", "parts": [{"functionCall": call, "thoughtSignature": "AAAA"}]}
    gemini.send_next({"candidates": [{"content": content, "finishReason": "STOP"}]})
    with pytest.raises(ModelUnavailable, match="could not be read"):
        await model.generate(request(tools=(SUMS,)))


async def test_a_call_without_arguments_has_none(model, gemini):
    content = {"role": "model", "parts": [{"functionCall": {"name": "clock"}, "thoughtSignature": "AAAA"}]}
    gemini.send_next({"candidates": [{"content": content, "finishReason": "STOP"}]})
    (call,) = (await model.generate(request(tools=(CLOCK,)))).calls
    assert (call.name, call.arguments, call.call_id) == ("clock", {}, "")


async def test_without_a_model_tools_are_ignored():
    grounding = Grounding(question="котра година?", language="uk")
    reply = await OfflineModel().generate(request(tools=(CLOCK,), grounding=grounding))
    assert reply.text
    assert reply.calls == ()


# --- Search ---


async def test_a_search_is_googles_own_tool_and_its_pages_come_with_the_answer(model, gemini):
    pages = (("Вікіпедія", "https://uk.wikipedia.example/1"), ("BBC", "https://bbc.example/2"))
    gemini.reply_with(lambda _: Searched("Так.", (*pages, pages[0])))
    reply = await model.generate(request(purpose="search", web_search=True))
    assert gemini.requests[0].tools == ["google_search"]
    assert reply.text == "Так."
    assert reply.sources == tuple(WebSource(title, url) for title, url in pages)


@pytest.mark.parametrize(
    "metadata", [{}, {"groundingChunks": []}, {"groundingChunks": [{}, {"web": {"title": "без адреси"}}]}]
)
async def test_pages_without_an_address_are_left_out(model, gemini, metadata):
    content = {"role": "model", "parts": [{"text": "Так."}]}
    gemini.send_next({"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": metadata}]})
    assert (await model.generate(request(web_search=True))).sources == ()


# --- Files ---


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


async def test_only_what_does_not_fit_is_uploaded_the_largest_first(model, gemini):
    half = INLINE_BYTES * 3 // 8
    files = [Media("image/png", b"1" * half, "1"), Media("audio/ogg", b"2" * (half - 9), "2"), PHOTO]
    await model.generate(request(ModelTurn("user", ("[meta] user_id=1", *files))))
    (sent,) = gemini.requests
    assert [kind for kind, _ in sent.media] == ["audio/ogg", "image/jpeg"]
    assert [kind for kind, _ in gemini.files.uploaded] == ["image/png"]


async def test_one_file_in_two_turns_is_uploaded_once(model, gemini):
    turn = ModelTurn("user", ("[meta] user_id=1", VIDEO))
    await model.generate(request(turn, ModelTurn("model", ("бачу",)), turn))
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
            await connect(timeout=timedelta(seconds=0.6)).generate(seen(VIDEO))
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


async def test_signatures_of_every_round_go_back_with_calls_made_at_once(model, gemini):
    gemini.reply_with(lambda _: Calls((("sum_up", {"a": 1}), ("clock", {}))))
    turns = [ASKED]
    for _ in range(3):
        reply = await model.generate(request(*turns, tools=(SUMS, CLOCK)))
        results = tuple(ToolResult(call.name, {"ok": 3}, call.call_id) for call in reply.calls)
        turns += [ModelTurn("model", reply.calls), ModelTurn("user", results)]
    gemini.reply_with(lambda _: "Разом шість.")
    assert (await model.generate(request(*turns, tools=(SUMS, CLOCK)))).text == "Разом шість."
    assert len(gemini.requests[-1].called) == 6


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_neither_a_key_nor_an_address_is_in_an_error(model, gemini, status):
    said = (
        "File https://generativelanguage.googleapis.com/v1/files/abc of consumer api_key:AIzaSyD-1_x and AIzaSyD-1_x."
    )
    gemini.fail_next(status, message=said)
    with pytest.raises((ModelRefused, ModelUnavailable)) as caught:
        await model.generate(request())
    assert not any(secret in str(caught.value) for secret in ("AIza", "https:", "abc"))
