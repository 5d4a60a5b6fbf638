"""The chats that are tended at night, as for the single jobs."""

from tests.unit.application.night.conftest import app, talk

__all__ = ["app", "talk"]
