"""Terraform with no network: the stand-in provider as a process, and the environment that leads Terraform to it.

By hand, from the checkout: `python -m tests.terraform.offline terraform -chdir=terraform test`.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@contextlib.contextmanager
def google_stand_in() -> Iterator[dict[str, str]]:
    """Run the provider; the variables that make Terraform use it instead of one from a registry."""
    with tempfile.TemporaryDirectory() as folder:  # a socket's path must be short
        socket = f"{folder}/google.sock"
        command = [sys.executable, "-m", "tests.terraform.offline.provider", socket]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                if process.stdout.readline() != "listening\n":
                    raise RuntimeError("the stand-in provider did not start")
                yield {"TF_REATTACH_PROVIDERS": _reattach(process.pid, socket), **_QUIET}
            finally:
                process.kill()


_QUIET = {"CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_INPUT": "0", "GOGC": "400"}
"""No questions and no look for news; and a fifth less time, for memory that a short run has to spare."""


def _reattach(pid: int, socket: str) -> str:
    how = {"Protocol": "grpc", "ProtocolVersion": 6, "Pid": pid, "Test": True}
    where = {"Network": "unix", "String": socket}
    return json.dumps({"registry.terraform.io/hashicorp/google": {**how, "Addr": where}})
