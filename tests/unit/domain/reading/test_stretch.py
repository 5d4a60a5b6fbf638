"""Where a stretch ends."""

from datetime import UTC, datetime, timedelta

from shared.domain.reading.stretch import stretch_length

START = datetime(2026, 3, 2, 18, tzinfo=UTC)


def times(*pauses):
    """Messages a minute apart, but for some pauses: (before which message, how long)."""
    sent, at = [], START
    longer = dict(pauses)
    for number in range(1, 52):
        at += longer.get(number, timedelta(minutes=1))
        sent.append(at)
    return sent


def test_few_messages_are_read_whole():
    assert stretch_length(times()[:7], most=50, chunk=10) == 7
    assert stretch_length([], most=50, chunk=10) == 0


def test_a_full_stretch_ends_at_the_longest_pause_of_its_last_fifth():
    hour = timedelta(hours=1)
    assert stretch_length(times((43, hour), (47, hour / 2)), most=50, chunk=10) == 42
    assert stretch_length(times((12, hour)), most=50, chunk=10) == 50
    assert stretch_length(times((41, hour)), most=50, chunk=10) == 40


def test_ten_messages_of_a_chat_without_a_model_are_never_cut():
    assert stretch_length(times((8, timedelta(hours=1)))[:10], most=10, chunk=10) == 10
