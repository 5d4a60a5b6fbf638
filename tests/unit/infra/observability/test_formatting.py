"""What a log line looks like, and what never comes into one."""

import ast
import io
import json
import logging
import warnings
from pathlib import Path

import pytest

from infra.observability import chat_hash, configure_cloud_logging, configure_logging
from infra.observability.formatting import OURS
from infra.observability.trace import trace_request
from shared.application.ports.model import TokenUsage
from shared.application.telemetry import handling, note_chat, note_usage, tell, tell_model_error
from shared.domain.errors import ModelRefused, ModelUnavailable, SettingsError, StoreUnavailable

ROOT = Path(__file__).parents[4]
TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
WORDS = "пароль від сейфа"


# --- One line --------------------------------------------------------------------------------------


def test_noting_outside_of_a_request_is_nothing(log):
    note_chat(-1)
    note_usage(TokenUsage(1, 1), 1)
    tell("health", "queue_late")
    assert "chat" not in log.only


def test_what_is_said_meanwhile_has_the_chat_and_the_trace(log):
    with handling(), trace_request({"traceparent": f"00-{TRACE}-{SPAN}-00"}):
        note_chat(-5)
        logging.getLogger("shared.anything").info("found %d", 3)
    assert (log.only["message"], log.only["chat"]) == ("found 3", chat_hash(b"key", -5))
    assert log.only["logging.googleapis.com/trace_sampled"] is False


# --- Errors ----------------------------------------------------------------------------------------


def raised(error, cause=None):
    try:
        raise error from cause
    except type(error) as caught:
        return caught


class Refused(Exception):
    code = 429


def test_an_error_is_its_kind_and_that_of_its_causes_with_the_status(log):
    tell_model_error(raised(ModelUnavailable(WORDS), Refused(WORDS)), purpose="facts")
    assert [log.only[name] for name in ("severity", "event", "outcome", "purpose", "error")] == [
        *("WARNING", "model_error", "unavailable", "facts", "ModelUnavailable from Refused 429")
    ]
    assert WORDS not in log.text


def test_a_refusal_of_the_model_is_another_outcome(log):
    tell_model_error(ModelRefused(WORDS), purpose="answer")
    assert log.only["outcome"] == "refused"


def test_an_error_among_the_words_of_a_line_is_its_kind_as_well(log):
    logging.getLogger("infra.x").warning("it waits: %s", StoreUnavailable(WORDS))
    assert log.only["message"] == "it waits: StoreUnavailable"


def test_what_an_operator_must_correct_is_said_without_addresses_and_ids(log):
    error = SettingsError("EXTRACT_URL is https://host.example/secret?x=1, and project 123456789012 is not ours.")
    tell("update", "retry", level=logging.ERROR, error=error)
    assert log.only["error"] == "EXTRACT_URL is https://host.example/… and project # is not ours."
    assert "stack_trace" not in log.only


def test_a_bug_is_told_with_its_causes(log):
    logging.getLogger("shared.x").error("it broke", exc_info=raised(ValueError(WORDS), raised(OSError(WORDS))))
    assert log.only["error"] == "ValueError from OSError"
    assert log.only["stack_trace"].index("OSError") < log.only["stack_trace"].index("ValueError")
    assert WORDS not in log.text


# --- Libraries -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["httpx", "telegram.Bot", "google.api_core", "uvicorn.error", "asyncio", "root"])
def test_no_library_says_its_words_at_any_level(log, name):
    library = logging.getLogger(None if name == "root" else name)
    library.setLevel(logging.DEBUG)
    library.info("HTTP Request: %s", f"https://api.telegram.org/bot{WORDS}/sendMessage")
    assert log.text == ""
    library.error(f"Exception in {WORDS}", exc_info=raised(ValueError(WORDS)))
    assert WORDS not in log.text
    assert log.only["message"].startswith(f"{name} says something at test_formatting.py:")
    assert log.only["error"] == "ValueError"
    library.setLevel(logging.NOTSET)


def test_a_warning_of_python_is_a_line_without_its_words(log):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)
        warnings.warn(WORDS, UserWarning, stacklevel=1)
    assert (log.only["severity"], log.only["logger"]) == ("WARNING", "py.warnings")
    assert WORDS not in log.text


def test_handlers_that_others_brought_along_write_nothing(logging_restored):
    theirs, ours = io.StringIO(), io.StringIO()
    library = logging.getLogger("uvicorn.access")
    library.addHandler(logging.StreamHandler(theirs))
    library.propagate = False
    configure_cloud_logging("INFO", project="p", key=b"", stream=ours)
    library.error("GET /?token=%s", WORDS)
    assert theirs.getvalue() == ""
    assert json.loads(ours.getvalue())["logger"] == "uvicorn.access"


def test_events_are_written_whatever_the_level(logging_restored):
    stream = io.StringIO()
    configure_cloud_logging("ERROR", project="p", key=b"", stream=stream)
    logging.getLogger("shared.x").warning("left out")
    tell("update", "stored")
    assert json.loads(stream.getvalue())["event"] == "update"


# --- A terminal ------------------------------------------------------------------------------------


def test_a_terminal_shows_the_words(logging_restored, capsys):
    configure_logging("INFO")
    tell("dead_letter", "task", {"job": "decay"}, level=logging.ERROR, words=WORDS)
    logging.getLogger("shared.x").warning("it waits: %s", StoreUnavailable(WORDS))
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["message"], first["job"]) == (f"dead_letter task: {WORDS}", "decay")
    assert second["message"] == f"it waits: {WORDS}"


# --- The code --------------------------------------------------------------------------------------

HARMLESS = {
    # kinds of errors, and errors themselves: a deployed function writes their kind
    *("error", "type(error).__name__"),
    # names of our own code
    *("what", "job.name", "call.name", "bound.tool.name", "use.name", "use.ending", "choices.method", "model.made_by"),
    *("type(default).__name__.lower()", "layers", "numbers", "number"),
    # names of models, which a setting gives, and of fields of Google's
    *("model", "field"),
    # counts and times
    *("context.total", "task.part", "dict(outcome.counts)", "MOST_PARTS", "chats", "enqueued", "failed", "expired"),
    *("folded", "counts", "reply.malformed", "use.milliseconds", "proof.searched"),
    "dict(Counter((change.kind for change in changes)))",
    "{str(reason): n for reason, n in sorted(refused.items())}",
}
"""Everything that a log line of a deployed function may name: add to it only what nobody said, is called or owns."""


def log_calls():
    """(where, call) of every line that the deployed functions may write."""
    deployed = [path for root in ("shared", "infra", "functions") for path in (ROOT / root).rglob("*.py")]
    for path in deployed:
        if {"local", "cli"} & set(path.relative_to(ROOT).parts) or path.name == "local_queue.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("log.", "_log.", "logger.")):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_no_line_of_the_product_names_what_members_said_or_who_they_are():
    strange = []
    for where, call in log_calls():
        sentence, *values = call.args
        named = {ast.unparse(value) for value in values} - HARMLESS
        named = {name for name in named if not name.startswith("len(")}
        if named or not isinstance(sentence, ast.Constant):
            strange.append((where, named or ast.unparse(sentence)))
    assert strange == []


def test_the_check_sees_the_lines_there_are():
    assert len(list(log_calls())) > 30


def test_the_loggers_of_the_product_are_known():
    named = {where.split("/")[0] for where, _ in log_calls()}
    assert named <= set(OURS)
