"""Which answers go, by what they were given: each thing that may tell so, alone."""

from dataclasses import replace

import pytest

from shared.application.chats.chat_codec import read_chat
from shared.application.conversation.consent_gate import notice_namesakes
from shared.application.conversation.message_codec import StoredMessage
from shared.application.documents import chat_path, member_path, message_path
from shared.application.forgetting.traces.retelling import Retellings, Retold, facts_from, names_of, note_forgotten
from shared.application.forgetting.traces.scope import ForgottenWords, Scope
from shared.application.people.member_codec import StoredMember
from shared.application.ports.store import Document
from shared.domain.forgetting.forgotten import Hearsay
from tests.support.builders import at, message
from tests.support.exports import app_on
from tests.support.stores.messages import new_message_fields

HANNA, TARAS = 104, 102
SCOPE = Scope(-1001, HANNA, frozenset({50}), at(100))


def answer(name="7", **more):
    given = {"question": {"message_id": 1, "user_id": TARAS, "sent_at": at(1)}, "made_at": at(60), "left_out": 0}
    given |= {"facts": [], "messages": [], "notes": [], "people": [TARAS]}
    return Document(f"chats/-1001/answers/{name}", given | more)


def goes(document, *, scope=SCOPE, noted_until=None, fact_ids=()):
    told = Retellings(scope, HANNA, ForgottenWords(["quasars dance all night"]), noted_until)
    told.add_answer(document)
    return told.find(scope.message_ids, fact_ids)[0] == {document.path}


def test_an_answer_goes_that_was_given_a_note_made_with_the_words_however_far_from_them():
    told = Retellings(SCOPE, HANNA, ForgottenWords(), made_with=lambda gone: {"61-70"} if 50 in gone else set())
    documents = [answer("1", **note("61-70")), answer("2", **note("71-80"))]
    for document in documents:
        told.add_answer(document)
    assert told.find({50}, ())[0] == {documents[0].path}
    assert told.find({51}, ())[0] == set()


def by_bot(*, reply_to=None, people=(), received_at=None):
    return StoredMessage(message("x", reply_to=reply_to), received_at or at(1), people=tuple(people))


def note(note_id):
    return {"notes": [{"kind": "chunk", "id": note_id}]}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, False),
        ({"people": [TARAS, HANNA]}, True),
        ({"people": [HANNA], "made_at": at(101)}, False),
        ({"people": [HANNA], "made_at": at(101), "left_out": 1}, True),
        ({"people": [TARAS], "left_out": 1}, False),
        ({"messages": [{"message_id": 50}]}, True),
        ({"messages": [{"message_id": 51}]}, False),
        ({"messages": [{"message_id": 51, "user_id": HANNA, "sent_at": at(99)}]}, True),
        ({"messages": [{"message_id": 51, "user_id": HANNA, "sent_at": at(101)}]}, False),
        ({"messages": [{"message_id": 51, "text": "quasars dance all day"}]}, True),
        ({"facts": [{"subject": f"user:{HANNA}"}]}, True),
        ({"facts": [{"subject": "chat", "id": "f"}]}, False),
        (note("41-50"), True),
        (note("50-59"), True),
        (note("51-60"), False),
        (note("40-49"), False),
        (note("1-1-100"), True),
        (note("1-51-100"), False),
        (note("of another form"), True),
    ],
)
def test_an_answer_goes_by_any_one_thing_that_it_was_given(more, expected):
    assert goes(answer(**more)) is expected


@pytest.mark.parametrize(("whose", "expected"), [(HANNA, True), (TARAS, False)])
def test_of_who_opts_out_an_answer_goes_that_was_given_what_they_said_by_their_id_alone(whose, expected):
    """The scope names nobody then: what they said is only to be used no more."""
    opts_out = SCOPE._replace(user_id=None)
    given = answer(messages=[{"message_id": 51, "user_id": whose, "sent_at": at(99)}])
    assert goes(given, scope=opts_out) is expected


def test_a_fact_in_which_the_member_is_quoted_takes_the_answer_along():
    given = answer(facts=[{"subject": "chat", "id": "f"}])
    assert goes(given, fact_ids={"f"})
    assert not goes(given, fact_ids={"g"})


def test_summaries_given_later_are_without_what_was_forgotten():
    assert not goes(answer(**note("41-50")), noted_until=at(59))
    assert goes(answer(**note("41-50")), noted_until=at(60))


@pytest.mark.parametrize(
    ("people", "received_at", "expected"),
    [([HANNA], at(100), True), ([HANNA], at(101), False), ([TARAS], at(99), False), ([], at(99), False)],
)
def test_a_message_shows_who_is_in_it_until_they_are_forgotten(people, received_at, expected):
    told = Retellings(SCOPE, HANNA, ForgottenWords())
    assert told.shows(by_bot(people=people, received_at=received_at)) is expected


