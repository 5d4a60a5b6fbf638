"""The trace that Google Cloud hands to a request is read, or there is none."""

import pytest

from infra.observability.trace import Trace, read_trace

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
WORDS = "пароль від сейфа"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"traceparent": f"00-{TRACE}-{SPAN}-01"}, Trace(TRACE, SPAN, sampled=True)),
        ({"x-cloud-trace-context": f"{TRACE}/255;o=1"}, Trace(TRACE, "00000000000000ff", sampled=True)),
        ({"x-cloud-trace-context": f"{TRACE.upper()}/255"}, Trace(TRACE, "00000000000000ff", sampled=False)),
        ({"x-cloud-trace-context": TRACE}, Trace(TRACE, "", sampled=False)),
        ({"x-cloud-trace-context": f"{TRACE}/99999999999999999999;o=0"}, Trace(TRACE, "", sampled=False)),
        ({"traceparent": WORDS, "x-cloud-trace-context": TRACE}, Trace(TRACE, "", sampled=False)),
        ({"traceparent": f"00-{TRACE}-{SPAN}"}, None),
        ({"x-cloud-trace-context": f"{TRACE}\n"}, None),
        ({"x-cloud-trace-context": "projects/x"}, None),
        ({}, None),
    ],
)
def test_the_trace_of_a_request_is_read_or_there_is_none(headers, expected):
    assert read_trace(headers) == expected
