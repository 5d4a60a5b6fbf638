"""An episode is read as it was written."""

from hypothesis import given
from hypothesis import strategies as st

from shared.application.ports.store import Document
from shared.application.reading.notes.episode_codec import (
    Episode,
    Participant,
    episode_to_fields,
    new_episode_path,
    read_episode,
)
from tests.support.builders import at
from tests.unit.application.reading.notes.stored import IDS, WORDS, common_fields

PATH = new_episode_path(1, 1, 30)
EPISODES = st.builds(
    Episode,
    path=st.just(PATH),
    **common_fields("episode"),
    message_ids=st.lists(IDS).map(tuple),
    thread_id=st.none() | IDS,
    participants=st.lists(st.builds(Participant, IDS, WORDS), max_size=3).map(tuple),
)


@given(EPISODES)
def test_an_episode_is_read_as_it_was_written(episode):
    fields = episode_to_fields(episode)
    assert read_episode(Document(PATH, fields)) == episode
    assert fields["messages"] == len(episode.message_ids)


def test_an_episode_of_old_may_name_nobody():
    episode = read_episode(Document(PATH, {"first": 1, "last": 30, "first_at": at(1), "last_at": at(30)}))
    assert (episode.participants, episode.thread_id, episode.message_ids) == ((), None, ())
