"""`python -m tests.load.local_target COUNTS`: a local run whose store counts documents, into a file at the end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import infra.bootstrap
from infra.local.cli import main
from shared.application.ports.store import DocumentStore
from shared.settings import Settings
from tests.cost.store import CountingStore

_counted: list[CountingStore] = []


def counting_store(settings: Settings) -> DocumentStore:
    """The run's SQLite file, counted; who only looks at it (`open_observer`) has a store of its own."""
    path = Path(settings.sqlite_path or "")
    path.parent.mkdir(parents=True, exist_ok=True)
    _counted.append(CountingStore(str(path)))
    return _counted[-1]


if __name__ == "__main__":
    infra.bootstrap.document_store = counting_store
    status = main([])
    reads = sum(store.done.reads.total() for store in _counted)
    writes = sum(store.done.writes.total() for store in _counted)
    Path(sys.argv[1]).write_text(json.dumps({"reads": reads, "writes": writes}))
    sys.exit(status)
