"""Alerts lead to a runbook and a command that are there, and metrics read what the functions log."""

import re
import shlex
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple, get_args

import click
import pytest

from infra.cli.root import root
from infra.observability.line import RequestLine, one_line
from shared.application.intake.maintenance import run_job
from shared.application.ports.model import TokenUsage
from shared.application.telemetry import Event, note_usage, tell_model_error
from shared.domain.errors import ModelUnavailable
from tests.support.group import FRIDAY, running_group
from tests.support.updates import message_update

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = (REPOSITORY / "docs/operations.md").read_text("utf-8")
METRICS = (REPOSITORY / "terraform/log_metrics.tf").read_text("utf-8")


class Alert(NamedTuple):
    """What terraform/monitoring.tf says of an alert."""

    title: str
    severity: str
    runbook: str
    first: str


def alerts():
    text = (REPOSITORY / "terraform/monitoring.tf").read_text("utf-8")
    names = r'title\s*= "([^"]+)", severity = "([A-Z]+)".*?runbook\s*= "([^"]+)", first = "([^"]+)"'
    return [Alert(*found) for found in re.findall(names, text, re.DOTALL)]


def anchor(heading):
    """As GitHub makes them: lower case, hyphens for spaces, nothing else but words."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


ANCHORS = {anchor(heading) for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}


# --- Runbooks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: alert.title)
def test_an_alert_names_a_runbook_that_is_there(alert):
    assert alert.runbook in ANCHORS


@pytest.mark.parametrize("command", sorted({alert.first for alert in alerts()}))
def test_the_first_command_of_an_alert_is_one(command):
    words = shlex.split(command)
    if words[0] == "make":
        assert re.search(rf"^{words[1]}:", (REPOSITORY / "Makefile").read_text("utf-8"), re.MULTILINE)
        return
    assert words[:3] == ["python", "-m", "infra.cli"]
    found = root
    for word in words[3:]:
        if isinstance(found, click.Group):
            found = found.get_command(click.Context(found), word)
            assert found is not None
        else:
            assert word in {option for parameter in found.params for option in parameter.opts}


def test_the_page_lists_every_alert_with_its_severity_and_runbook():
    rows = re.findall(
        r"^\| ([^|]+) \| (critical|error|warning) \| [^|]+ \| \[[^]]+\]\(#([a-z-]+)\) \|$", PAGE, re.MULTILINE
    )
    assert sorted(rows) == sorted((a.title, a.severity.lower(), a.runbook) for a in alerts())


def test_the_limits_on_the_page_are_those_that_nobody_changed():
    variables = (REPOSITORY / "terraform/variables.tf").read_text("utf-8")
    block = variables[variables.index('variable "alert_limits"') :]
    limits = {name: float(value) for name, value in re.findall(r"(\w+)\s*= optional\(number, ([0-9.]+)\)", block)}
    begins = {row[0]: row[1] for row in re.findall(r"^\| ([^|]+) \| \w+ \| ([^|]+) \|", PAGE, re.MULTILINE)}
    assert f"{limits['error_ratio']:.0%}".replace("%", " %") in begins["a function fails"]
    assert f"{limits['webhook_p95_seconds']:.0f} s" in begins["the webhook is slow"]
    assert f"more than {limits['answers_age_seconds']:.0f} s after" in begins["answers wait"]
    assert f"begin {limits['queue_age_minutes']:.0f} min late" in begins["tasks wait"]
    assert f"{limits['queue_depth']:,.0f} tasks" in begins["the queue is deep"]
    assert f"{limits['pending_updates']:.0f} wait" in begins["updates wait at Telegram"]
    assert f"{limits['model_errors']:.0f} calls" in begins["the model does not answer"]
    assert f"{limits['tokens_per_hour']:,.0f} tokens" in begins["the model reads and writes much"]
    assert f"{limits['dollars_per_hour']:.0f} dollar" in begins["the model costs much"]


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(#([^)]+)\)", PAGE))))
def test_a_link_within_the_page_leads_somewhere(link):
    assert link in ANCHORS


# --- Metrics -----------------------------------------------------------------------------------


class Metric(NamedTuple):
    """What a log-based metric reads: lines of these events, and fields that each of them needs."""

    events: frozenset[str]
    fields: frozenset[str]


def metrics():
    shared = dict(re.findall(r'^  (\w+)\s*= "(jsonPayload.+)"$', METRICS, re.MULTILINE))
    found = {}
    entry = r'^    (\w+) = \{\n.*?filter\s*= (?:"(.+?)"|local\.(\w+)), value = (?:null|"(\w+)"),.*?labels\s*= \{(.*?)\}'
    for name, text, local, value, labels in re.findall(entry, METRICS, re.MULTILINE | re.DOTALL):
        condition = (text or shared[local]).replace('\\"', '"')
        events = re.findall(r'"(\w+)"', condition[: condition.find(" AND ")] if " AND " in condition else condition)
        fields = set(re.findall(r"jsonPayload\.(\w+)", condition)) | set(re.findall(r'= "(\w+)"', labels))
        found[name] = Metric(frozenset(events), frozenset(fields | ({value} if value else set())))
    return found


def test_every_event_of_the_log_has_a_metric_and_no_other_is_asked_for():
    assert {event for metric in metrics().values() for event in metric.events} == set(get_args(Event))


async def test_each_metric_reads_fields_that_the_lines_have(sqlite_store, caplog):
    caplog.set_level("INFO", "spomyn")
    for event in ("update", "task", "job"):
        with one_line(event, RequestLine(job="night"), {}):
            note_usage(TokenUsage(input=10, output=5, cached=0), 1)
    tell_model_error(ModelUnavailable("it is away"), purpose="answer")
    async with running_group(sqlite_store) as group:
        await group.deliver(message_update("Гряг, привіт"))
        await group.deliver({"none": "of ours"})
        group.api.webhook = {"url": "https://webhook.example", "allowed_updates": []}
        group.api.webhook_error = (int((FRIDAY - timedelta(minutes=5)).timestamp()), "Wrong response: 500")
        await run_job(group.runtime.app, "health", {})
    lines = {}
    for record in caplog.records:
        fields = getattr(record, "fields", {})
        lines.setdefault(fields.get("event"), set()).update(fields)
    lacking = {
        (name, event): metric.fields - lines[event]
        for name, metric in metrics().items()
        for event in metric.events
        if metric.fields - lines[event]
    }
    assert lacking == {}
