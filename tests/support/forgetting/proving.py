"""What a proof finds to be left of somebody who was forgotten."""

from collections.abc import Sequence

from shared.application.forgetting.proof import prove
from shared.application.forgetting.traces.scope import Preview
from shared.application.ports.objects import ObjectStore
from shared.application.ports.store import DocumentStore


async def find_traces(store: DocumentStore, archive: ObjectStore | None, sought: Preview) -> Sequence[str]:
    """Return the paths and keys of what still holds something."""
    return (await prove(store, archive, sought)).left
