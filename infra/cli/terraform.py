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
from shared.domain.text.plain import one_line

FOLDER = Path("terraform")
"""The root module, from the checkout's root, where every command is run."""

SECRETS = ("TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "GEMINI_API_KEY", "ARCHIVE_SECRET_ACCESS_KEY")
"""Settings that Terraform takes as ephemeral variables of the same name, in lower case."""

OLDEST = (1, 11)
"""The first Terraform with write-only arguments, which keep secrets out of its state."""

_MISSING = "Terraform is not installed: install 1.11 or newer (https://developer.hashicorp.com/terraform/install)."
_VALIDATION = re.compile(r"^  validation \{\n.*?^  \}\n", re.MULTILINE | re.DOTALL)
_FILES = ("terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json")
_SAID = 300
_ELSEWHERE = ("local.", "fileexists(")  # what a validation cannot ask outside its module
_VARIABLE = re.compile(r'^variable "(\w+)" \{\n(.*?)^\}', re.MULTILINE | re.DOTALL)


class Ran(NamedTuple):
    """The result of a run: its exit code, and what it wrote."""

    code: int
    out: str
    err: str


class Variables(NamedTuple):
    """The variables as Terraform sees them.

    Attributes:
        values: With defaults, without the ephemeral ones; empty when they cannot be read at all.
        problems: What is wrong with them, one sentence each.
        unread: What is written in the files of variables and not read, and secrets there, one sentence each.
    """

    values: Mapping[str, Any]
    problems: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def terraform_environment(env: Mapping[str, str]) -> dict[str, str]:
    """This environment with the secrets that are set, as Terraform's variables; `.env` may hold TF_VAR_* itself."""
    own = {name: value for name, value in env.items() if name.startswith("TF_VAR_")}
    secrets = {f"TF_VAR_{name.lower()}": env[name] for name in SECRETS if env.get(name)}
    return {**os.environ, **own, **secrets}


def find_terraform() -> str:
    """Return the path of Terraform.

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
            find_terraform(),
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
        program = find_terraform()
        process = await asyncio.create_subprocess_exec(program, f"-chdir={self._folder}", *arguments, env=self._env)
        return await process.wait()

    async def _check_version(self) -> None:
        told = _parse_field((await self.run("version", "-json")).out, "terraform_version")
        if tuple(map(int, re.findall(r"\d+", told)[:2])) < OLDEST:
            oldest = ".".join(map(str, OLDEST))
            why = f"older than {oldest} it would keep secrets in its state"
            raise SettingsError(f"Terraform is of version {told or 'unknown'}: {why}. Install {oldest} or newer.")

    async def variables(self) -> Variables:
        """Read and judge the variables, in a folder of their own: no provider, no state, no network is needed.

        Validations that ask the rest of the module are left to `terraform plan`, which judges them all before it makes
        anything.

        Raises:
            SettingsError: Terraform is not installed, or too old.
        """
        await self._check_version()
        declared = "\n".join(each.read_text("utf-8") for each in sorted(self._folder.glob("variables*.tf")))
        judged = await self._plan(without_validations(declared, _ELSEWHERE))
        values = judged.values or (await self._plan(without_validations(declared, ("",)))).values
        return Variables(values, judged.problems, (*judged.unread, *self._secrets_in_files()))

    def _files(self) -> list[Path]:
        return [file for form in _FILES for file in self._folder.glob(form)]

    def _secrets_in_files(self) -> Iterator[str]:
        """They would be taken before those of `.env`."""
        for file in self._files():
            for name in SECRETS:
                if re.search(rf'^\s*"?{name.lower()}"?\s*[=:]', file.read_text("utf-8"), re.MULTILINE):
                    yield f"{file.name} holds {name.lower()}: a secret stands only in .env, as {name}; delete it there."

    async def _plan(self, declared: str) -> Variables:
        """Plan nothing but variables: the plan holds their values, the messages what is wrong."""
        with tempfile.TemporaryDirectory(prefix="spomyn-variables-") as name:
            folder = Path(name)
            (folder / "variables.tf").write_text(declared + _read_back(declared), encoding="utf-8")
            for file in self._files():
                shutil.copy(file, folder)
            ran = await self.run("plan", "-json", "-input=false", "-out=plan", folder=folder)
            problems, unread = tuple(_sentences(ran.out, "error")), tuple(_sentences(ran.out, "warning", "undeclared"))
            if problems or ran.code:
                return Variables({}, problems or (f"Terraform fails: {one_line(ran.err, _SAID)}",), unread)
            shown = json.loads((await self.run("show", "-json", "plan", folder=folder)).out)
            written = {name: each.get("value") for name, each in shown.get("variables", {}).items()}
            read = shown["planned_values"]["outputs"]["read"]["value"]
            dropped = [_no_variable(name) for name in unread_names(written, written | read)]
            return Variables(written | read, (), (*unread, *dropped))

    async def addresses(self) -> set[str] | None:
        """List what Terraform has made, or None when its state cannot be read; no provider is asked."""
        ran = await self.run("state", "list")
        if ran.code:
            return set() if "No state file was found" in ran.err else None
        return set(ran.out.split())

    async def state(self) -> dict[str, dict[str, Any]] | None:
        """Return the attributes of what Terraform has made, as providers show it; None when its state is unreadable."""
        ran = await self.run("show", "-json")
        if ran.code:
            return None
        root = json.loads(ran.out).get("values", {}).get("root_module", {})
        return {each["address"]: each["values"] for each in root.get("resources", [])}


def without_validations(declared: str, words: Sequence[str]) -> str:
    """Variables without the validations in which one of these words is; `terraform fmt` keeps them in this form."""
    return _VALIDATION.sub(lambda found: "" if any(word in found[0] for word in words) else found[0], declared)


def _read_back(declared: str) -> str:
    """An output of the variables that a plan may hold, as they are read: names that an object has not are gone."""
    names = [name for name, body in _VARIABLE.findall(declared) if not re.search(r"^  ephemeral", body, re.MULTILINE)]
    return f'\noutput "read" {{\n  value = {{{", ".join(f"{each} = var.{each}" for each in names)}}}\n}}\n'


def unread_names(written: Any, read: Any, path: str = "") -> Iterator[str]:
    """Names that are in what is written and not in what is read of it, at any depth, like functions.webhook.memroy."""
    if isinstance(written, Mapping) and isinstance(read, Mapping):
        for name, value in written.items():
            if name in read:
                yield from unread_names(value, read[name], f"{path}{name}.")
            else:
                yield f"{path}{name}"


def _no_variable(name: str) -> str:
    return f"{name} is no variable of ours: see terraform/variables.tf for its right name."


def _parse_field(text: str, field: str) -> str:
    try:
        return str(json.loads(text).get(field, ""))
    except ValueError:
        return ""


def _sentences(told: str, severity: str, about: str = "") -> Iterator[str]:
    """The messages of a severity, with a word in their summary, among Terraform's JSON lines, one sentence each."""
    for line in told.splitlines():
        diagnostic = json.loads(line).get("diagnostic", {}) if line.startswith("{") else {}
        if diagnostic.get("severity") == severity and about in diagnostic["summary"]:
            yield _sentence(diagnostic)


def _sentence(diagnostic: Mapping[str, Any]) -> str:
    summary, detail = diagnostic["summary"], diagnostic.get("detail", "").partition("\n\n")[0].strip()
    if summary == "Invalid value for variable":  # our own sentence, of a validation
        return re.sub(r"TF_VAR_(\w+)", lambda found: f"{found[1].upper()} (.env)", detail)
    if summary == "Value for undeclared variable":
        name = re.search(r'"(\w+)"', detail)
        return _no_variable(name[1] if name else "Something")
    where = diagnostic.get("range", {})
    place = f" ({where['filename']}, line {where['start']['line']})" if where else ""
    if summary == "Variables not allowed":
        return f'A text stands without quotes{place}: write it like "this".'
    return f"{summary}{place}: {detail or 'correct it'}"


def main(argv: Sequence[str]) -> None:
    """Become Terraform in its folder, with the secrets; never returns."""
    try:
        program = find_terraform()
    except SettingsError as error:
        sys.exit(f"Error: {error}")
    env = terraform_environment(environment(dotenv_values(".env")))
    os.execve(program, [program, f"-chdir={FOLDER}", *argv], env)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main(sys.argv[1:])
