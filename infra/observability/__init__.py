"""Logs as one JSON object a line: with words on a person's terminal, without any in the cloud."""

from __future__ import annotations

import logging
import sys
from typing import TextIO

from infra.observability.formatting import OURS, CloudFormatter, JsonFormatter, chat_hash, is_ours

__all__ = ["CloudFormatter", "JsonFormatter", "chat_hash", "configure_cloud_logging", "configure_logging"]


def configure_logging(level: str) -> None:
    """Send the product's logs to a person's terminal (standard error); libraries only from WARNING."""
    _configure(level, logging.StreamHandler(sys.stderr), JsonFormatter())


def configure_cloud_logging(level: str, *, project: str, key: bytes, stream: TextIO | None = None) -> None:
    """Send the logs of a deployed function to standard error as Cloud Logging reads them; see `CloudFormatter`.

    Lines with an `event` are written at every level: metrics and alerts live on them. Handlers that a server or a
    library brought along are taken away, for they would write what is left out here.

    Args:
        level: LOG_LEVEL, of the product's other lines.
        stream: Where to instead.
    """
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.handlers, logger.propagate = [], True
    logging.captureWarnings(capture=True)  # else they go to standard error as they are
    handler = logging.StreamHandler(stream or sys.stderr)
    # Whatever level a library gives its loggers.
    handler.addFilter(lambda record: is_ours(record) or record.levelno >= logging.WARNING)
    _configure(level, handler, CloudFormatter(project=project, key=key))
    logging.getLogger("spomyn").setLevel(logging.INFO)


def _configure(level: str, handler: logging.Handler, formatter: logging.Formatter) -> None:
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level)
