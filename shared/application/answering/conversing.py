"""The tool loop: the model answers, or calls tools, is given what they found, and answers then.

It is bounded in rounds, calls, time and tokens, and its last round forbids calls, so an answer always comes. A tool
that fails, hangs or is called with nonsense costs the answer only what it would have known.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from shared.application.answering.tool_use import ToolEnding, ToolUse, as_shown
from shared.application.answering.tools.binding import ToolBinding, ToolContext, ToolOutcome
from shared.application.answering.tools.results import bound_response, result_tokens
from shared.application.app import App
from shared.application.ports.model import (
    Media,
    ModelReply,
    ModelRequest,
    ModelTurn,
    Part,
    TokenUsage,
    Tool,
    ToolCall,
    ToolResult,
)
from shared.application.spending.asking import call_booked
from shared.domain.conversation.media import Unfit
from shared.domain.errors import ModelRefused, ModelUnavailable, SpomynError, ToolRefused
from shared.domain.spending.tokens import estimate_tokens
from shared.domain.text.plain import one_line

log = logging.getLogger(__name__)

ROUNDS = 4
"""Calls of the model for one answer, the last one without tools ("at most a few")."""

CALLS = 6
"""Calls of tools in one round."""

TOOL_TOKENS = 1_500
"""Budget of all calls and results of one answer together: they come on top of the request's own
context, which leaves room for them (law 9)."""

_ERROR_TOKENS = 20
"""Kept free for each result: enough to say that it cannot be shown."""

_LAST_TOKENS = 200
"""Part of these, kept for the calls for which there is no room any more, and for saying so."""

_SHARE = 0.6
"""Share of what is left for the results of a round after which there may be another."""

_LEAST_TOKENS = 3 * _ERROR_TOKENS
"""The least that another call and its result take: where less is left there is none, and the model is told so."""

_SPENT = "no room for more results: answer with what you have"

_NO_MORE = "spent, no more calls: answer with what you have"
"""Stands in the last result that there is room for, so that what is missing is not taken for what nobody said."""

_BROKEN = (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""Errors that a mistake in a tool raises: it must not cost the answer, which would be tried again and fail again."""


@dataclass(frozen=True, slots=True)
class Conversed:
    """The answer, and what was called on the way to it, in order. The reply's usage is that of all rounds together."""

    reply: ModelReply
    log: tuple[ToolUse, ...] = ()


def count_reserved_tokens(bindings: Sequence[ToolBinding]) -> int:
    """Return what a request must leave free of its context for the tools on offer: their declarations, and
    `TOOL_TOKENS`."""
    if not bindings:
        return 0
    return TOOL_TOKENS + sum(_count_declared_tokens(bound.tool) for bound in bindings)


def _count_declared_tokens(tool: Tool) -> int:
    sent = {"name": tool.name, "description": tool.about, "parametersJsonSchema": tool.parameters}
    return estimate_tokens(json.dumps(sent, ensure_ascii=False))


_Ask = Callable[[ModelRequest], Awaitable[ModelReply]]


async def converse(
    app: App, request: ModelRequest, context: ToolContext, *, bindings: Sequence[ToolBinding]
) -> Conversed:
    """Let the model answer, with tools, in `Policy.answer_patience` from when it is first asked; each call of it is
    booked.

    Args:
        request: Without tools; those on offer are added.
        context: What the tools may see.
        bindings: The tools.

    Raises:
        ModelUnavailable: There is no model, it is away, or it and the tools together take longer.
        OverBudget: The budgets have no room for a round.
        ModelRefused: It refused, or calls tools to the end.
    """
    patience = app.policy.answer_patience.total_seconds()
    try:
        async with asyncio.timeout(None) as limit:

            def begin() -> None:
                if limit.when() is None:
                    limit.reschedule(asyncio.get_running_loop().time() + patience)

            ask = partial(call_booked, app, context.state, user_id=context.message.user_id, on_booked=begin)
            return await _rounds(app, request, context, {bound.tool.name: bound for bound in bindings}, ask)
    except TimeoutError as error:
        raise ModelUnavailable(f"no answer within {patience:g} s, tools included") from error


async def _rounds(
    app: App, request: ModelRequest, context: ToolContext, bindings: Mapping[str, ToolBinding], ask: _Ask
) -> Conversed:
    request = replace(request, tools=tuple(bound.tool for bound in bindings.values()))
    uses: list[ToolUse] = []
    left, usage = TOOL_TOKENS - _LAST_TOKENS, TokenUsage()
    for number in range(1, ROUNDS + 1):
        request = replace(request, may_call=number < ROUNDS and left > 0)
        request, reply = await _reply(ask, request)
        usage += reply.usage
        if not reply.calls:
            return Conversed(replace(reply, usage=usage), tuple(uses))
        if not request.may_call:
            break
        room_tokens = left - _calling_tokens(reply)
        if room_tokens < _ERROR_TOKENS * len(reply.calls):
            uses += [_skip_call(call, bindings) for call in reply.calls]
            if room_tokens + _LAST_TOKENS >= 2 * _ERROR_TOKENS * len(reply.calls):
                spent = tuple(ToolResult(call.name, {"error": _SPENT}, call.call_id) for call in reply.calls)
                request = replace(request, turns=(*request.turns, _call_turn(reply), ModelTurn("user", spent)))
            left = 0
            continue
        made = await _round(app, context, bindings, reply.calls)
        given = room_tokens if number == ROUNDS - 1 else max(int(_SHARE * room_tokens), _ERROR_TOKENS * len(made))
        results, unspent = _results(reply.calls, [response for _, response in made], given)
        left = room_tokens - given + unspent
        if number == ROUNDS - 1 or left < _LEAST_TOKENS:
            left, results[-1] = 0, replace(results[-1], response={**results[-1].response, "budget": _NO_MORE})
        uses += [as_shown(use, result.response) for (use, _), result in zip(made, results, strict=True)]
        request = replace(request, turns=(*request.turns, _call_turn(reply), ModelTurn("user", tuple(results))))
    if reply.text:
        return Conversed(replace(reply, calls=(), usage=usage), tuple(uses))
    raise ModelRefused("the model calls tools and gives no answer")


