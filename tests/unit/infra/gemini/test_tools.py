"""Tools and search of Gemini, through the real SDK, against a strict server on this machine."""

import pytest

from shared.application.ports.model import (
    ModelTurn,
    Tool,
    ToolCall,
    ToolResult,
    WebSource,
)
from shared.domain.errors import ModelRefused, ModelUnavailable
from tests.support.gemini.adapters import ASKED, asked
from tests.support.gemini.server import Calls, Searched, calls

SUMS = Tool("sum_up", "Adds two numbers.", {"type": "object", "properties": {"a": {"type": "number"}}})
CLOCK = Tool("clock", "Tells the time.", {"type": "object", "properties": {}})


async def called(model, gemini, *, tools=(SUMS, CLOCK), reply=None):
    """The conversation up to and with the model's calls."""
    gemini.reply_with(lambda _: reply or calls("sum_up", a=2))
    return await model.generate(asked(tools=tools))


def answered(reply, *results, text=""):
    said = (text, *reply.calls) if text else reply.calls
    return (ASKED, ModelTurn("model", said), ModelTurn("user", results))


# --- Tools ---


async def test_tools_are_declared_with_their_schema(model, gemini):
    await model.generate(asked(tools=(SUMS, CLOCK)))
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
    assert (await model.generate(asked(*turns, tools=(SUMS, CLOCK)))).text == "Чотири."
    sent = gemini.requests[-1]
    assert sent.called == [("sum_up", {"a": 2}), ("clock", {})]
    assert sent.results == [("sum_up", {"output": 0}), ("clock", {"output": 1})]


async def test_without_its_signature_a_call_is_refused_as_gemini_3_does(model, gemini):
    (call,) = (await called(model, gemini)).calls
    bare = ModelTurn("model", (ToolCall(call.name, call.arguments, call.call_id),))
    turns = (ASKED, bare, ModelTurn("user", (ToolResult(call.name, {}, call.call_id),)))
    with pytest.raises(ModelRefused, match="missing a thought_signature"):
        await model.generate(asked(*turns, tools=(SUMS,)))


async def test_a_call_without_a_result_is_refused(model, gemini):
    reply = await called(model, gemini, reply=Calls((("sum_up", {}), ("clock", {}))))
    turns = answered(reply, ToolResult("sum_up", {}, reply.calls[0].call_id))
    with pytest.raises(ModelRefused, match="number of function response parts"):
        await model.generate(asked(*turns, tools=(SUMS,)))


async def test_calls_can_be_forbidden_while_earlier_ones_stay_explained(model, gemini):
    reply = await called(model, gemini)
    turns = answered(reply, ToolResult("sum_up", {"output": 4}, reply.calls[0].call_id))
    gemini.reply_with(lambda sent: calls("sum_up") if sent.may_call else "Чотири.")
    assert (await model.generate(asked(*turns, tools=(SUMS,), may_call=False))).text == "Чотири."
    assert gemini.requests[-1].tools == ["sum_up"]


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
async def test_a_bungled_call_is_followed_by_an_answer_without_calls(model, gemini, reason):
    gemini.finish_next(reason)
    gemini.reply_with(lambda sent: calls("sum_up") if sent.may_call else "Чотири.")
    reply = await model.generate(asked(tools=(SUMS,)))
    assert (reply.text, reply.calls, len(gemini.requests)) == ("Чотири.", (), 2)


async def test_a_model_that_calls_although_it_may_not_is_refused(model, gemini):
    gemini.finish_next("UNEXPECTED_TOOL_CALL")
    with pytest.raises(ModelRefused, match="UNEXPECTED_TOOL_CALL"):
        await model.generate(asked(tools=(SUMS,), may_call=False))


@pytest.mark.parametrize("call", [{"args": {}}, {"name": "", "args": {}}])
async def test_a_call_without_a_name_is_an_unreadable_answer(model, gemini, call):
    content = {"role": "model", "parts": [{"functionCall": call, "thoughtSignature": "AAAA"}]}
    gemini.send_next({"candidates": [{"content": content, "finishReason": "STOP"}]})
    with pytest.raises(ModelUnavailable, match="could not be read"):
        await model.generate(asked(tools=(SUMS,)))


async def test_a_call_without_arguments_has_none(model, gemini):
    content = {"role": "model", "parts": [{"functionCall": {"name": "clock"}, "thoughtSignature": "AAAA"}]}
    gemini.send_next({"candidates": [{"content": content, "finishReason": "STOP"}]})
    (call,) = (await model.generate(asked(tools=(CLOCK,)))).calls
    assert (call.name, call.arguments, call.call_id) == ("clock", {}, "")


# --- Search ---


async def test_a_search_is_googles_own_tool_and_its_pages_come_with_the_answer(model, gemini):
    pages = (("Вікіпедія", "https://uk.wikipedia.example/1"), ("BBC", "https://bbc.example/2"))
    gemini.reply_with(lambda _: Searched("Так.", (*pages, pages[0])))
    reply = await model.generate(asked(purpose="search", web_search=True))
    assert gemini.requests[0].tools == ["google_search"]
    assert reply.text == "Так."
    assert reply.sources == tuple(WebSource(title, url) for title, url in pages)


@pytest.mark.parametrize(
    "metadata", [{}, {"groundingChunks": []}, {"groundingChunks": [{}, {"web": {"title": "без адреси"}}]}]
)
async def test_pages_without_an_address_are_left_out(model, gemini, metadata):
    content = {"role": "model", "parts": [{"text": "Так."}]}
    gemini.send_next({"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": metadata}]})
    assert (await model.generate(asked(web_search=True))).sources == ()


async def test_signatures_of_every_round_go_back_with_calls_made_at_once(model, gemini):
    gemini.reply_with(lambda _: Calls((("sum_up", {"a": 1}), ("clock", {}))))
    turns = [ASKED]
    for _ in range(3):
        reply = await model.generate(asked(*turns, tools=(SUMS, CLOCK)))
        results = tuple(ToolResult(call.name, {"ok": 3}, call.call_id) for call in reply.calls)
        turns += [ModelTurn("model", reply.calls), ModelTurn("user", results)]
    gemini.reply_with(lambda _: "Разом шість.")
    assert (await model.generate(asked(*turns, tools=(SUMS, CLOCK)))).text == "Разом шість."
    assert len(gemini.requests[-1].called) == 6


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_neither_a_key_nor_an_address_is_in_an_error(model, gemini, status):
    said = (
        "File https://generativelanguage.googleapis.com/v1/files/abc of consumer api_key:AIzaSyD-1_x and AIzaSyD-1_x."
    )
    gemini.fail_next(status, message=said)
    with pytest.raises((ModelRefused, ModelUnavailable)) as caught:
        await model.generate(asked())
    assert not any(secret in str(caught.value) for secret in ("AIza", "https:", "abc"))
