"""What Google has of the project before anything is made: logins, billing, the state's bucket, names that are taken."""

import json
import shutil

import pytest

from infra.cli.checks.diagnosis import Check
from infra.cli.checks.preflight_google import (
    Target,
    look_at_billing,
    look_at_credentials,
    look_at_names,
    look_at_project,
    look_at_state,
)
from infra.cli.terraform import Terraform, terraform_environment
from tests.unit.infra.cli.checkout import PROJECT, ROOT, lines

pytestmark = pytest.mark.usefixtures("terraform_there")

TARGET = Target("my-project", "europe-west1", "spomyn", "(default)", "987")
BACKEND = 'terraform {\n  backend "gcs" {\n    # bucket = "not-this"\n    bucket = "my-state"\n  }\n}\n'


async def test_terraform_needs_a_login_of_its_own(checkout, gcloud, monkeypatch):
    assert lines(await look_at_credentials()) == ["ok: Terraform can log in."]
    gcloud.update(adc=False)
    [told] = lines(await look_at_credentials())
    assert told.startswith("error: Terraform has no credentials")
    assert "Run `gcloud auth application-default login`." in told
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "key.json")
    assert lines(await look_at_credentials()) == ["ok: Terraform takes GOOGLE_APPLICATION_CREDENTIALS."]


async def test_a_project_must_be_there_and_active(checkout, gcloud):
    assert await look_at_project("my-project") == ([Check("project", "ok", "my-project is there.")], "987")
    gcloud.update(projects={"my-project": PROJECT | {"lifecycleState": "DELETE_REQUESTED"}})
    [told] = lines((await look_at_project("my-project"))[0])
    assert told.startswith("error: The project my-project is not active (DELETE_REQUESTED).")
    [told] = lines((await look_at_project("no-project"))[0])
    assert told.startswith("error: The project no-project cannot be reached: [me@example.org] does not have permission")


async def test_somebody_must_pay(checkout, gcloud):
    assert lines(await look_at_billing("my-project")) == ["ok: It is on."]
    gcloud.update(billing={"my-project": False})
    assert (
        "gcloud billing projects link my-project --billing-account=ID" in lines(await look_at_billing("my-project"))[0]
    )


@pytest.mark.parametrize(
    ("buckets", "told"),
    [
        ({"my-state": True}, "ok: It is kept in my-state."),
        ({}, "error: The state's bucket my-state is not there. Run `gcloud storage buckets create gs://my-state"),
        ({"my-state": False}, "warning: The state's bucket keeps no older versions."),
    ],
)
async def test_the_state_has_a_bucket_with_versions(checkout, gcloud, buckets, told):
    (checkout / "terraform" / "backend.tf").write_text(BACKEND)
    gcloud.update(buckets=buckets)
    assert lines(await look_at_state(TARGET, checkout / "terraform"))[0].startswith(told)


async def test_a_bucket_that_nobody_named_yet_is_not_asked_for(checkout, gcloud):
    shutil.copy(ROOT / "terraform" / "backend.tf.example", checkout / "terraform" / "backend.tf")
    [told] = lines(await look_at_state(TARGET, checkout / "terraform"))
    assert told == "error: PROJECT_ID-tfstate is no bucket's name. Name yours in terraform/backend.tf."
    assert gcloud.calls == []


@pytest.fixture
def names(checkout, gcloud):
    """What is said of names, where Terraform made nothing yet."""

    async def look():
        return lines(await look_at_names(Terraform(terraform_environment({})), TARGET))

    return look


TAKEN = [
    ({"functions": ["spomyn-webhook"]}, "a function spomyn-webhook already that this Terraform did not make"),
    ({"queues": ["spomyn"]}, "a queue spomyn already that this Terraform did not make"),
    ({"databases": {"(default)": "FIRESTORE_NATIVE"}}, "terraform import google_firestore_database.memory"),
    ({"databases": {"(default)": "DATASTORE_MODE"}}, "a database (default) in Datastore mode already"),
    ({"deleted_queues": ["spomyn"]}, "A queue spomyn was deleted within seven days"),
]


@pytest.mark.parametrize(("knows", "complaint"), TAKEN)
async def test_a_name_that_somebody_else_has_is_found(names, gcloud, knows, complaint):
    gcloud.update(**knows)
    [told] = await names()
    assert told.startswith("error: ")
    assert complaint in told


async def test_what_this_terraform_made_is_not_taken(names, checkout, gcloud):
    gcloud.update(functions=["spomyn-webhook"], queues=["spomyn"], databases={"(default)": "FIRESTORE_NATIVE"})
    module = 'resource "terraform_data" "x" {}\noutput "made" { value = terraform_data.x.id }\n'
    (checkout / "terraform" / "x.tf").write_text(module)
    (checkout / "terraform" / "terraform.tfstate").write_text(json.dumps(state_of(MADE)))
    assert await names() == ["ok: What is there is this deployment's own."]


MADE = (
    ("google_cloudfunctions2_function", "function", {"index_key": "webhook"}),
    ("google_cloud_tasks_queue", "tasks", {}),
    ("google_firestore_database", "memory", {}),
)


def state_of(made):
    """A file of Terraform's state; terraform.io/builtin/terraform is the one provider that needs no download."""
    of = {"mode": "managed", "provider": 'provider["terraform.io/builtin/terraform"]'}
    resources = [
        {**of, "type": kind, "name": name, "instances": [{"schema_version": 0, "attributes": {}, **key}]}
        for kind, name, key in made
    ]
    return {"version": 4, "terraform_version": "1.11.0", "serial": 1, "lineage": "x", "resources": resources}


async def test_a_terraform_that_cannot_start_says_why(names, checkout, gcloud):
    gcloud.update(queues=["spomyn"])
    (checkout / "terraform" / "x.tf").write_text("resource {}\n")
    [told] = await names()
    assert told.startswith("error: Terraform cannot be started: ")
    assert "python -m infra.cli.terraform init" in told


async def test_where_an_api_is_off_there_is_nothing_to_ask_for(names, gcloud):
    gcloud.update(apis=["serviceusage.googleapis.com"])
    assert await names() == [
        (
            "error: cloudresourcemanager.googleapis.com must be on before Terraform can look at the project. "
            "Run `gcloud services enable cloudresourcemanager.googleapis.com --project=my-project`."
        ),
        "ok: None is taken.",
    ]