def test_replies_go_with_what_they_answer_unless_the_member_only_opts_out():
    assert Retellings(SCOPE, HANNA, ForgottenWords()).answers(by_bot(reply_to=50))
    assert not Retellings(SCOPE, HANNA, ForgottenWords()).answers(by_bot(reply_to=51))
    assert Retellings(SCOPE._replace(user_id=None), None, ForgottenWords()).answers(by_bot(reply_to=50))
    assert not Retellings(SCOPE._replace(user_id=None), HANNA, ForgottenWords()).answers(by_bot(reply_to=50))


CHAT, HANNA, TARAS, OTHER_HANNA = -1001, 104, 102, 105
HER_WORDS = Scope(CHAT, HANNA, frozenset({50}), at(100))
HERS = "Обожнюю фіолетове сомбреро"
RETELLS = "Ганна обожнює фіолетове сомбреро"


def said_by_her(text, *, message_id=50, user_id=HANNA, name="Ганна", **more):
    more = {"sent_at": at(1)} | more
    return message(text, message_id=message_id, user_id=user_id, name=name, chat_id=CHAT, **more)


def stored(text, *, message_id=50, **more):
    said = said_by_her(text, message_id=message_id, **more)
    return Document(message_path(CHAT, message_id), new_message_fields(said, now=at(1), retention=at(9) - at(0)))


async def noted(store, *, said=None, members=(), scope=HER_WORDS, known=True):
    if known:
        await store.set(chat_path(CHAT), {"schema": 1, "chat_id": CHAT})
    for user_id, name in members:
        await store.set(member_path(CHAT, user_id), {"user_id": user_id, "name": name})
    return await note_forgotten(app_on(store), scope, [said_by_her(HERS)] if said is None else said)


def retold(hearsay, text, *, user_id=TARAS, name="Тарас"):
    return hearsay.retold_in(message(text, message_id=60, user_id=user_id, name=name, sent_at=at(120)))


async def test_a_retelling_by_name_is_recognised_and_the_name_or_the_words_alone_are_not(sqlite_store):
    hearsay = await noted(sqlite_store)
    assert retold(hearsay, RETELLS)
    assert not retold(hearsay, "Ганна прийде о шостій")
    assert not retold(hearsay, "Обожнює фіолетове сомбреро")
    assert read_chat(CHAT, await sqlite_store.get(chat_path(CHAT))).hearsay == hearsay


async def test_where_another_member_bears_the_name_a_little_is_no_retelling(sqlite_store):
    hearsay = await noted(sqlite_store, members=[(OTHER_HANNA, "Ганна"), (HANNA, "Ганна")])
    assert not retold(hearsay, RETELLS)


async def test_where_nobody_else_bears_the_name_a_little_is_a_retelling(sqlite_store):
    """A member's own document makes nobody their namesake."""
    hearsay = await noted(sqlite_store, members=[(TARAS, "Тарас"), (HANNA, "Ганна")])
    assert retold(hearsay, RETELLS)


async def test_of_a_chat_that_is_not_known_nothing_is_written(sqlite_store):
    await noted(sqlite_store, known=False)
    assert await sqlite_store.get(chat_path(CHAT)) is None


async def test_a_member_document_alone_tells_the_name_and_an_older_run_is_kept(sqlite_store):
    hearsay = await noted(sqlite_store)
    await sqlite_store.set(member_path(CHAT, HANNA), {"user_id": HANNA, "name": "Ганна"})
    again = await noted(sqlite_store, said=[], known=False)
    assert retold(again, RETELLS)
    assert again.salt == hearsay.salt


async def test_of_whom_no_name_is_known_nothing_is_noted_but_what_was_stays(sqlite_store):
    assert await noted(sqlite_store, said=[]) == Hearsay()
    before = await noted(sqlite_store)
    assert await noted(sqlite_store, said=[], known=False) == before
    assert (
        await note_forgotten(app_on(sqlite_store), HER_WORDS._replace(user_id=None), [said_by_her(HERS)]) == Hearsay()
    )


async def test_facts_about_them_tell_what_is_a_retelling_with_all_of_their_values(sqlite_store):
    claim = {"value": "левітація", "wordings": ["левітація над річкою"], "evidence": [{"quote": "левітую"}]}
    fact = {"subject": f"user:{HANNA}", "value": "сомбреро", "description": "капелюх", "others": [claim], "n": 1}
    await sqlite_store.set(f"chats/{CHAT}/facts/f", fact)
    await sqlite_store.set(f"chats/{CHAT}/facts/g", fact | {"subject": "chat", "value": "парасолька", "others": []})
    hearsay = await noted(sqlite_store, said=[said_by_her("привіт усім")])
    for told in ("Ганна має сомбреро", "Ганна має капелюх", "Ганна і левітація", "Ганна над річкою"):
        assert retold(hearsay, told), told
    assert not retold(hearsay, "Ганна має парасолька")


