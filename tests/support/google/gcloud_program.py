"""The program behind `FakeGcloud`: a small state in a file, one function per command. Only the standard library.

What it knows: account (bool), adc (bool), projects {id: described}, billing {id: bool or None}, apis [name], functions
[name], queues [name], deleted_queues [name], databases {name: type}, buckets {name: versioned}, entries [log entry],
region.
"""

import json
import os
import re
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
KNOWS = json.loads((FOLDER / "gcloud.json").read_text())
LOGIN = (
    "You do not currently have an active account selected.\nPlease run:\n\n  $ gcloud auth login\n\n"
    "to obtain new credentials.\n\nIf you have already logged in with a different account, run:\n\n"
    "  $ gcloud config set account ACCOUNT\n\nto select an already authenticated account to use."
)


class Refused(Exception):
    """An error of gcloud's."""


def describe_project(project):
    if project not in KNOWS["projects"]:
        raise Refused(
            f"[me@example.org] does not have permission to access projects instance [{project}] (or it may not exist): "
            "The caller does not have permission."
        )
    return KNOWS["projects"][project]


def describe_billing(project):
    on = KNOWS["billing"][project]
    return on is not None and {
        "billingAccountName": "billingAccounts/0" if on else "",
        "billingEnabled": on,
        "projectId": project,
    }


def token():
    if not KNOWS["adc"]:
        raise Refused(
            "Your default credentials were not found. To set up Application Default Credentials, see "
            "https://cloud.google.com/docs/authentication/external/set-up-adc for more information."
        )
    return {"token": "not-to-be-shown"}


def list_services(project):
    return [
        {"config": {"name": api}, "name": f"projects/1/services/{api}", "state": "ENABLED"} for api in KNOWS["apis"]
    ]


def list_functions(region, project):
    needs("cloudfunctions")
    at = f"projects/{project}/locations/{region}/functions"
    return [{"environment": "GEN_2", "name": f"{at}/{name}", "state": "ACTIVE"} for name in KNOWS["functions"]]


def describe_queue(queue, region, project):
    needs("cloudtasks")
    if queue not in KNOWS["queues"]:
        raise Refused("NOT_FOUND: Requested entity was not found.")
    return {"name": f"projects/{project}/locations/{region}/queues/{queue}", "state": "RUNNING"}


def list_databases(project):
    needs("firestore")
    known = KNOWS["databases"].items()
    return [
        {"name": f"projects/{project}/databases/{name}", "type": kind, "locationId": "eur3"} for name, kind in known
    ]


def describe_bucket(bucket):
    if bucket not in KNOWS["buckets"]:
        raise Refused(f"gs://{bucket} not found: 404.")
    versions = {"versioning_enabled": True} if KNOWS["buckets"][bucket] else {}
    return {"location": "EUROPE-WEST1", "name": bucket, "storage_url": f"gs://{bucket}/", **versions}


def read_deletions(region, queue, project):
    needs("logging")
    return [{"protoPayload": {"methodName": "DeleteQueue"}}] if queue in KNOWS["deleted_queues"] else []


def read_logs(services, region, severity, project, freshness, limit):
    needs("logging")
    wanted = re.findall(r'"([^"]+)"', services)
    found = [each for each in KNOWS["entries"] if each["resource"]["labels"]["service_name"] in wanted]
    return sorted(found, key=lambda each: each["timestamp"], reverse=True)[: int(limit)]


def needs(api):
    if f"{api}.googleapis.com" not in KNOWS["apis"]:
        raise Refused(f"PERMISSION_DENIED: {api} API has not been used in project 1 before or it is disabled.")


PROJECT = r"--project=([a-z][a-z0-9-]+)"
REGION = r"([a-z]+-[a-z]+\d)"
COMMANDS = {
    r"projects describe ([a-z][a-z0-9-]+)": describe_project,
    r"billing projects describe ([a-z][a-z0-9-]+)": describe_billing,
    r"auth application-default print-access-token": token,
    rf"services list --enabled {PROJECT}": list_services,
    rf"functions list --regions={REGION} {PROJECT}": list_functions,
    rf"tasks queues describe ([a-z0-9-]+) --location={REGION} {PROJECT}": describe_queue,
    rf"firestore databases list {PROJECT}": list_databases,
    r"storage buckets describe gs://(\S+)": describe_bucket,
    r'logging read protoPayload.serviceName="cloudtasks.googleapis.com" AND protoPayload.methodName:"DeleteQueue" AND '
    rf'protoPayload.resourceName=~"/locations/{REGION}/queues/([a-z0-9-]+)\$" --freshness=7d --limit=1 {PROJECT}': (
        read_deletions
    ),
    r'logging read resource.type="cloud_run_revision" AND resource.labels.service_name=\(([^()]+)\) AND '
    rf'resource.labels.location="{REGION}" AND severity>=([A-Z]+) {PROJECT} --freshness=(\d+[smhd]) --limit=(\d+)': (
        read_logs
    ),
}


def answer(line):
    if os.environ.get("CLOUDSDK_CORE_DISABLE_PROMPTS") != "1":
        raise Refused("a prompt would wait for ever")
    if os.environ.get("CLOUDSDK_CORE_SHOULD_PROMPT_TO_ENABLE_API") != "false":
        raise Refused("a look would turn an API on")
    for form, command in COMMANDS.items():
        if found := re.fullmatch(form + " --format=json", line):
            if not KNOWS["account"] and command is not token:
                raise Refused(LOGIN)
            return command(*found.groups())
    raise Refused(f"Invalid choice: {line!r}.")


def main(arguments):
    with (FOLDER / "gcloud.calls").open("a") as calls:
        calls.write(json.dumps(arguments) + "\n")
    group = ".".join(arguments[: 3 if arguments[0] in ("tasks", "storage", "firestore", "billing") else 2])
    try:
        sys.stdout.write(json.dumps(answer(" ".join(arguments)), indent=2) + "\n")
    except Refused as error:
        sys.exit(f"ERROR: (gcloud.{group}) {error}")


main(sys.argv[2:])
