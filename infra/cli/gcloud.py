"""The operator's own gcloud, asked for JSON: what is there already, and what was logged."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from typing import Any

from shared.domain.errors import PermanentError, SettingsError

_MISSING = "gcloud is not installed: install the Google Cloud CLI (https://cloud.google.com/sdk/docs/install)."
_OLD = "This gcloud is too old, it does not know `gcloud {}`: run `gcloud components update`."

_SAID = 300
_QUIET = {
    "CLOUDSDK_CORE_DISABLE_PROMPTS": "1",
    "CLOUDSDK_CORE_SHOULD_PROMPT_TO_ENABLE_API": "false",  # else a look would switch an API on
}


class GcloudRefused(PermanentError):
    """gcloud could not do what it was asked for; the message is its own."""

    @property
    def not_found(self) -> bool:
        """Return whether it failed because the thing asked for does not exist."""
        return re.search(r"NOT_FOUND|not found", str(self)) is not None

    @property
    def logged_out(self) -> bool:
        """Return whether it failed because nobody is logged in, or the login has expired."""
        return re.search(r"active account|auth tokens|[Rr]eauthentication", str(self)) is not None


def find_gcloud() -> str:
    """Return the path of gcloud.

    Raises:
        SettingsError: It is not on PATH.
    """
    found = shutil.which("gcloud")
    if found is None:
        raise SettingsError(_MISSING)
    return found


async def ask(*arguments: str) -> Any:
    """The answer of `gcloud ARGUMENTS --format=json`.

    Raises:
        SettingsError: gcloud is not installed, or too old for this.
        GcloudRefused: It ended with an error: nobody is logged in, something is not there, or may not be seen.
    """
    process = await asyncio.create_subprocess_exec(
        find_gcloud(),
        *arguments,
        "--format=json",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **_QUIET},
    )
    out, err = await process.communicate()
    if process.returncode:
        said = _complaint(err.decode("utf-8", "replace"))
        if re.match(r"Invalid choice|unrecognized arguments", said):
            raise SettingsError(_OLD.format(" ".join(arguments[:3])))
        raise GcloudRefused(said)
    return json.loads(out or b"null")


def _complaint(told: str) -> str:
    """The sentence of gcloud's error: "ERROR: (gcloud.projects.describe) …", without advice in further lines."""
    found = re.search(r"^ERROR: (?:\(gcloud[\w.-]*\) )?(.+)$", told, re.MULTILINE)
    return (found[1] if found else " ".join(told.split()) or "gcloud failed without a word").strip()[:_SAID]
