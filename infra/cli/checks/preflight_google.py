"""The checks of `preflight` that ask Terraform and Google, by the operator's own gcloud: nothing is changed."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infra.cli.checks.diagnosis import Check
from infra.cli.gcloud import GcloudRefused, ask
from infra.cli.terraform import Terraform, Variables

FUNCTIONS = ("webhook", "answer", "extract", "maintenance")

_CREDENTIALS = ("GOOGLE_CREDENTIALS", "GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_OAUTH_ACCESS_TOKEN")
"""Any of them gives Terraform's Google provider its credentials (its documentation); else gcloud's login does."""

FIRST_APIS = ("cloudresourcemanager.googleapis.com", "serviceusage.googleapis.com")
"""APIs that the first plan asks for the project's number and what is on (apis.tf); Terraform turns on the others."""

_QUEUE_TOMBSTONE = "7d"
"""Time in which the name of a deleted queue cannot be used again (Cloud Tasks, deleting queues)."""

_LOGIN = "Run `gcloud auth login`."


@dataclass(frozen=True, slots=True)
class Target:
    """The target of the deployment.

    Attributes:
        project, region, prefix, database: As the variables say.
        number: The project's number.
    """

    project: str
    region: str
    prefix: str
    database: str
    number: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Target:
        """Read them from Terraform's variables."""
        database = values.get("firestore_database", "(default)")
        return cls(values["project_id"], values["region"], values["prefix"], database)

    def with_number(self, number: str) -> Target:
        """Return the target with the project's number."""
        return replace(self, number=number)

    @property
    def webhook_host(self) -> tuple[str, str]:
        """Return how the webhook function's host begins and ends (locals.tf: urls)."""
        return f"{self.prefix}-webhook-{self.number}.", f"{self.region}.run.app"


async def look_at_terraform(terraform: Terraform) -> tuple[list[Check], Variables]:
    """Check what Terraform's variables say.

    Raises:
        SettingsError: It is not installed, or too old.
    """
    read = await terraform.variables()
    checks = [Check("variables", "error", each) for each in (*read.problems, *read.unread)]
    if not checks:
        where = f"{read.values['project_id']}, {read.values['region']}"
        checks.append(Check("variables", "ok", f"They are whole: {where}, names begin with {read.values['prefix']}."))
    return checks, read


async def look_at_project(project: str) -> tuple[list[Check], str | None]:
    """Check that whoever is logged in sees the project, and find its number."""
    try:
        found = await ask("projects", "describe", project)
    except GcloudRefused as error:
        if error.logged_out:
            return [Check("project", "error", "Nobody is logged in to gcloud.", _LOGIN)], None
        remedy = "Correct project_id, make the project, or log in with an account that may see it."
        return [Check("project", "error", f"The project {project} cannot be reached: {error}", remedy)], None
    if found.get("lifecycleState") != "ACTIVE":
        text = f"The project {project} is not active ({found.get('lifecycleState')})."
        return [Check("project", "error", text, "Restore it, or choose another project_id.")], None
    return [Check("project", "ok", f"{project} is there.")], str(found["projectNumber"])


async def look_at_credentials() -> list[Check]:
    """Check that Terraform can log in: it does not use gcloud's own login."""
    given = [name for name in _CREDENTIALS if os.environ.get(name)]
    if given:
        return [Check("credentials", "ok", f"Terraform takes {given[0]}.")]
    try:
        await ask("auth", "application-default", "print-access-token")
    except GcloudRefused:
        text = "Terraform has no credentials: gcloud's own login is not enough for it."
        return [Check("credentials", "error", text, "Run `gcloud auth application-default login`.")]
    return [Check("credentials", "ok", "Terraform can log in.")]


async def look_at_billing(project: str) -> list[Check]:
    """Check that the project has a billing account."""
    try:
        found = await ask("billing", "projects", "describe", project)
    except GcloudRefused as error:
        text = f"Whether billing is on cannot be seen: {error}"
        return [Check("billing", "warning", text, "See that the project has a billing account.")]
    if found.get("billingEnabled"):
        return [Check("billing", "ok", "It is on.")]
    remedy = f"Run `gcloud billing projects link {project} --billing-account=ID` (`gcloud billing accounts list`)."
    return [Check("billing", "error", f"The project {project} has no billing account.", remedy)]


def state_bucket(folder: Path) -> str | None:
    """The bucket that backend.tf names, or None when the state is kept in the folder."""
    file = folder / "backend.tf"
    found = re.search(r'^\s*bucket\s*=\s*"([^"]+)"', file.read_text("utf-8"), re.MULTILINE) if file.is_file() else None
    return found[1] if found else None


async def look_at_state(target: Target, folder: Path) -> list[Check]:
    """Check that the bucket of Terraform's state is there."""
    bucket = state_bucket(folder)
    if bucket is None:
        text = "Terraform's state is kept in this folder only: without it nothing can be changed or destroyed."
        remedy = "Copy terraform/backend.tf.example to terraform/backend.tf and name a bucket."
        return [Check("state", "warning", text, remedy)]
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]", bucket):
        return [Check("state", "error", f"{bucket} is no bucket's name.", "Name yours in terraform/backend.tf.")]
    try:
        found = await ask("storage", "buckets", "describe", f"gs://{bucket}")
    except GcloudRefused as error:
        if not error.not_found:
            return [
                Check("state", "error", f"The state's bucket cannot be seen: {error}", "Correct terraform/backend.tf.")
            ]
        remedy = (
            f"Run `gcloud storage buckets create gs://{bucket} --project={target.project} --location={target.region} "
            f"--uniform-bucket-level-access --public-access-prevention` and "
            f"`gcloud storage buckets update gs://{bucket} --versioning`."
        )
        return [Check("state", "error", f"The state's bucket {bucket} is not there.", remedy)]
    if not found.get("versioning_enabled"):
        remedy = f"Run `gcloud storage buckets update gs://{bucket} --versioning`."
        return [Check("state", "warning", "The state's bucket keeps no older versions.", remedy)]
    return [Check("state", "ok", f"It is kept in {bucket}.")]