@pytest.fixture
async def hearsay(sqlite_store):
    return await noted(sqlite_store)


def see(hearsay, *documents):
    found = Retold(HER_WORDS, hearsay)
    for document in documents:
        found.see(document)
    return found


async def test_messages_that_retell_go_and_those_that_only_quote_one_lose_the_quote(hearsay):
    telling = stored(RETELLS, message_id=60, user_id=TARAS, name="Тарас")
    quoting = stored("Оце так", message_id=61, user_id=TARAS, name="Тарас", quote=RETELLS)
    both = stored(RETELLS, message_id=62, user_id=TARAS, name="Тарас", quote=RETELLS)
    neither = stored("Привіт", message_id=63, user_id=TARAS, name="Тарас", quote="нічого")
    found = see(hearsay, telling, quoting, both, neither)
    assert found.messages == {60: telling.path, 62: both.path}
    assert found.quoting == {61: quoting.path}


async def test_a_quote_in_a_fact_names_the_message_that_retells_though_it_is_gone(hearsay):
    def fact(quote, **more):
        given = {"message_id": 70, "user_id": TARAS, "sent_at": at(1), "quote": quote} | more
        return Document(f"chats/{CHAT}/facts/f", {"evidence": [given], "voices": [{"user_id": TARAS, "at": at(1)}]})

    assert see(hearsay, fact(RETELLS)).messages == {70: message_path(CHAT, 70)}
    assert see(hearsay, fact("Привіт усім")).messages == {}
    assert see(hearsay, fact(RETELLS, user_id=HANNA)).messages == {}  # her own: it goes as hers
    assert see(Hearsay(), fact(RETELLS), stored(RETELLS, user_id=TARAS)).messages == {}
    assert see(hearsay, Document(f"chats/{CHAT}/chunks/1-9", {"summary": RETELLS})).messages == {}


async def test_facts_are_found_by_the_messages_that_they_lean_on(sqlite_store):
    facts = {"a": ([1, 2], None), "b": ([3], None), "rival": ([2], "believed")}
    for name, (ids, conflict) in facts.items():
        data = {"evidence_message_ids": ids, "conflicts_with": conflict}
        await sqlite_store.set(f"chats/{CHAT}/facts/{name}", data)
    assert await facts_from(sqlite_store, CHAT, [2]) == {"a", "believed"}
    assert await facts_from(sqlite_store, CHAT, []) == set()


async def test_what_is_heard_of_a_namesake_is_written_once(sqlite_store):
    await noted(sqlite_store, members=[(OTHER_HANNA, "Ганна")])
    app = app_on(sqlite_store)
    news = [message("Обожнюю сомбреро", message_id=80, user_id=OTHER_HANNA, name="Ганна", sent_at=at(120))]
    state = read_chat(CHAT, await sqlite_store.get(chat_path(CHAT)))
    await notice_namesakes(app.chats, state, news)
    after = read_chat(CHAT, await sqlite_store.get(chat_path(CHAT)))
    assert after.hearsay != state.hearsay
    assert after.hearsay == state.hearsay.notice(news)
    writes = sqlite_store.usage.writes
    await notice_namesakes(app.chats, state, news)  # an instance that has not heard of it yet
    await notice_namesakes(app.chats, after, news)
    assert sqlite_store.usage.writes == writes


async def test_of_who_said_more_than_is_kept_the_latest_words_are(sqlite_store):
    syllables = ("бра", "вол", "гру", "дзе", "жму", "зле", "кро", "лип", "мню", "пру", "сту", "тли", "фра", "хво")
    words = [f"{first}{second}ка" for first in syllables for second in syllables]
    said = [
        said_by_her(" ".join(words[at_ : at_ + 14]), message_id=50 + at_ // 14, sent_at=at(at_))
        for at_ in range(0, 196, 14)
    ]
    hearsay = await noted(sqlite_store, said=said)
    assert retold(hearsay, f"Ганна і {' '.join(words[-4:])}")
    assert not retold(hearsay, f"Ганна і {' '.join(words[:4])}")
    assert await noted(sqlite_store, said=[], known=False) == hearsay


def test_all_names_count_that_messages_and_the_members_document_tell():
    said = replace(message("x"), name="Ганна", username="hanna")
    later = replace(message("y"), name="Ганнуся", username=None)
    names = names_of([said, later], StoredMember(104, "Ганна", "", ("hannochka",)))
    assert names == (["Ганна", "Ганнуся"], ["hanna", "hannochka"])


def test_who_is_nowhere_is_called_nothing():
    assert names_of([], None) == names_of([], StoredMember(104)) == ([], [])
