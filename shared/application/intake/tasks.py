"""Decides what becomes of a task, whoever runs it: a function behind Cloud Tasks, or the queue of one machine.

                                    before the last attempt            in the last attempt
    it was done                     done                               done
    PermanentError                  a dead letter                      a dead letter
    TransientError                  it has to come again               a dead letter
    any other exception (a bug)     it has to come again               a dead letter

A queue lets a task vanish after its last attempt; so nothing is lost silently. Nothing but this module decides it;
`dealing` decides it for updates.
"""

from collections.abc import Awaitable, Callable, Mapping

from shared.application.dead_letters import give_up
from shared.application.ports.store import DocumentStore
from shared.application.ports.system import Clock
from shared.domain.errors import GivenUp, PermanentError, TransientError, UnforeseenFailure
from shared.domain.intake.updates import UpdateOutcome

Done = Mapping[str, int] | UpdateOutcome
"""The result of a task: counts by name, or of an update what became of it."""


async def deal_with_task(
    store: DocumentStore,
    clock: Clock,
    body: bytes,
    work: Callable[[], Awaitable[Done]],
    *,
    job: str | None,
    is_last: bool,
) -> Done:
    """Deal with one attempt at a task and return what was done; idempotent.

    Args:
        body: As it came: what is kept of a dead letter.
        work: Does it, and returns what was done.
        job: Its name, for the log.
        is_last: The queue would let it vanish after this attempt.

    Raises:
        GivenUp: It is a dead letter.
        TransientError: It has to come again; after an exception that nobody foresaw an `UnforeseenFailure`.
    """
    try:
        return await work()
    except PermanentError as error:
        failure: Exception = error
        reason = str(error)
    except TransientError as error:
        if not is_last:
            raise
        failure, reason = error, f"last attempt failed: {error}"
    except Exception as error:  # the one place where it is decided what becomes of a bug
        if not is_last:
            raise UnforeseenFailure(str(error)) from error
        failure, reason = error, f"last attempt failed: {error!r}"
    letter_id = await give_up(store, clock, kind="task", body=body, reason=reason, error=failure, job=job)
    raise GivenUp(letter_id) from failure
