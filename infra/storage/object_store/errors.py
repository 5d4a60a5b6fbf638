"""The S3 client's errors as ours: what to try again, what is gone, and what a setting must change."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shared.domain.errors import (
    ArchiveUnavailable,
    ObjectCorrupt,
    ObjectGone,
    ObjectRefused,
    PreconditionFailed,
    SettingsError,
    SpomynError,
)

_BUSY = frozenset(
    {
        "SlowDown",
        "Throttling",
        "ThrottlingException",
        "TooManyRequests",
        "RequestTimeout",
        "OperationAborted",
        "ConditionalRequestConflict",
        "RequestLimitExceeded",
    }
)
_GONE = frozenset({"404", "NoSuchKey", "NoSuchVersion", "NoSuchUpload", "NotFound"})
_UNSUPPORTED = frozenset({"NotImplemented", "501", "MethodNotAllowed", "405"})
_FORBIDDEN = frozenset({"AccessDenied", "403", "Forbidden"})
_KEPT = frozenset({"InvalidRequest", "ObjectLocked"})  # what some services say of a locked object
_ACCOUNT = frozenset(
    {
        "401",
        "InvalidAccessKeyId",
        "SignatureDoesNotMatch",
        "ExpiredToken",
        "InvalidToken",
        "AuthorizationHeaderMalformed",
        "UnauthorizedAccess",
        "InvalidSecurity",
        "AccountProblem",
    }
)
_BUCKET = frozenset(
    {"NoSuchBucket", "InvalidBucketName", "PermanentRedirect", "301", "IllegalLocationConstraintException"}
)


@contextmanager
def translate_errors(bucket: str) -> Iterator[None]:
    """Turn what boto3 raises into our errors; called where boto3 is loaded."""
    from botocore import exceptions

    try:
        yield
    except exceptions.ClientError as error:
        raise _error_of_answer(error, bucket) from error
    except exceptions.FlexibleChecksumError as error:
        raise ObjectCorrupt("an object is not what was put into the archive: its checksum differs") from error
    except (
        exceptions.NoCredentialsError,
        exceptions.PartialCredentialsError,
        exceptions.NoRegionError,
        exceptions.InvalidRegionError,
        exceptions.ParamValidationError,
        exceptions.CredentialRetrievalError,
    ) as error:
        raise SettingsError(
            f"The archive's bucket {bucket!r} cannot be asked ({error}): see the ARCHIVE_ settings."
        ) from error
    except (exceptions.BotoCoreError, exceptions.HTTPClientError, OSError) as error:
        raise ArchiveUnavailable(f"The archive did not answer: {error}") from error
    except ValueError as error:  # an endpoint that is no address
        raise SettingsError(f"The archive cannot be asked ({error}): see the ARCHIVE_ settings.") from error


def _error_of_answer(error: Any, bucket: str) -> SpomynError:
    """The error that the service answered with."""
    code, status = _code_of(error), error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in _UNSUPPORTED:
        return ObjectRefused(f"The archive does not offer this: {error}")
    if code in _BUSY or status == 429 or status >= 500:
        return ArchiveUnavailable(f"The archive is busy: {error}")
    if code in _BUCKET:
        return SettingsError(
            f"The archive's bucket {bucket!r} is not there ({code}): see SPOMYN_ARCHIVE, ARCHIVE_REGION."
        )
    if code in _FORBIDDEN or code in _ACCOUNT:
        return SettingsError(f"The archive's bucket {bucket!r} refuses us ({error}): see the ARCHIVE_ settings.")
    if code in _GONE or status == 404:
        return ObjectGone(f"The archive has no such object: {error}")
    if status == 412:
        return PreconditionFailed(f"Another object is in the archive than was expected: {error}")
    return ObjectRefused(f"The archive refused: {error}")


def is_refused(error: SpomynError) -> bool:
    """Return whether the service forbids it: for lack of a right, or because an object is locked."""
    return _code(error) in _FORBIDDEN | _KEPT


def is_unsupported(error: SpomynError) -> bool:
    """Return whether the service does not know this request."""
    return _code(error) in _UNSUPPORTED


def _code(error: SpomynError) -> str:
    return _code_of(error.__cause__) if error.__cause__ is not None else ""


def _code_of(error: BaseException) -> str:
    return str(getattr(error, "response", {}).get("Error", {}).get("Code", ""))