async def _reply(ask: _Ask, request: ModelRequest) -> tuple[ModelRequest, ModelReply]:
    """The model's reply, and the request that it was given for: refused files are not shown to it again."""
    try:
        return request, await ask(request)
    except ModelRefused as error:
        without_files = _without_files(request)
        if without_files == request:
            raise
        log.warning("the model refused files: %s", error)
    return without_files, await ask(without_files)


def _without_files(request: ModelRequest) -> ModelRequest:
    """The request with a line of ours in place of each file."""

    def without_media(part: Part) -> Part:
        return f'[meta] file not_shown="{Unfit.UNREADABLE}"' if isinstance(part, Media) else part

    turns = (ModelTurn(turn.role, tuple(map(without_media, turn.parts))) for turn in request.turns)
    return replace(request, turns=tuple(turns))


def _call_turn(reply: ModelReply) -> ModelTurn:
    """The model's turn, given back to it."""
    parts: tuple[Part, ...] = (reply.text, *reply.calls) if reply.text else reply.calls
    return ModelTurn("model", parts)


def _calling_tokens(reply: ModelReply) -> int:
    """Tokens that the model's turn takes when it is given back."""
    calls = [[call.name, dict(call.arguments)] for call in reply.calls]
    return estimate_tokens(reply.text) + estimate_tokens(json.dumps(calls, ensure_ascii=False))


def _results(
    calls: Sequence[ToolCall], responses: Sequence[Mapping[str, object]], budget_tokens: int
) -> tuple[list[ToolResult], int]:
    """The results in the order of their calls, each with an even share of the budget; and what is left of it."""
    results = []
    for position, (call, response) in enumerate(zip(calls, responses, strict=True)):
        shown = bound_response(response, budget_tokens // (len(calls) - position))
        budget_tokens -= result_tokens(shown)
        results.append(ToolResult(call.name, shown, call.call_id))
    return results, budget_tokens


# --- one round ----------------------------------------------------------------------------------

_Made = tuple[ToolUse, Mapping[str, object]]


async def _round(
    app: App, context: ToolContext, bindings: Mapping[str, ToolBinding], calls: Sequence[ToolCall]
) -> list[_Made]:
    """Make the calls side by side."""
    made = await asyncio.gather(*(_use(app, context, bindings.get(call.name), call) for call in calls[:CALLS]))
    made += [(_skip_call(call, bindings), {"error": "too many calls at once"}) for call in calls[CALLS:]]
    for use, _ in made:
        log.debug("tool name=%s ending=%s ms=%d", use.name, use.ending, use.milliseconds)
    return made


async def _use(app: App, context: ToolContext, bound: ToolBinding | None, call: ToolCall) -> _Made:
    if bound is None:
        return ToolUse("unknown", ToolEnding.UNKNOWN, 0), {"error": "there is no such tool"}
    clock = asyncio.get_running_loop()
    begun = clock.time()
    ending, outcome = await _run(app, context, bound, call)
    spent = round(1000 * (clock.time() - begun))
    given = (outcome.messages, outcome.facts, outcome.notes, outcome.pages, outcome.links)
    return ToolUse(bound.tool.name, ending, spent, *given), outcome.response


async def _run(app: App, context: ToolContext, bound: ToolBinding, call: ToolCall) -> tuple[ToolEnding, ToolOutcome]:
    try:
        async with asyncio.timeout(bound.patience.total_seconds()):
            return ToolEnding.OK, await bound.run(app, context, call.arguments)
    except ToolRefused as error:
        return ToolEnding.REFUSED, ToolOutcome({"error": one_line(str(error))})
    except TimeoutError:
        return ToolEnding.LATE, ToolOutcome({"error": "it took too long: answer without it"})
    except SpomynError as error:
        log.warning("tool %s failed: %s", bound.tool.name, error)
    except _BROKEN as error:  # only its kind is logged: the message may hold what people said
        log.warning("tool %s is broken: %s", bound.tool.name, type(error).__name__)
    return ToolEnding.FAILED, ToolOutcome({"error": "it does not work now: answer without it"})


def _skip_call(call: ToolCall, bindings: Mapping[str, ToolBinding]) -> ToolUse:
    """A call that is not made; a name that a model makes up is not logged."""
    return ToolUse(call.name if call.name in bindings else "unknown", ToolEnding.TOO_MANY, 0)
