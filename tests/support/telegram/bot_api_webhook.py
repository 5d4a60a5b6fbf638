"""What the fake Bot API asks of setWebhook: what its documentation says, and kinds of updates that there are."""

from __future__ import annotations

import ipaddress
import json
import re
from typing import Any
from urllib.parse import SplitResult, urlsplit

from tests.support.telegram.bot_api_rules import bad, description

PORTS = frozenset((443, 80, 88, 8443))


def check_webhook(params: dict[str, Any]) -> None:
    """Refuse what Telegram refuses, and a kind of update that there is not (which Telegram would leave out)."""
    secret = params.get("secret_token")
    if secret is not None and not re.fullmatch("[A-Za-z0-9_-]{1,256}", secret):
        raise bad("secret token contains unallowed characters")
    if not 1 <= params.get("max_connections", 40) <= 100:
        raise bad("max_connections must be between 1 and 100")
    kinds = {field["name"] for field in description()["types"]["Update"]["fields"]} - {"update_id"}
    if unknown := [kind for kind in params.get("allowed_updates", ()) if kind not in kinds]:
        raise bad(f"unknown kinds of updates {unknown}")
    if params["url"]:
        _check_address(urlsplit(params["url"]))


def _check_address(url: SplitResult) -> None:
    if url.scheme != "https":
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    if (url.port or 443) not in PORTS:
        raise bad("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
    host = url.hostname or ""
    if not host or host == "localhost":
        raise bad("bad webhook: Failed to resolve host: Name or service not known")
    if re.fullmatch(r"[\d.]+|[\da-f]*:[\da-f:]+", host) and not ipaddress.ip_address(host).is_global:
        raise bad(f"bad webhook: IP address {host} is reserved")


def method_in(body: bytes) -> tuple[str, dict[str, Any]] | None:
    """Return the call of a method in the body of an acknowledged update, or None."""
    try:
        said = json.loads(body)
    except ValueError:
        return None
    if not isinstance(said, dict) or said.get("method") not in description()["methods"]:
        return None
    return said.pop("method"), said
