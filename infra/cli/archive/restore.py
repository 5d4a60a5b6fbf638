"""`restore`: a chat's memory from the archive."""

from __future__ import annotations

from pathlib import Path

import click

from infra.cli.archive.import_ import bring_back
from infra.cli.archive.transfer import download, open_file
from infra.cli.frame import Failed, Session
from infra.cli.frame import command as make
from shared.application.archive.keeping import configured_archive, folder, latest_export

_EXAMPLE = """
python -m infra.cli restore -1001234567890 --from latest
python -m infra.cli restore -1001234567890 --from export-20261122.jsonl.gz --replace
"""


@make("restore", example=_EXAMPLE)
@click.argument("chat_id", type=int)
@click.option(
    "--from", "origin", metavar="KEY|latest|FILE", required=True, help="An export in the archive, the last, or a file."
)
@click.option("--replace", is_flag=True, help="Overwrite what differs, and remove what the export has not.")
async def command(session: Session, chat_id: int, origin: str, *, replace: bool) -> None:
    """Bring the chat CHAT_ID back from the archive, or from a file.

    The whole export is checked before anything is written. A chat that holds other documents is left alone without
    --replace. After a break, run it again: it goes on.
    """
    what = f"Restoring {chat_id}"
    if _is_file(origin):
        with open_file(Path(origin)) as source:
            await bring_back(session, source, what, replace=replace, only=chat_id)
        return
    key = await _key(session, chat_id, origin)
    async with download(configured_archive(session.app.archive).get(key)) as source:
        await bring_back(session, source, f"{what} from {key}", replace=replace, only=chat_id)


def _is_file(origin: str) -> bool:
    return origin != "latest" and Path(origin).is_file()


async def _key(session: Session, chat_id: int, origin: str) -> str:
    if origin == "latest":
        newest = await latest_export(session.app.archive, chat_id)
        if newest is None:
            raise Failed(f"There is no export of chat {chat_id} in the archive.")
        return newest.key
    key = origin if origin.startswith(folder(chat_id)) else folder(chat_id) + origin
    try:
        known = await configured_archive(session.app.archive).head(key)
    except ValueError as error:
        raise Failed(f"{origin} is neither a file nor the key of an export.") from error
    if known is None:
        there = [info.key async for info in configured_archive(session.app.archive).list(f"{folder(chat_id)}export-")]
        raise Failed(f"There is no {key} in the archive, and no such file; there are: {', '.join(there) or 'none'}.")
    return key
