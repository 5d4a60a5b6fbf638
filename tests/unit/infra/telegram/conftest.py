"""A gateway to the strict fake Bot API."""

from tests.support.telegram.fixtures import api, gateway

__all__ = ["api", "gateway"]
