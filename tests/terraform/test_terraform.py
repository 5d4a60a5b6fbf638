"""terraform/ under real Terraform, with the stand-in provider: a check of shape and wiring, not of the cloud."""

import json
import re
import zipfile

from tests.terraform.offline import ROOT

SECRETS = {
    "telegram_bot_token": "123456:never-in-a-state-1",
    "telegram_webhook_secret": "never-in-a-state-2,never-in-a-state-3",
    "gemini_api_key": "never-in-a-state-4",
    "archive_secret_access_key": "never-in-a-state-5",
}
EVERYTHING = {
    "project_id": "spomyn-test",
    "bundles": "tests/bundles",
    "archive": "gcs",
    "archive_access_key_id": "GOOG1EXAMPLEEXAMPLE",
    "alert_emails": '["me@example.org"]',
    "billing_account": "012345-6789AB-CDEF01",
}
NUMBER = "123456789012"
PLACES = {
    'project if resource.name == "projects/spomyn-test/databases/(default)"': "project, this database",
    f'project if resource.name.startsWith("projects/_/buckets/gcf-v2-sources-{NUMBER}-europe-west1")': (
        "project, the platform's bucket of sources"
    ),
    "queue spomyn": "queue",
    "queue spomyn-answers": "queue answers",
}
"""How docs/iam.md calls what Terraform says."""


def test_the_configuration_is_formatted_valid_and_passes_its_own_tests(terraform):
    terraform.done("fmt", "-check", "-recursive")
    terraform.done("validate")
    said = terraform.done("test")
    assert re.search(r"^Success! [1-9]\d* passed, 0 failed\.$", said, re.MULTILINE), said


def test_everything_is_applied_planned_again_without_a_change_and_destroyed(terraform):
    given = {**EVERYTHING, **SECRETS}
    terraform.done("plan", "-out=it.tfplan", **given)
    terraform.done("apply", "it.tfplan", **SECRETS)
    terraform.done("plan", "-detailed-exitcode", **given)

    with zipfile.ZipFile(terraform.folder / "it.tfplan") as plan:
        kept = [plan.read(name) for name in plan.namelist()]
    kept.append((terraform.folder / "terraform.tfstate").read_bytes())
    assert not [
        secret for secret in SECRETS.values() for each in kept for part in secret.split(",") if part.encode() in each
    ]

    resources = state(terraform)
    assert granted(resources) == documented()
    assert [each["values"]["name"] for each in resources if each["values"].get("member") == "allUsers"] == [
        "spomyn-webhook"
    ]

    terraform.done("plan", '-replace=google_cloudfunctions2_function.function["webhook"]', "-out=it.tfplan", **given)
    anew = [change["address"] for change in changes(terraform, "it.tfplan") if "create" in change["change"]["actions"]]
    assert "google_cloud_run_v2_service_iam_member.public" in anew, "Telegram could not call the new function"

    terraform.done("destroy", "-auto-approve", **given)
    assert state(terraform) == []


def test_what_is_missing_or_wrong_ends_the_plan_with_sentences_that_say_what_to_do(terraform):
    wrong = {"project_id": "", "region": "mars-north1", "telegram_bot_token": "", "bundles": "nowhere"}
    ran = terraform.run("plan", **{**EVERYTHING, **SECRETS, **wrong})
    assert ran.returncode == 1
    said = " ".join(ran.stderr.replace("│", " ").split())
    assert "copy it from `gcloud projects list`" in said
    assert "use europe-west1, us-central1 or another" in said
    assert "copy the whole token that @BotFather gave" in said
    assert "run `make bundle` first" in said
    assert "never-in-a-state" not in ran.stdout + ran.stderr


def test_functions_are_made_when_what_they_and_their_builds_need_is_there(terraform):
    edges = re.findall(r'"google_cloudfunctions2_function.function" -> "([\w.]+)"', terraform.done("graph"))
    assert {
        "google_firestore_field.expiry",
        "google_firestore_field.override",
        "google_firestore_index.query",
        "google_project_iam_member.build",
        "google_project_iam_member.build_source",
        "google_project_iam_member.memory",
        "google_secret_manager_secret_iam_member.reader",
        "google_storage_bucket_iam_member.source",
    } <= set(edges)


def changes(terraform, plan):
    """What a plan would do."""
    return json.loads(terraform.done("show", "-json", plan))["resource_changes"]


def state(terraform):
    """The resources of the state."""
    return json.loads(terraform.done("show", "-json")).get("values", {}).get("root_module", {}).get("resources", [])


def granted(resources):
    """Every grant of the state as (account, role, place)."""
    return sorted(grant(each["type"], each["values"]) for each in resources if "_iam_" in each["type"])


def grant(kind, values):
    account = "everybody" if values["member"] == "allUsers" else short(values["member"].removeprefix("serviceAccount:"))
    return account, values["role"], place(kind, values)


def place(kind, values):
    if kind == "google_project_iam_member":
        full = "".join(["project", *(f" if {condition['expression']}" for condition in values["condition"])])
    elif kind == "google_cloud_run_v2_service_iam_member":
        full = f"function {short(values['name'])}"
    elif kind == "google_cloud_tasks_queue_iam_member":
        full = f"queue {values['name']}"
    elif kind == "google_secret_manager_secret_iam_member":
        full = f"secret {short(values['secret_id'])}"
    elif kind == "google_storage_bucket_iam_member":
        full = f"bucket {short(values['bucket'].removeprefix('spomyn-test-'))}"
    elif kind == "google_service_account_iam_member":
        full = f"account {short(values['service_account_id'])}"
    else:
        raise AssertionError(f"docs/iam.md has no word for {kind}")
    return PLACES.get(full, full)


def short(name):
    """A name without the prefix and the project: spomyn-webhook@... is webhook."""
    return name.removeprefix("spomyn-").partition("@")[0]


def documented():
    """The same from the table of docs/iam.md."""
    rows = re.findall(
        r"^\| (\w+) \| `([\w./]+)` \| ([^|]+) \| [^|]+ \|$", (ROOT / "docs/iam.md").read_text(), re.MULTILINE
    )
    return sorted(rows)
