"""What a search of the memory gives the model: who, when, what was said around it, where it stands."""

from datetime import timedelta

import pytest

from shared.application.answering.tools import recalling
from shared.application.answering.tools.binding import ToolContext
from shared.application.conversation.history import Topic
from shared.application.facts.memory import learn_candidates
from shared.domain.errors import ToolRefused
from shared.domain.facts.evidence.claim import Authority, Evidence
from shared.domain.facts.fact import Candidate
from tests.support.tool_chat import CHAT, OLYA, TARAS


async def recalled(chat, query, *, topic=None, **state):
    asking = await chat.said("гряг, згадай")
    context = ToolContext(chat.state._replace(**state), asking, topic, "uk")
    return await recalling.BINDING.run(chat.app, context, {"query": query})


async def conversations(chat, number):
    """As many conversations hours apart, each with one message about mandarins between two others."""
    hits = []
    for n in range(number):
        await chat.said(f"до {n}", TARAS, "Тарас")
        hits.append(await chat.said(f"мандарини солодкі {n}"))
        await chat.said(f"після {n}", TARAS, "Тарас")
        chat.app.clock.advance(timedelta(hours=9))
    return hits


async def test_a_message_comes_with_its_speaker_and_time_and_what_was_said_around_it(chat):
    hits = {hit.text: hit for hit in await conversations(chat, 12)}
    outcome = await recalled(chat, "мандарини солодкі")
    for found in outcome.response["messages"]:
        hit, n = hits[found["text"]], found["text"].rsplit(" ", 1)[1]
        assert (found["speaker"], found["before"][0]["text"], found["after"][0]["text"]) == (
            "Оля",
            f"до {n}",
            f"після {n}",
        )
        assert found["before"][0]["speaker"] == "Тарас"
        assert {hit.message_id - 1, hit.message_id, hit.message_id + 1} <= {m.message_id for m in outcome.messages}
    times = [found["time"] for found in outcome.response["messages"] if found["text"] == "мандарини солодкі 0"]
    assert times in ([], ["2026-11-06 20:00"])


async def test_every_message_is_told_once(chat):
    await conversations(chat, 3)
    told = [
        said["text"]
        for found in (await recalled(chat, "мандарини")).response["messages"]
        for said in (found, *found.get("before", ()), *found.get("after", ()))
        if said
    ]
    assert len(told) == len(set(told))


async def test_what_is_in_a_picture_is_shown_as_such(chat):
    await chat.said("", kind="photo", media_text="Мандарин на столі")
    (found,) = (await recalled(chat, "мандарин")).response["messages"]
    assert found["shows"] == "Мандарин на столі"
    assert "text" not in found


async def test_who_opted_out_is_neither_found_nor_a_neighbour(chat):
    await chat.said("мандарини мої", TARAS, "Тарас")
    await chat.said("мандарини солодкі", OLYA, "Оля")
    outcome = await recalled(chat, "мандарини", opted_out=frozenset({TARAS}))
    assert "мої" not in str(outcome.response)
    assert [found["text"] for found in outcome.response["messages"]] == ["мандарини солодкі"]


async def test_another_topic_stays_where_it_is(chat):
    await chat.said("мандарини в темі", thread_id=7)
    await chat.said("мандарини в загальній")
    general = await recalled(chat, "мандарини", topic=Topic(None))
    assert [found["text"] for found in general.response["messages"]] == ["мандарини в загальній"]


async def test_the_chat_is_the_rooms_whatever_the_arguments_say(chat):
    await chat.said("мандарини тут")
    asking = await chat.said("гряг, згадай")
    context = ToolContext(chat.state._replace(chat_id=CHAT - 1), asking, None, "uk")
    forged = {"query": "мандарини", "chat_id": CHAT, "state": {"chat_id": CHAT}, "asker": TARAS}
    assert list((await recalling.BINDING.run(chat.app, context, forged)).response) == ["found"]


async def test_what_is_known_is_found_beside_what_was_said(chat):
    for value in ("щосереди", "щонеділі"):
        said = await chat.said(f"Зустрічі {value}", TARAS, "Тарас")
        quote = Evidence(said.sent_at, said.message_id, TARAS, said.text, authority=Authority.ADMIN)
        meeting = ("chat", "tradition", "meeting", value, said.text, 0.9, (quote,), Authority.ADMIN)
        await learn_candidates(chat.app, CHAT, [Candidate(*meeting, single=True)])
        chat.app.clock.advance(timedelta(hours=1))
    outcome = await recalled(chat, "коли зустрічі?")
    assert outcome.response["facts"] == [
        {
            "about": "the chat",
            "fact": "Зустрічі щонеділі",
            "number": 2,
            "since": "2026-11-06 21:00",
            "said_by": "Тарас",
            "before": ["2026-11-06 20:00: Зустрічі щосереди"],
        }
    ]
    assert [fact.value for fact in outcome.facts] == ["щонеділі"]


async def test_what_is_known_is_told_with_the_names_of_today(chat):
    said = await chat.said("мандарини купує Тарас")
    quotes = (Evidence(said.sent_at, said.message_id, OLYA, said.text),)
    fact = Candidate("chat", "shared_knowledge", "fruit", "мандарини", "Мандарини купує Тарас", 0.9, quotes,
                     Authority.OWN_STATEMENT)  # fmt: skip
    await learn_candidates(chat.app, CHAT, [fact])
    await chat.said("я Тарас", TARAS, "Тарас")
    await chat.said("тепер я Данило", TARAS, "Данило")
    outcome = await recalled(chat, "хто купує мандарини?")
    assert [each["fact"] for each in outcome.response["facts"]] == ["Мандарини купує Данило"]
    assert [each.description for each in outcome.facts] == ["Мандарини купує Данило"]


async def test_nothing_found_is_said_as_nothing(chat):
    (found,) = (await recalled(chat, "єдиноріг")).response.values()
    assert found.startswith("nothing that is remembered fits")


@pytest.mark.parametrize("query", [None, "", 7, "я" * 301])
async def test_a_query_of_another_form_is_refused(chat, query):
    with pytest.raises(ToolRefused, match="query"):
        await recalled(chat, query)


async def test_two_of_one_name_are_told_apart_as_they_are_in_the_talk(chat):
    await chat.said("мандарини солодкі", OLYA, "Оля")
    await chat.said("мандарини кислі", TARAS, "Оля")
    found = (await recalled(chat, "мандарини")).response["messages"]
    assert {(each["speaker"], each["text"]) for each in found} == {
        ("Оля#2", "мандарини солодкі"),
        ("Оля", "мандарини кислі"),  # an admin, whose name others take
    }


async def test_what_is_forwarded_is_told_as_such(chat):
    await chat.said("мандарини подешевшали", forwarded=True)
    await chat.said("мандарини солодкі")
    found = (await recalled(chat, "мандарини")).response["messages"]
    assert {each["text"]: each.get("forwarded") for each in found} == {
        "мандарини подешевшали": True,
        "мандарини солодкі": None,
    }
