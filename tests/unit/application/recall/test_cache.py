"""What an instance holds of the chats' indexes: the last ones asked about, within its bytes."""

from dataclasses import dataclass

from shared.application.recall.cache import IndexCache


@dataclass
class Held:
    nbytes: int


def test_what_is_put_is_held_until_it_is_forgotten():
    cache = IndexCache()
    cache.put(1, Held(10))
    assert cache.get(1) == Held(10)
    cache.forget(1)
    cache.forget(1)
    assert cache.get(1) is None


def test_the_chat_that_nobody_asked_about_for_longest_goes_first():
    cache = IndexCache(most_bytes=100)
    for chat_id in (1, 2, 3):
        cache.put(chat_id, Held(33))
    cache.get(1)
    cache.put(4, Held(33))
    assert [chat_id for chat_id in (1, 2, 3, 4) if cache.get(chat_id)] == [1, 3, 4]
    assert cache.nbytes == 99


def test_a_chat_that_is_too_large_alone_is_held_all_the_same():
    cache = IndexCache(most_bytes=100)
    cache.put(1, Held(50))
    cache.put(2, Held(500))
    assert cache.get(2) == Held(500)
    assert cache.get(1) is None


def test_what_is_held_of_a_chat_counts_once():
    cache = IndexCache(most_bytes=100)
    cache.put(1, Held(60))
    cache.put(1, Held(70))
    assert cache.nbytes == 70
