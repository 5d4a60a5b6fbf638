"""The token of the account that a function runs as, from Google's metadata server; elsewhere by google-auth."""

from __future__ import annotations

import asyncio
import json
import os
from http.client import HTTPException

from infra.rest.http import HttpPool
from shared.domain.errors import SettingsError

_SERVER = "metadata.google.internal"
_PATH = "/computeMetadata/v1/instance/service-accounts/default/token"
_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_SPARE = 240.0
"""Seconds before its end at which a token is renewed; the metadata server gives out a new one five minutes before."""

_PATIENCE = 3.0
_ELSEWHERE = 1_800.0
"""Seconds for which a token is used whose end is not told here."""


class Access:
    """Says the header that a call of Google's services carries.

    Args:
        emulated: An emulator asks for no account.
    """

    def __init__(self, *, emulated: bool) -> None:
        self._emulated = emulated
        self._token, self._until = "", 0.0

    async def headers(self) -> dict[str, str]:
        """Return it, with a token that lasts a while.

        Raises:
            SettingsError: There are no credentials.
            OSError, HTTPException: The token service is away.
        """
        if self._emulated:
            return {"authorization": "Bearer owner"}  # as the SDKs say it to emulators
        now = asyncio.get_running_loop().time()
        if now >= self._until:
            self._token, seconds = await self._new_token()
            self._until = now + max(seconds - _SPARE, 0.0)
        return {"authorization": f"Bearer {self._token}"}

    def forget(self) -> None:
        """Ask for a new token the next time: this one was refused."""
        self._until = 0.0

    async def _new_token(self) -> tuple[str, float]:
        if "GOOGLE_APPLICATION_CREDENTIALS" not in os.environ:
            server = os.environ.get("GCE_METADATA_HOST", _SERVER)
            pool = HttpPool(f"http://{server}", timeout=_PATIENCE)
            try:
                reply = await pool.request("GET", _PATH, headers={"metadata-flavor": "Google"})
            except (OSError, HTTPException):
                if "K_SERVICE" in os.environ:  # on Cloud Run there is no other way
                    raise
            else:
                return _read(reply.status, reply.body)
            finally:
                await pool.aclose()
        return await asyncio.to_thread(_by_google_auth), _ELSEWHERE


def _read(status: int, body: bytes) -> tuple[str, float]:
    if status != 200:
        raise OSError(f"the metadata server gave no token: HTTP {status}")
    told = json.loads(body)
    return str(told["access_token"]), float(told["expires_in"])


def _by_google_auth() -> str:
    import google.auth
    from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
    from google.auth.transport.requests import Request

    try:
        credentials, _ = google.auth.default(scopes=[_SCOPE])
        credentials.refresh(Request())  # type: ignore[no-untyped-call]
    except DefaultCredentialsError as error:
        raise SettingsError("No Google credentials: run `gcloud auth application-default login`") from error
    except GoogleAuthError as error:
        raise OSError(f"no token: {error}") from error
    return str(credentials.token)
