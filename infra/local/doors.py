"""Guards a local run's server: it serves programs of this machine that name it as such, workers' routes by secret.

A web page may have its own name lead to 127.0.0.1 (DNS rebinding) and then read and write here as if it were this
server's page: but then its browser sends that name as `Host`.
"""

from __future__ import annotations

import hmac
import os
import re
from collections.abc import Sequence
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from infra.system import SystemIds
from infra.web.http import answer
from shared.domain.errors import SettingsError

SECRET_FILE = "local-secret"  # noqa: S105 - the name of a file
"""A file beside the store's, readable by its owner alone; made by the first run and kept, so that scripts go on."""

HOSTS = ("127.0.0.1", "localhost")
_HOST = re.compile(rf"(?:{'|'.join(map(re.escape, HOSTS))})(?::[0-9]{{1,5}})?", re.IGNORECASE)
_TOKEN = re.compile(r"[\w-]{20,}", re.ASCII)


class Doors:
    """An ASGI application behind both checks.

    Args:
        secret: What a caller of a guarded path shows, as `Authorization: Bearer …`.
        guarded: Beginnings of the paths that want it.
    """

    def __init__(self, site: ASGIApp, *, secret: str, guarded: Sequence[str]) -> None:
        self._site = site
        self._secret = f"Bearer {secret}".encode()
        self._guarded = tuple(guarded)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        if not is_of_this_machine(headers.getlist("host")):
            refusal = answer(421, f"this server answers only to the names {' and '.join(HOSTS)}")
            await refusal(scope, receive, send)
        elif scope["path"].startswith(self._guarded) and not self._knows(headers.getlist("authorization")):
            refusal = answer(
                401, f"this route wants the secret in the file {SECRET_FILE} beside the store, as a Bearer"
            )
            await refusal(scope, receive, send)
        else:
            await self._site(scope, receive, send)

    def _knows(self, shown: Sequence[str]) -> bool:
        return len(shown) == 1 and hmac.compare_digest(shown[0].encode(), self._secret)


def is_of_this_machine(hosts: Sequence[str]) -> bool:
    """Return whether a request's `Host` headers are one, and name this machine, with or without a port."""
    return len(hosts) == 1 and _HOST.fullmatch(hosts[0]) is not None


def local_secret(folder: Path) -> str:
    """The secret of a folder's runs; the first one makes it.

    Raises:
        SettingsError: Its file cannot be made or read, or holds something else.
    """
    path = folder / SECRET_FILE
    try:
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(SystemIds().token() + "\n")
        except FileExistsError:
            pass
        secret = path.read_text().strip()
    except OSError as error:
        raise SettingsError(f"The file {path} cannot be used ({error.strerror}): choose another folder.") from error
    if not _TOKEN.fullmatch(secret):
        raise SettingsError(f"The file {path} holds no secret: delete it, and the next start makes one.")
    return secret