async def look_at_names(terraform: Terraform, target: Target) -> list[Check]:
    """Check that nothing of what would be made is there already, made by somebody else."""
    try:
        on = {each["config"]["name"] for each in await ask("services", "list", "--enabled", _project(target))}
        taken = await asyncio.gather(_functions(target, on), _queues(target, on), _database(target, on))
    except GcloudRefused as error:
        return [Check("names", "error", f"What is there already cannot be seen: {error}", "Ask for the role Viewer.")]
    found = {address: check for checks in taken for address, check in checks.items()}
    return [*_apis(target, on), *await _foreign(terraform, found)]


def _apis(target: Target, on: set[str]) -> list[Check]:
    off = [api for api in FIRST_APIS if api not in on]
    if not off:
        return []
    remedy = f"Run `gcloud services enable {' '.join(off)} {_project(target)}`."
    return [Check("apis", "error", f"{' and '.join(off)} must be on before Terraform can look at the project.", remedy)]


async def _foreign(terraform: Terraform, found: Mapping[str, Check]) -> list[Check]:
    """Return what is there and not in Terraform's state; the state is asked for only when something is there."""
    if not found:
        return [Check("names", "ok", "None is taken.")]
    started = await terraform.run("init", "-input=false", "-no-color")
    made = await terraform.addresses() if not started.code else None
    if made is None:
        said = re.search(r"Error: (.+)", started.err)
        text = f"Terraform cannot be started: {said[1] if said else 'its state cannot be read'}."
        return [
            Check("names", "error", text, "Run `.venv/bin/python -m infra.cli.terraform init` and read what it says.")
        ]
    foreign = [check for address, check in found.items() if address not in made]
    return foreign or [Check("names", "ok", "What is there is this deployment's own.")]


def _project(target: Target) -> str:
    return f"--project={target.project}"


async def _functions(target: Target, on: set[str]) -> dict[str, Check]:
    """Errors by the address under which Terraform would have the function. Where an API is off, there is nothing."""
    if "cloudfunctions.googleapis.com" not in on:
        return {}
    found = await ask("functions", "list", f"--regions={target.region}", _project(target))
    there = {each["name"].rpartition("/")[2] for each in found}
    return {
        f'google_cloudfunctions2_function.function["{each}"]': _report_taken("a function", f"{target.prefix}-{each}")
        for each in FUNCTIONS
        if f"{target.prefix}-{each}" in there
    }


def _report_taken(what: str, name: str) -> Check:
    text = f"There is {what} {name} already that this Terraform did not make."
    return Check("names", "error", text, "Choose another prefix in terraform/terraform.tfvars, or delete it.")


async def _queues(target: Target, on: set[str]) -> dict[str, Check]:
    if "cloudtasks.googleapis.com" not in on:
        return {}
    names = {"tasks": target.prefix, "answers": f"{target.prefix}-answers"}
    found = await asyncio.gather(*(_queue(target, name, on) for name in names.values()))
    return {
        f"google_cloud_tasks_queue.{each}": check for each, check in zip(names, found, strict=True) if check is not None
    }


async def _queue(target: Target, name: str, on: set[str]) -> Check | None:
    try:
        await ask("tasks", "queues", "describe", name, f"--location={target.region}", _project(target))
    except GcloudRefused as error:
        if not error.not_found:
            raise
        return _report_soft_deleted(name) if await _was_deleted(target, name, on) else None
    return _report_taken("a queue", name)


async def _was_deleted(target: Target, name: str, on: set[str]) -> bool:
    """Return whether the audit log, which cannot be switched off, tells of the queue's deletion."""
    if "logging.googleapis.com" not in on:
        return False
    where = (
        'protoPayload.serviceName="cloudtasks.googleapis.com" AND protoPayload.methodName:"DeleteQueue" AND '
        f'protoPayload.resourceName=~"/locations/{target.region}/queues/{name}$"'
    )
    return bool(await ask("logging", "read", where, f"--freshness={_QUEUE_TOMBSTONE}", "--limit=1", _project(target)))


def _report_soft_deleted(name: str) -> Check:
    text = f"A queue {name} was deleted within seven days: Cloud Tasks does not give its name again so soon."
    return Check("names", "error", text, "Wait, or choose another prefix in terraform/terraform.tfvars.")


async def _database(target: Target, on: set[str]) -> dict[str, Check]:
    if "firestore.googleapis.com" not in on:
        return {}
    full = f"projects/{target.project}/databases/{target.database}"
    found = {each["name"]: each for each in await ask("firestore", "databases", "list", _project(target))}
    if full not in found:
        return {}
    kind = "in Datastore mode " if found[full].get("type") == "DATASTORE_MODE" else ""
    text = f"There is a database {target.database} {kind}already that this Terraform did not make."
    address = "google_firestore_database.memory"
    remedy = (
        "Choose another firestore_database in terraform/terraform.tfvars, or, if it is this bot's memory, run "
        f"`.venv/bin/python -m infra.cli.terraform import {address} '{full}'`."
    )
    return {address: Check("names", "error", text, remedy)}
