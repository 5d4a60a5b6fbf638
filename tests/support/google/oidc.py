"""A set of signing keys published over HTTP as Google publishes its own, and tokens signed with them."""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from tests.support.servers.serving import serving


@functools.cache
def _key(key_id: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@functools.cache
def certificate(key_id: str) -> str:
    """The certificate of the key of this name, PEM."""
    key, name = _key(key_id), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, key_id)])
    signed = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key(), serial_number=1)
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    return signed.public_bytes(serialization.Encoding.PEM).decode()


def token(claims: object, key_id: str = "one", *, signed_with: str | None = None, **header: object) -> str:
    """A JWT that names `key_id`; `header` replaces what is in its header, `signed_with` is another key's name.

    `alg` decides how it is signed: RS256, HS256 with the public certificate for its secret, or none at all.
    """
    head = {"typ": "JWT", "alg": "RS256", "kid": key_id} | header
    text = ".".join(_segment(json.dumps(part).encode()) for part in (head, claims))
    return f"{text}.{_segment(_signature(text.encode(), head['alg'], signed_with or key_id))}"


def _signature(text: bytes, algorithm: object, key_id: str) -> bytes:
    if algorithm == "none":
        return b""
    if algorithm == "HS256":
        return hmac.digest(certificate(key_id).encode(), text, hashlib.sha256)
    return _key(key_id).sign(text, padding.PKCS1v15(), hashes.SHA256())


def _segment(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class PublishedKeys:
    """What the server answers; `fetches` counts how often it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.fetches = 0
        self.status = 200
        self.body = b""
        self.publish("one")

    def publish(self, *key_ids: str) -> None:
        """Publish the certificates of these keys and no others."""
        self.answer({key_id: certificate(key_id) for key_id in key_ids})

    def answer(self, body: Mapping[str, Any] | bytes, status: int = 200) -> None:
        """Answer this from now on."""
        self.status, self.body = status, body if isinstance(body, bytes) else json.dumps(body).encode()


@contextlib.asynccontextmanager
async def publishing() -> AsyncIterator[PublishedKeys]:
    """Serve a key set on loopback."""
    keys = PublishedKeys()

    async def certs(_: Any) -> Response:
        keys.fetches += 1
        return Response(keys.body, keys.status, media_type="application/json")

    async with serving(Starlette(routes=[Route("/certs", certs)])) as url:
        keys.url = f"{url}/certs"
        yield keys
