"""A line of Cloud Logging as an operator reads it, and what is asked for."""

import pytest

from infra.cli.checks.preflight_google import Target
from infra.cli.logs import line_of, log_filter

LABELS = {"resource": {"labels": {"service_name": "spomyn-webhook"}}, "timestamp": "2026-11-06T18:00:01.5Z"}


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (
            {"severity": "INFO", "jsonPayload": {"message": "update stored", "status": 200}},
            "2026-11-06 18:00:01 INFO spomyn-webhook update stored status=200",
        ),
        ({"textPayload": "Booted\nup"}, "2026-11-06 18:00:01 DEFAULT spomyn-webhook Booted up"),
        (
            {
                "severity": "ERROR",
                "httpRequest": {"requestMethod": "POST", "status": 503, "requestUrl": "https://x/?token=1"},
            },
            "2026-11-06 18:00:01 ERROR spomyn-webhook POST 503",
        ),
    ],
    ids=["ours", "a library's", "Cloud Run's own"],
)
def test_an_entry_is_one_line(entry, line):
    assert line_of(LABELS | entry).strip() == line


def test_only_the_logs_of_this_deployments_functions_are_asked_for():
    asked = log_filter(Target("p", "europe-west1", "spomyn", "(default)", "1"), ["webhook", "extract"], "WARNING")
    assert 'service_name=("spomyn-webhook" OR "spomyn-extract")' in asked
    assert 'location="europe-west1"' in asked
    assert asked.endswith("severity>=WARNING")
