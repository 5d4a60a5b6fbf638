"""A process's clock, put ahead by exactly so much: also used by `sitecustomize`, which finds no package of ours."""

import time

EXACT = 0.001
"""Seconds by which processes of one run may differ: to who is behind, what another took in is not yet said."""


def put_ahead(seconds: float) -> None:
    """Put this process's clock ahead for its life; again, while it was interrupted before the clock went on.

    It stands still at where it was put until somebody reads it.
    """
    import time_machine

    while True:
        read_at, to = time.monotonic(), time.time() + seconds  # noqa: TID251 - the machine's own clock is put ahead
        travel = time_machine.travel(to, tick=True)  # a datetime would bring its time zone along
        travel.start()
        time.time()  # noqa: TID251 - as above: it goes on from now
        if time.monotonic() - read_at < EXACT:  # it is behind by what passed between the two readings at most
            return
        travel.stop()
