"""Where Terraform's AWS provider lies on this machine: tests download nothing."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}


def mirror() -> Path | None:
    """The first mirror folder that holds the provider for this machine, packed or not; None without one.

    Looked at are $TF_PLUGIN_MIRROR, the mirrors that Terraform knows by itself and every folder of /opt. In a mirror it
    is at HOST/hashicorp/aws, as `terraform providers mirror FOLDER` puts it there.
    """
    return next((each for each in _mirrors() if _holds_provider(each)), None)


def missing() -> str:
    """What keeps the AWS module from being tried here, and the remedy; "" when nothing does."""
    if shutil.which("terraform") is None:
        return "Terraform is not on PATH: install 1.11 or newer to check terraform/aws-archive"
    if mirror() is None:
        return "no mirror has Terraform's AWS provider: `terraform providers mirror FOLDER`, TF_PLUGIN_MIRROR=FOLDER"
    return ""


def _mirrors() -> Iterator[Path]:
    if given := os.environ.get("TF_PLUGIN_MIRROR"):
        yield Path(given)
    yield Path.home() / ".terraform.d/plugins"
    yield Path("/usr/local/share/terraform/plugins")
    yield Path("/usr/share/terraform/plugins")
    yield from sorted(Path("/opt").glob("*/"))


def _holds_provider(folder: Path) -> bool:
    machine = platform.machine()
    here = f"{platform.system().lower()}_{_MACHINES.get(machine, machine)}"
    names = (f"*/hashicorp/aws/*/{here}", f"*/hashicorp/aws/terraform-provider-aws_*_{here}.zip")
    return any(any(folder.glob(name)) for name in names)
