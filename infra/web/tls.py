"""One TLS context for every HTTP client of the process: reading the certificates takes tens of milliseconds a time."""

from __future__ import annotations

import os
import ssl
from functools import cache


@cache
def tls_context() -> ssl.SSLContext:
    """Trusts the authorities of certifi, or of SSL_CERT_FILE and SSL_CERT_DIR where these are set."""
    import certifi

    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    return ssl.create_default_context(cafile=file or (None if folder else certifi.where()), capath=folder)
