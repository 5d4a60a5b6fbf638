"""How talk is divided into talks and sessions."""

from shared.domain.recall.index.corpus import Corpus
from shared.domain.recall.layout import layout_of
from tests.support.builders import at, message


def test_a_talk_that_never_falls_silent_is_one_talk_of_several_sessions():
    layout = layout_of(Corpus.of([message("кава", message_id=n, sent_at=at(n)) for n in range(1, 131)]))
    assert layout.talk_of.tolist() == [0] * 130
    assert layout.session_of.tolist() == [0] * 64 + [1] * 64 + [2] * 2
    assert layout.sizes.tolist() == [64, 64, 2]


def test_a_silence_of_more_than_an_hour_or_another_topic_begins_another_talk():
    minutes = [(0, None), (60, None), (121, None), (121, 5), (122, 5)]
    said = [
        message("кава?" if n == 2 else "кава", message_id=n, sent_at=at(minute), thread_id=topic)
        for n, (minute, topic) in enumerate(minutes, start=1)
    ]
    layout = layout_of(Corpus.of(said))
    assert layout.talk_of.tolist() == layout.session_of.tolist() == [0, 0, 1, 2, 2]
    assert layout.sizes.tolist() == [2, 1, 2]
    assert layout.asking.tolist() == [False, True, False, False, False]
