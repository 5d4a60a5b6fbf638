"""What is wrong with a webhook."""

from dataclasses import replace
from datetime import timedelta

import pytest

from infra.telegram.gateway import ALLOWED_UPDATES
from shared.application.night.webhook_health import NEEDED_UPDATES, PENDING_UPDATES, judge_webhook
from shared.application.ports.chat import WebhookInfo
from tests.support.group import FRIDAY

URL = "https://webhook.example/path-with-secret"
NOW = FRIDAY


@pytest.mark.parametrize(
    ("info", "found"),
    [
        (WebhookInfo(""), {"webhook_missing": "error"}),
        (WebhookInfo(URL), {}),
        (WebhookInfo(URL, PENDING_UPDATES), {}),
        (WebhookInfo(URL, PENDING_UPDATES + 1), {"updates_pending": "warning"}),
        (WebhookInfo(URL, 1, "x", NOW - timedelta(minutes=59)), {"webhook_failing": "error"}),
        (WebhookInfo(URL, 0, "x", NOW - timedelta(minutes=59)), {"webhook_failing": "warning"}),
        (WebhookInfo(URL, 1, "x", NOW - timedelta(hours=23)), {"webhook_failing": "warning"}),
        (WebhookInfo(URL, 1, "x", NOW - timedelta(hours=24)), {}),
        (WebhookInfo(URL, allowed_updates=("message", "callback_query")), {"updates_left_out": "error"}),
        (WebhookInfo(URL, allowed_updates=tuple(NEEDED_UPDATES)), {"updates_left_out": "warning"}),
    ],
)
def test_a_webhook_is_judged(info, found):
    info = replace(info, allowed_updates=info.allowed_updates or ALLOWED_UPDATES)
    assert {finding.kind: finding.severity for finding in judge_webhook(info, NOW)} == found


def test_a_webhook_that_names_no_kinds_delivers_no_reactions():
    [finding] = judge_webhook(WebhookInfo(URL), NOW)
    assert (finding.severity, finding.figures) == ("warning", {"missing": "chat_member,message_reaction"})
