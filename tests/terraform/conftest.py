"""Terraform itself, on copies of the modules in folders of their own, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.terraform.offline import ROOT, google_stand_in

_LEFT_OUT = shutil.ignore_patterns(".terraform*", "*.tfstate*", "*.tfvars", "*.tfplan", "backend.tf", "aws-archive")


@dataclass(frozen=True)
class Terraform:
    """Terraform in a copy of the root module."""

    folder: Path
    environment: Mapping[str, str]

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run one command; `variables` are given as TF_VAR_NAME."""
        given = {f"TF_VAR_{name}": text for name, text in variables.items()}
        return subprocess.run(
            ["terraform", arguments[0], "-no-color", *arguments[1:]],
            cwd=self.folder,
            env={**self.environment, **given},
            capture_output=True,
            text=True,
            check=False,
        )

    def done(self, *arguments: str, **variables: str) -> str:
        """What a command says that must succeed."""
        ran = self.run(*arguments, **variables)
        assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
        return ran.stdout


@pytest.fixture
def terraform(tmp_path: Path) -> Iterator[Terraform]:
    """An initialised copy of terraform/ with the stand-in provider.

    Without Terraform this is a failure in CI, elsewhere a skip that names the remedy.
    """
    if shutil.which("terraform") is None:
        absent = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        absent("Terraform is not on PATH: install 1.11 or newer to check terraform/")
    module = shutil.copytree(ROOT / "terraform", tmp_path / "terraform", ignore=_LEFT_OUT)
    shutil.copy(ROOT / "firestore.indexes.json", tmp_path)
    settings = tmp_path / "terraformrc"
    settings.write_text("disable_checkpoint = true\n")
    with google_stand_in() as stand_in:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "TF_CLI_CONFIG_FILE": str(settings),
            **stand_in,
        }
        made = Terraform(module, environment)
        made.done("init", "-backend=false")
        yield made
