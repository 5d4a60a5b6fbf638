import pytest

from infra.rest.http import HttpReply
from infra.rest.refusals import error_of


@pytest.mark.parametrize("wrap", ["{}", "[{}]"], ids=["alone", "in a list, as streams have it"])
def test_a_refusal_is_told_by_name(wrap):
    body = wrap.replace("{}", '{"error": {"status": "ABORTED", "message": "later"}}')
    assert error_of(HttpReply(409, body.encode())) == ("ABORTED", "later")


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"3", b'{"error": 3}'])
def test_what_is_no_refusal_of_the_api_is_told_by_its_status(body):
    assert error_of(HttpReply(502, body)) == ("", "HTTP 502")
