"""What is written of a member is read back, whichever part was written first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.application.chats.portrait_codec import StoredPortrait, portrait_fields
from shared.application.documents import member_path
from shared.application.people.member_codec import (
    LAST_SEEN_FIRST,
    PORTRAIT,
    StoredMember,
    by_username,
    choice_fields,
    named_user,
    no_portrait,
    read_member,
    speaker_fields,
)
from shared.application.ports.store import Document
from tests.support.builders import at, message

CHAT, OLYA = -1001, 101
LIKES = StoredPortrait("Любить гори", at(2), frozenset({102}))


def member(**fields):
    return read_member(Document(member_path(CHAT, OLYA), {"schema": 1, "user_id": OLYA, **fields}))


names = st.none() | st.text(st.characters(categories=("L", "N")), min_size=1, max_size=9)


@given(st.text(max_size=9), names, st.integers(0, 99))
def test_what_somebodys_words_tell_of_them_is_read_back(name, username, minute):
    said = message(name=name, username=username, sent_at=at(minute))
    fields = speaker_fields(said)
    union = fields.pop("usernames_seen", None)
    seen = () if union is None else union.values
    assert member(**fields, usernames_seen=list(seen)) == StoredMember(OLYA, name, username, seen, at(minute))


async def test_usernames_add_up_in_the_store(sqlite_store):
    for username in ("olya", "olya_k", "olya"):
        await sqlite_store.upsert(member_path(CHAT, OLYA), speaker_fields(message(username=username)))
    stored = read_member(await sqlite_store.get(member_path(CHAT, OLYA)))
    assert (stored.username, stored.usernames_seen) == ("olya", ("olya", "olya_k"))
    assert stored.names == ["Оля", "olya", "olya_k"]


async def test_a_choice_keeps_what_was_heard_and_a_portrait_goes_alone(sqlite_store):
    path = member_path(CHAT, OLYA)
    await sqlite_store.upsert(path, {**speaker_fields(message()), PORTRAIT: portrait_fields(LIKES)})
    await sqlite_store.upsert(path, choice_fields(OLYA, "Оля", hides_facts=True))
    assert read_member(await sqlite_store.get(path)) == StoredMember(
        OLYA, "Оля", last_seen_at=at(1), hides_facts=True, portrait=LIKES
    )
    await sqlite_store.update(path, no_portrait())
    await sqlite_store.upsert(path, choice_fields(OLYA, "Оля", hides_facts=False))
    assert read_member(await sqlite_store.get(path)) == StoredMember(OLYA, "Оля", last_seen_at=at(1))


@pytest.mark.parametrize(("data", "expected"), [({"user_id": 7}, 7), ({"user_id": "7"}, None), ({}, None)])
def test_whom_a_line_of_an_export_names_is_a_number_or_nobody(data, expected):
    assert named_user(data) == expected


def test_a_document_with_nothing_but_an_id_is_read():
    assert member() == StoredMember(OLYA)
    assert member(profile_summary=None).portrait is None


async def test_members_are_found_by_their_names_and_when_they_were_seen(sqlite_store):
    for number, username in enumerate(("Olya", "taras", "ivan")):
        said = message(user_id=101 + number, username=username, sent_at=at(number))
        await sqlite_store.upsert(member_path(CHAT, 101 + number), speaker_fields(said))
    members = f"chats/{CHAT}/members"
    assert [each.id for each in await sqlite_store.query(members, where=[by_username("Olya", "olya")])] == ["101"]
    assert [each.id for each in await sqlite_store.query(members, order_by=[LAST_SEEN_FIRST])] == ["103", "102", "101"]
