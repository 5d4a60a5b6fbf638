"""Terraform as the operator's commands run it, and `python -m infra.cli.terraform ARGUMENTS` for the Makefile.

The secrets of `.env` reach it as TF_VAR_* in its environment: never on a command line, which every user of the machine
can read, and never in a file of variables. They are ephemeral variables: a saved plan does not hold them, so they are
given again when it is applied.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dotenv import dotenv_values

from infra.bootstrap import environment
from shared.domain.errors import SettingsError

FOLDER = Path("terraform")
"""The root module, from the checkout's root, where every command is run."""

SECRETS = ("TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "GEMINI_API_KEY", "ARCHIVE_SECRET_ACCESS_KEY")
"""Settings that Terraform takes as ephemeral variables of the same name, in lower case."""

OLDEST = (1, 11)
"""The first Terraform with write-only arguments, which keep secrets out of its state."""

_MISSING = "Terraform is not installed: install 1.11 or newer (https://developer.hashicorp.com/terraform/install)."
_VALIDATION = re.compile(r"^  validation \{\n.*?^  \}\n", re.MULTILINE | re.DOTALL)
_ELSEWHERE = ("local.", "fileexists(")  # what a validation cannot ask outside its module


class Ran(NamedTuple):
    """What a run came to: its exit code, and what it wrote."""

    code: int
    out: str
    err: str


class Variables(NamedTuple):
    """The variables as Terraform sees them.

    Attributes:
        values: With defaults, without the ephemeral ones; empty when they cannot be read at all.
        problems: What is wrong with them, one sentence each.
        doubts: What is odd about them.
    """

    values: Mapping[str, Any]
    problems: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def terraform_environment(env: Mapping[str, str]) -> dict[str, str]:
    """This environment with the secrets that are set, as Terraform's variables; `.env` may hold TF_VAR_* itself."""
    own = {name: value for name, value in env.items() if name.startswith("TF_VAR_")}
    secrets = {f"TF_VAR_{name.lower()}": env[name] for name in SECRETS if env.get(name)}
    return {**os.environ, **own, **secrets}


def installed() -> str:
    """Where Terraform is.

    Raises:
        SettingsError: It is not on PATH.
    """
    found = shutil.which("terraform")
    if found is None:
        raise SettingsError(_MISSING)
    return found


class Terraform:
    """Terraform in a folder.

    Args:
        env: Its whole environment; see `terraform_environment`.
    """

    def __init__(self, env: Mapping[str, str], folder: Path = FOLDER) -> None:
        self._env, self._folder = dict(env), folder

    async def run(self, *arguments: str, folder: Path | None = None) -> Ran:
        """Run it and keep what it writes.

        Raises:
            SettingsError: It is not installed.
        """
        process = await asyncio.create_subprocess_exec(
            installed(),
            f"-chdir={folder or self._folder}",
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**self._env, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1"},
        )
        out, err = await process.communicate()
        return Ran(process.returncode or 0, out.decode(), err.decode())

    async def show(self, *arguments: str) -> int:
        """Run it in sight of the operator; its exit code.

        Raises:
            SettingsError: It is not installed.
        """
        program = installed()
        process = await asyncio.create_subprocess_exec(program, f"-chdir={self._folder}", *arguments, env=self._env)
        return await process.wait()

    async def version(self) -> tuple[int, ...]:
        """Major, minor, patch; () when it does not tell."""
        found = re.match(r"(\d+)\.(\d+)\.(\d+)", _parsed((await self.run("version", "-json")).out, "terraform_version"))
        return tuple(map(int, found.groups())) if found else ()

    async def variables(self) -> Variables:
        """Read and judge the variables, in a folder of their own: no provider, no state, no network is needed.

        Validations that ask the rest of the module are left to `terraform plan`, which judges them all before it makes
        anything.
        """
        declared = "\n".join(each.read_text("utf-8") for each in sorted(self._folder.glob("variables*.tf")))
        judged = await self._planned(without_validations(declared, _ELSEWHERE))
        if not judged.problems:
            return judged
        return judged._replace(values=(await self._planned(without_validations(declared, ("",)))).values)

    async def _planned(self, declared: str) -> Variables:
        """Plan nothing but variables: the plan holds their values, the messages what is wrong."""
        with tempfile.TemporaryDirectory(prefix="spomyn-variables-") as name:
            folder = Path(name)
            (folder / "variables.tf").write_text(declared, encoding="utf-8")
            for file in [*self._folder.glob("terraform.tfvars*"), *self._folder.glob("*.auto.tfvars*")]:
                shutil.copy(file, folder)
            told = (await self.run("plan", "-json", "-input=false", "-out=plan", folder=folder)).out
            problems, doubts = (tuple(_sentences(told, severity)) for severity in ("error", "warning"))
            if problems:
                return Variables({}, problems, doubts)
            shown = json.loads((await self.run("show", "-json", "plan", folder=folder)).out)
            values = {name: each.get("value") for name, each in shown.get("variables", {}).items()}
            return Variables(values, (), doubts)

    async def addresses(self) -> set[str] | None:
        """What Terraform has made; None when its state cannot be read. It must be initialised; no provider is asked."""
        ran = await self.run("state", "list")
        if ran.code:
            return set() if "No state file was found" in ran.err else None
        return set(ran.out.split())

    async def state(self) -> dict[str, dict[str, Any]] | None:
        """The same with the attributes of each resource, as its provider shows them."""
        ran = await self.run("show", "-json")
        if ran.code:
            return None
        root = json.loads(ran.out).get("values", {}).get("root_module", {})
        return {each["address"]: each["values"] for each in root.get("resources", [])}


def without_validations(declared: str, words: Sequence[str]) -> str:
    """Variables without the validations in which one of these words is; `terraform fmt` keeps them in this form."""
    return _VALIDATION.sub(lambda found: "" if any(word in found[0] for word in words) else found[0], declared)


def _parsed(text: str, field: str) -> str:
    try:
        return str(json.loads(text).get(field, ""))
    except ValueError:
        return ""


def _sentences(told: str, severity: str) -> Iterator[str]:
    """The messages of a severity among Terraform's JSON lines, one sentence each."""
    for line in told.splitlines():
        diagnostic = json.loads(line).get("diagnostic", {}) if line.startswith("{") else {}
        if diagnostic.get("severity") == severity:
            yield _sentence(diagnostic)


def _sentence(diagnostic: Mapping[str, Any]) -> str:
    summary, detail = diagnostic["summary"], diagnostic.get("detail", "").partition("\n\n")[0].strip()
    if summary == "Invalid value for variable":  # our own sentence, of a validation
        return re.sub(r"TF_VAR_(\w+)", lambda found: f"{found[1].upper()} (.env)", detail)
    if summary == "Value for undeclared variable":
        name = re.search(r'"(\w+)"', detail)
        return f"{name[1] if name else 'Something'} is no variable of ours: see variables.tf for its right name."
    where = diagnostic.get("range", {})
    place = f" ({where['filename']}, line {where['start']['line']})" if where else ""
    return f"{summary}{place}: {detail or 'correct it'}"


def main(argv: Sequence[str]) -> None:
    """Become Terraform in its folder, with the secrets; never returns."""
    try:
        program = installed()
    except SettingsError as error:
        sys.exit(f"Error: {error}")
    env = terraform_environment(environment(dotenv_values(".env")))
    os.execve(program, [program, f"-chdir={FOLDER}", *argv], env)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main(sys.argv[1:])
