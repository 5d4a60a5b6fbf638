"""Who calls the workers: the OIDC token of Cloud Tasks and Cloud Scheduler, checked in code as well as by IAM.

The X-CloudTasks headers can be forged on a public service; a token signed by Google for our own account cannot.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from google.auth import exceptions, jwt
from google.auth.transport.requests import Request

from shared.application.ports.system import Clock
from shared.domain.errors import TransientError, Unauthenticated

_ISSUERS = ("https://accounts.google.com", "accounts.google.com")
_KEYS_FRESH = timedelta(hours=1)
_SKEW = 30
"""Seconds by which the clocks of Google and of this instance may differ."""

_ANY_TIME = 10**10


class TokenVerifier:
    """Checks bearer tokens against published keys, which are fetched at most once an hour."""

    def __init__(self, *, email: str, certs_url: str, clock: Clock) -> None:
        self._email = email
        self._certs_url = certs_url
        self._clock = clock
        self._keys: tuple[datetime, Mapping[str, str]] | None = None

    async def verify(self, authorization: str | None, *, audience: str | None) -> None:
        """Accept an `Authorization` header or raise.

        Args:
            audience: What the token must be for: the function's own address.

        Raises:
            Unauthenticated: It is not a good token of our account.
            TransientError: The signing keys could not be fetched.
        """
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Unauthenticated("no bearer token")
        claims = self._claims(token, await self._signing_keys(), audience)
        self._check_times(claims)
        if claims.get("iss") not in _ISSUERS:
            raise Unauthenticated("the token is not Google's")
        if claims.get("email") != self._email or claims.get("email_verified") is not True:
            raise Unauthenticated("the token is of another account")

    def _claims(self, token: str, keys: Mapping[str, str], audience: str | None) -> Mapping[str, Any]:
        try:
            # Its own look at the machine's clock is switched off: ours decides, in `_check_times`.
            claims: Mapping[str, Any] = jwt.decode(  # type: ignore[no-untyped-call]
                token, certs=keys, audience=audience, clock_skew_in_seconds=_ANY_TIME
            )
        except (ValueError, exceptions.GoogleAuthError) as error:
            raise Unauthenticated(f"the token does not verify: {error}") from error
        return claims

    def _check_times(self, claims: Mapping[str, Any]) -> None:
        now = self._clock.now().timestamp()
        if not claims["iat"] - _SKEW <= now <= claims["exp"] + _SKEW:
            raise Unauthenticated("the token is expired or not yet valid")

    async def _signing_keys(self) -> Mapping[str, str]:
        now = self._clock.now()
        if self._keys is None or now - self._keys[0] > _KEYS_FRESH:
            self._keys = (now, await asyncio.to_thread(self._fetch))
        return self._keys[1]

    def _fetch(self) -> Mapping[str, str]:
        try:
            response = Request()(self._certs_url, method="GET", timeout=10)
        except exceptions.TransportError as error:
            raise TransientError(f"the OIDC keys could not be fetched: {error}") from error
        if response.status != 200:
            raise TransientError(f"the OIDC keys could not be fetched: HTTP {response.status}")
        keys: dict[str, str] = json.loads(response.data)
        return keys
