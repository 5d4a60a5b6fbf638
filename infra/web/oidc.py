"""Verifies the callers of the workers: the OIDC token of Cloud Tasks and Scheduler, checked in code as well as by IAM.

The X-CloudTasks headers can be forged on a public service; a token that Google signed for our own account cannot.
Refusals say what is wrong with a token, never what a right one would hold.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from google.auth import crypt, exceptions, jwt
from google.auth.transport.requests import Request

from shared.application.ports.system import Clock
from shared.domain.errors import TransientError, Unauthenticated

SKEW = timedelta(seconds=30)
"""The most that the clocks of Google and of this instance may differ by."""

FRESH = timedelta(hours=1)
"""Age up to which known keys are used without a look at the published ones."""

STALE = timedelta(hours=6)
"""Age up to which known keys are used while the published ones cannot be fetched (Google announces keys days before it
signs with them)."""

PAUSE, RETRY = timedelta(minutes=1), timedelta(seconds=5)
"""Least time between two fetches: after one that succeeded, whatever keys are asked for, and after one that did not."""

_ISSUERS = ("https://accounts.google.com", "accounts.google.com")
_ALGORITHM = "RS256"
_MAX_TOKEN = 8_192  # characters; one of Google's has about a thousand
_REMOVED = ".SIGNATURE_REMOVED_BY_GOOGLE"
_FETCH_SECONDS = 5
_NEVER = datetime.min.replace(tzinfo=UTC)
_ANY_TIME = 10**11

_MALFORMED = (ValueError, TypeError, RecursionError, exceptions.GoogleAuthError)
"""Errors that google-auth raises on hostile tokens."""


class SigningKeys:
    """The certificates that Google signs with, by key id.

    Args:
        url: Where they are published: a JSON object of key ids and PEM certificates.
    """

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._known: Mapping[str, str] = {}
        self._fetched = self._next_fetch = _NEVER
        self._failure: str | None = None
        self._fetching = asyncio.Lock()

    async def certificate(self, key_id: str) -> str | None:
        """The certificate of this key, or None when Google publishes none.

        Raises:
            TransientError: That cannot be told now: the keys could not be fetched.
        """
        async with self._fetching:  # one fetch serves all that wait for it
            now = self._clock.now()
            if now >= self._next_fetch and (key_id not in self._known or now - self._fetched > FRESH):
                await self._fetch(now)
            if self._failure is not None and (key_id not in self._known or now - self._fetched > STALE):
                raise TransientError(self._failure)
            return self._known.get(key_id)

    async def _fetch(self, now: datetime) -> None:
        try:
            self._known = await asyncio.to_thread(_fetch_published, self._url)
        except TransientError as error:
            self._failure, self._next_fetch = str(error), now + RETRY
        else:
            self._failure, self._fetched, self._next_fetch = None, now, now + PAUSE


class TokenVerifier:
    """Checks bearer tokens.

    Args:
        email: The only account that may call.
        audience: What its tokens must be for, whichever function is called; None: the function's own address.
    """

    def __init__(self, keys: SigningKeys, *, email: str, clock: Clock, audience: str | None = None) -> None:
        self._keys = keys
        self._email = email
        self._audience = audience
        self._clock = clock

    async def verify(self, authorization: Sequence[str], *, address: str | None) -> None:
        """Accept a request or raise.

        Args:
            authorization: The values of its `Authorization` headers: exactly one is right.
            address: The function's own address.

        Raises:
            Unauthenticated: It carries no good token of our account for this function.
            TransientError: The signing keys could not be fetched.
        """
        token = _bearer(authorization)
        key_id = _key_id(token)
        certificate = await self._keys.certificate(key_id)
        if certificate is None:
            raise Unauthenticated("the token is signed with a key that Google does not publish")
        self._check(_claims(token, {key_id: certificate}), self._audience or address)

    def _check(self, claims: Mapping[str, Any], audience: str | None) -> None:
        if claims.get("iss") not in _ISSUERS:
            raise Unauthenticated("the token is not Google's")
        if audience is None or claims.get("aud") != audience:
            raise Unauthenticated("the token is for another audience")
        if claims.get("email") != self._email or claims.get("email_verified") is not True:
            raise Unauthenticated("the token is of another account")
        issued, expires = claims.get("iat"), claims.get("exp")
        if not isinstance(issued, int | float) or not isinstance(expires, int | float):
            raise Unauthenticated("the token does not say when it holds")
        skew, now = SKEW.total_seconds(), self._clock.now().timestamp()
        if not issued - skew <= now <= expires + skew:
            raise Unauthenticated("the token is expired or not yet valid")


def _bearer(authorization: Sequence[str]) -> str:
    if len(authorization) > 1:
        raise Unauthenticated("more than one authorization")
    scheme, _, token = "".join(authorization).partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise Unauthenticated("no bearer token")
    if len(token) > _MAX_TOKEN:
        raise Unauthenticated("the token is too long")
    if token.endswith(_REMOVED):
        raise Unauthenticated("Google took the signature off the token: send it in the Authorization header alone")
    return token


def _key_id(token: str) -> str:
    """Return which key a token names; nothing is verified yet."""
    try:
        header = jwt.decode_header(token)  # type: ignore[no-untyped-call]
    except _MALFORMED as error:
        raise Unauthenticated("the token is malformed") from error
    key_id = header.get("kid")
    if header.get("alg") != _ALGORITHM or not isinstance(key_id, str) or "crit" in header:
        raise Unauthenticated(f"the token is not signed by {_ALGORITHM} with a key that it names")
    return key_id


def _claims(token: str, certificates: Mapping[str, str]) -> Mapping[str, Any]:
    try:
        # google-auth's own look at the machine's clock is switched off: ours decides.
        claims: Mapping[str, Any] = jwt.decode(  # type: ignore[no-untyped-call]
            token, certs=certificates, clock_skew_in_seconds=_ANY_TIME
        )
    except _MALFORMED as error:
        raise Unauthenticated("the token does not verify") from error
    return claims


def _fetch_published(url: str) -> Mapping[str, str]:
    """The published certificates.

    Raises:
        TransientError: They cannot be fetched, or are none.
    """
    try:
        response = Request()(url, method="GET", timeout=_FETCH_SECONDS)
    except exceptions.TransportError as error:
        raise TransientError(f"the OIDC keys could not be fetched: {error}") from error
    if response.status != 200:
        raise TransientError(f"the OIDC keys could not be fetched: HTTP {response.status}")
    try:
        return _certificates(json.loads(response.data))
    except _MALFORMED as error:
        raise TransientError(f"what OIDC_CERTS_URL answers are no key ids with certificates: {error}") from error


def _certificates(answer: Any) -> Mapping[str, str]:
    if not isinstance(answer, dict) or not answer:
        raise TypeError("no JSON object, or an empty one")
    for certificate in answer.values():
        crypt.RSAVerifier.from_string(certificate)  # type: ignore[no-untyped-call]
    return answer
