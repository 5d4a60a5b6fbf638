"""Logs as one JSON object a line, as Cloud Logging reads them. No message text, no secret is ever logged."""

from __future__ import annotations

import json
import logging
import sys


class JsonFormatter(logging.Formatter):
    """`severity`, `message`, `logger`, and the traceback of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        entry = {"severity": record.levelname, "message": record.getMessage(), "logger": record.name}
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def configure_logging(level: str) -> None:
    """Send the product's logs to standard error as JSON; libraries only from WARNING."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in ("shared", "infra", "functions"):
        logging.getLogger(name).setLevel(level)
