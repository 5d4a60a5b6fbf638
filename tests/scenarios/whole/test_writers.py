"""docs/scale.md names every kind of document, and every function that writes it: the simulation says who did."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.simulation import world
from tests.simulation.run import simulate

_DOCS = Path(__file__).parents[3] / "docs"
_OWN = "the chat's own document"
_STORIES = range(500_000, 500_012)


def rows_of(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the rows of the first table below a heading."""
    below = (_DOCS / page).read_text().split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    table = [line.strip("| ").split(" | ") for line in below.splitlines() if line.startswith("| ")]
    return table[2:]


def kinds_in(cell: str) -> set[str]:
    """Return the kinds of documents that a cell names: a collection; of `upkeep`, where one has each, the document."""
    paths = re.findall(r"`([a-z_]+)/([^`]*)`", cell)
    return {kind if kind != "upkeep" else f"{kind}/{name}" for kind, name in paths} or {_OWN}


def kind_of(path: str) -> str:
    """Return the kind of a document's path."""
    parts = path.split("/")
    if parts[0] == "chats":
        parts = parts[2:] or [_OWN]
    return "/".join(parts[:2]) if parts[0] == "upkeep" else parts[0]


def named_writers() -> dict[str, set[str]]:
    """Return by kind of document the functions that the page says write it."""
    rows = rows_of("scale.md", "Documents that several may touch in a second")
    return {kind: set(re.findall(r"`(\w+)`", row[1])) for row in rows for kind in kinds_in(row[0])}


def test_every_kind_of_document_has_a_row():
    stored = {kind for row in rows_of("documents.md", "Of a chat") for kind in kinds_in(row[0])}
    beside = set(re.findall(r"`(\w+)/[{\w]", (_DOCS / "documents.md").read_text().split("Beside the chats:", 1)[1]))
    shared = {"updates", "dead_letters", "tombstones", "health"}
    assert shared <= beside
    assert stored | shared <= named_writers().keys()


def test_who_writes_a_document_in_the_simulation_is_named(monkeypatch):
    seen, note = defaultdict(set), world.World._note_commit

    def look(self, path, data):
        if (instance := world._running.get()) is not None:
            seen[kind_of(path)].add(instance.kind)
        return note(self, path, data)

    monkeypatch.setattr(world.World, "_note_commit", look)
    for seed in _STORIES:
        simulate(seed)
    named = named_writers()
    assert len(seen) > 15
    assert {kind: by - named.get(kind, set()) for kind, by in seen.items() if by - named.get(kind, set())} == {}
