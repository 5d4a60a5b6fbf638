"""Calls of Firestore: the client, a call's time without progress, and its errors by what the caller should do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from google.api_core.exceptions import Aborted, GoogleAPIError, InvalidArgument
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.cloud import firestore
from grpc import RpcError

from shared.domain.errors import Contention, SettingsError, StoreUnavailable


def connect(project: str, database: str, emulator_host: str | None) -> firestore.AsyncClient:
    """Return a client of a database, or of an emulator, which is spoken to without credentials.

    Raises:
        SettingsError: There are no credentials.
    """
    credentials = AnonymousCredentials() if emulator_host else None  # type: ignore[no-untyped-call]
    try:
        client = firestore.AsyncClient(project, credentials, database)
    except DefaultCredentialsError as error:
        raise SettingsError("No Google credentials: run `gcloud auth application-default login`") from error
    if emulator_host:
        # What the SDK does for FIRESTORE_EMULATOR_HOST, without changing the environment of the process.
        client._emulator_host = emulator_host
    return client


class LostRace(Contention):
    """The server gave another transaction the lock; nothing was written."""


@asynccontextmanager
async def calling(seconds: float, *, expected: tuple[type[GoogleAPIError], ...] = ()) -> AsyncIterator[asyncio.Timeout]:
    """Bound what is called within by a time without progress, and translate the SDK's errors.

    Args:
        seconds: A caller that sees progress reschedules the timeout that is given.
        expected: Errors that the caller deals with itself.

    Raises:
        LostRace, StoreUnavailable, ValueError: What the server, the connection or the clock says.
    """
    try:
        async with asyncio.timeout(seconds) as deadline:
            yield deadline
    except expected:
        raise
    except InvalidArgument as error:
        # A transaction that took too long expires; anything else the server finds invalid stays so.
        raise (LostRace if "transaction has expired" in str(error) else ValueError)(str(error)) from error
    except Aborted as error:
        raise LostRace(str(error)) from error
    except TimeoutError as error:
        raise StoreUnavailable(f"Firestore did not answer within {seconds:g} s") from error
    except (GoogleAPIError, GoogleAuthError, RpcError) as error:
        raise StoreUnavailable(f"Firestore: {error}") from error
