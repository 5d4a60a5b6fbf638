"""What Terraform and the code must agree on, read from both; needs no Terraform."""

import inspect
import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from infra.tasks.cloud_tasks import CloudTasksQueue
from infra.tasks.retries import ANSWERS, RetryPolicy
from shared.application.delivery.ledger_codec import LEASE
from shared.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
NOT_IN_THE_CLOUD = {
    "CLOUD_TASKS_EMULATOR_HOST",
    "FIRESTORE_EMULATOR_HOST",
    "SPOMYN_PORT",
    "OIDC_AUDIENCE",
    "OIDC_CERTS_URL",
}
"""Settings of one machine, and those that would loosen who is let in to the workers."""


def terraform(name):
    return (ROOT / "terraform" / name).read_text()


def listed(name, file):
    """The texts of `name = [...]`."""
    (found,) = re.findall(rf"\b{name}\s*=\s*\[(.*?)\]", terraform(file), re.DOTALL)
    return re.findall(r'"([^"]+)"', found)


def queue(name):
    """The block of a queue in tasks.tf."""
    (found,) = re.findall(
        rf'^resource "google_cloud_tasks_queue" "{name}" \{{(.*?)^\}}', terraform("tasks.tf"), re.MULTILINE | re.DOTALL
    )
    return found


def value(name, text):
    """The text or number of the one `name = ...`."""
    (found,) = re.findall(rf'^\s*{name}\s*=\s*"?([^"\s]+)"?', text, re.MULTILINE)
    return found


def test_every_setting_is_a_choice_of_the_operator_or_set_by_terraform_or_not_for_the_cloud():
    chosen = listed("optional_settings", "locals.tf")
    secret = re.findall(r'^\s*"[a-z-]+"\s*=\s*"([A-Z_]+)"$', terraform("secrets.tf"), re.MULTILINE)
    set_here = set(re.findall(r"^\s+([A-Z][A-Z_]+)\s+=", terraform("functions.tf"), re.MULTILINE)) - {
        "FUNCTION_USE_ASGI"
    }
    kinds = [*chosen, *secret, *set_here, *NOT_IN_THE_CLOUD]
    assert sorted(kinds) == sorted({setting.name for setting in SETTINGS})
    assert set(secret) == {setting.name for setting in SETTINGS if setting.secret}


def test_every_secret_is_an_ephemeral_variable_and_nothing_else_is():
    files = [path.read_text() for path in (ROOT / "terraform").glob("*.tf")]
    variables = dict(re.findall(r'^variable "(\w+)" \{(.*?)^\}', "\n".join(files), re.DOTALL | re.MULTILINE))
    ephemeral = {name.upper() for name, body in variables.items() if re.search(r"ephemeral\s*= true", body)}
    assert ephemeral == {setting.name for setting in SETTINGS if setting.secret}
    assert not [name for name, body in variables.items() if re.search(r"sensitive\s*= true", body)]


def test_the_defaults_that_both_know_are_the_same():
    defaults = {setting.name: setting.default for setting in SETTINGS}
    said = dict(
        re.findall(r'variable "(\w+)" \{.*?\n  default     = "?([^"\n]+)"?\n', terraform("variables.tf"), re.DOTALL)
    )
    assert said["region"] == defaults["CLOUD_TASKS_LOCATION"]
    assert said["prefix"] == defaults["CLOUD_TASKS_QUEUE"]
    assert said["firestore_database"] == defaults["FIRESTORE_DATABASE"]
    assert said["message_retention_days"] == defaults["MESSAGE_RETENTION_DAYS"]


def test_what_expires_is_what_the_operations_manual_says():
    manual = (ROOT / "docs/operations.md").read_text()
    (said,) = re.findall(r"each needs the policy:(.*?)\. `retention` and `sweep`", manual, re.DOTALL)
    assert sorted(re.findall(r"`(\w+)`", said)) == listed("ttl_collections", "firestore.tf")


POLICIES = {"tasks": RetryPolicy(), "answers": ANSWERS}


@pytest.mark.parametrize(("name", "ours"), POLICIES.items(), ids=POLICIES)
def test_a_queue_in_the_cloud_retries_as_the_local_one_does(name, ours):
    text = queue(name)
    tries, doublings = (int(value(each, text)) for each in ("max_attempts", "max_doublings"))
    first, longest = (timedelta(seconds=float(value(f"{end}_backoff", text).rstrip("s"))) for end in ("min", "max"))

    assert (tries, first, longest) == (ours.max_attempts, ours.min_backoff, ours.max_backoff)
    assert "max_retry_duration =" not in terraform("tasks.tf")
    theirs = [min(first * 2 ** min(failed, doublings), longest) for failed in range(tries - 1)]
    assert theirs == [ours.backoff(failures) for failures in range(1, tries)]


def test_a_task_is_tried_for_the_time_that_the_comment_says():
    waits = [RetryPolicy().backoff(failures) for failures in range(1, RetryPolicy().max_attempts)]
    comment = re.sub(r"\s+# ", " ", terraform("tasks.tf"))
    assert ", ".join(f"{wait.total_seconds():.0f}" for wait in waits) + " seconds" in comment
    assert round(sum(waits, timedelta()) / timedelta(minutes=1)) == 40
    assert "40 minutes in all" in comment

    waits = [ANSWERS.backoff(failures) for failures in range(1, ANSWERS.max_attempts)]
    assert round(sum(waits, timedelta()) / timedelta(minutes=1)) == 114
    assert "for an hour and fifty" in comment


def test_functions_have_the_time_that_the_code_counts_on():
    deadline = inspect.signature(CloudTasksQueue).parameters["dispatch_deadline"].default
    webhook, answer, *workers = (
        timedelta(seconds=int(found))
        for found in re.findall(r"timeout_seconds = optional\(number, (\d+)\)", terraform("variables.tf"))
    )
    assert answer > LEASE
    assert webhook < answer
    assert len(workers) == 2
    assert min(workers) >= deadline


def test_every_exemption_of_the_index_file_is_one_that_terraform_can_make():
    overrides = json.loads((ROOT / "firestore.indexes.json").read_text())["fieldOverrides"]
    fields = [(each["collectionGroup"], each["fieldPath"]) for each in overrides]
    assert len(set(fields)) == len(fields)
    # One resource a field: a second one for `expire_at` would undo its expiry.
    assert "expire_at" not in {field for _, field in fields}
