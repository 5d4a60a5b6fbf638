"""`python -m infra.cli.destroy`, behind `make destroy`: deletes what Terraform made, after it was seen and confirmed.

The memory of every group goes with it, so it is refused while the database is protected, and what is deleted is the
plan that was shown, after the project's id was typed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

import click
from dotenv import dotenv_values

from infra.bootstrap import environment
from infra.cli.frame import FAILED, INTERRUPTED, Failed
from infra.cli.terraform import FOLDER, Terraform, terraform_environment
from shared.domain.errors import SettingsError

_PLAN = "destroy.tfplan"
_MEMORY = "google_firestore_database.memory"
_ARCHIVE = "google_storage_bucket.archive[0]"


async def destroy(terraform: Terraform) -> int:
    """Show what would be deleted, ask, delete it; Terraform's exit code.

    Raises:
        SettingsError: Terraform is not installed.
        Failed: There is nothing, the memory is protected, or nobody confirmed.
    """
    variables = (await terraform.variables()).values
    state = await terraform.state()
    if state is None:
        raise Failed("Terraform's state cannot be read: run `make plan` once, which initialises it.")
    if not state:
        raise Failed("There is nothing to destroy: Terraform made nothing, or its state is elsewhere (backend.tf).")
    refuse_protected(variables, state)
    planned = await terraform.show("plan", "-destroy", "-input=false", f"-out={_PLAN}")
    if planned:
        return planned
    try:
        confirm(str(variables["project_id"]), state)
        return await terraform.show("apply", "-input=false", _PLAN)
    finally:
        (FOLDER / _PLAN).unlink(missing_ok=True)


def refuse_protected(variables: Mapping[str, Any], state: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse while the memory is protected from deletion, in the variables or in what is deployed.

    Raises:
        Failed: The variable or the database itself says otherwise, or the variables cannot be read.
    """
    if not variables.get("project_id"):
        raise Failed("Terraform's variables name no project: put project_id into terraform/terraform.tfvars.")
    protected = state.get(_MEMORY, {}).get("delete_protection_state") == "DELETE_PROTECTION_ENABLED"
    if protected or variables.get("deletion_protection", True):
        raise Failed(
            "The memory is protected: to delete it for ever, write deletion_protection = false into "
            "terraform/terraform.tfvars, run `make plan` and `make deploy`, then `make destroy` again."
        )


def confirm(project: str, state: Mapping[str, Mapping[str, Any]]) -> None:
    """Have the project's id typed.

    Raises:
        Failed: Something else was.
    """
    click.echo(f"\nThis deletes for ever what is listed above in {project}, and with it:")
    if _MEMORY in state:
        name = state[_MEMORY]["name"]
        click.echo(f"  the memory: everything that every chat said and the bot learnt (database {name})")
    if _ARCHIVE in state:
        bucket = state[_ARCHIVE]["name"]
        click.echo(f"  the archive {bucket}, once you emptied it: gcloud storage rm --recursive 'gs://{bucket}/**'")
    click.echo("Exports of chats are made by `python -m infra.cli export`. Updates go on coming until the webhook is")
    click.echo("deleted: `python -m infra.cli webhook --delete`.")
    click.echo("Type the project's id to go on: ", nl=False)
    if sys.stdin.readline().strip() != project:
        raise Failed("That is not the project's id: nothing was destroyed.")


def main() -> int:
    """Run it; the exit code."""
    try:
        return asyncio.run(destroy(Terraform(terraform_environment(environment(dotenv_values(".env"))))))
    except (Failed, SettingsError) as error:
        click.echo(f"Error: {error}", err=True)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
