"""What is kept of the memories behind an answer: all that was given, best first, bounded, nobody's who opted out."""

from dataclasses import replace

from shared.application.answering.answer_codec import FactGiven, Given, MessageGiven, given_fields
from shared.application.answering.excerpts import UserQuestion
from shared.application.answering.gathering import Gathered
from shared.application.answering.provenance import MOST_BYTES, offline_provenance, without_members
from shared.application.ports.model import Grounding
from shared.domain.answering.context.material import ChatFacts, Material
from shared.domain.chats.hours import timezone_named
from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.fact import Fact
from shared.domain.facts.profile import ProfileQuote, profile_fact
from tests.support.builders import at, evidence, message

NOW = at(60)
ASKING = message("гряг, які правила?", message_id=50, user_id=104, name="Ганна")
QUESTION = UserQuestion(ASKING, "які правила?", "uk", None)


def fact(description, quote, message_id, *, user_id=102, subject="chat"):
    said = evidence(message_id, user_id=user_id, quote=quote)
    known = Fact(subject, "rule", f"slot_{message_id}", quote, description, 0.8, (said,), Authority.OWN_STATEMENT, True)
    return profile_fact(known, {102: "Тарас", 103: "Марко"})


def gathered(*facts, talk=(), hits=()):
    material = Material(
        rules="",
        question=ASKING,
        language="uk",
        now=NOW,
        zone=timezone_named("Europe/Kyiv"),
        bot_id=1,
        bot_name="гряг",
        chat=ChatFacts(facts, 8, 480),
        talk=talk,
    )
    return Gathered(material, Grounding("які правила?", "uk"), tuple(hits))


def quote(message_id, user_id):
    return ProfileQuote(message_id, user_id, "Хтось", "слова", at(message_id))


def test_what_the_answer_leans_on_comes_first_and_the_rest_in_its_own_order():
    facts = [fact("Кава о дев'ятій", "кава", 1), fact("Без політики", "ніякої політики", 2), fact("Чай", "чай", 3)]
    answer = offline_provenance(QUESTION, gathered(*facts), "Тут не говорять про політику.", at=NOW)
    assert [(f.description, f.leans) for f in answer.facts] == [
        ("Без політики", True),
        ("Кава о дев'ятій", False),
        ("Чай", False),
    ]
    assert answer.question == (50, 104, ASKING.sent_at)


def test_what_is_cited_comes_before_what_is_repeated():
    hits = [message("політика і ще політика", message_id=7), message("обід", message_id=8)]
    answer = offline_provenance(QUESTION, gathered(hits=hits), "Про політику [#8]", at=NOW)
    assert [(m.message_id, m.leans) for m in answer.messages] == [(8, True), (7, True)]


def test_of_the_talk_no_words_are_kept_and_the_bots_words_bear_nothing():
    talk = [message("політика", message_id=7), message("політика", message_id=8, is_bot=True, user_id=1)]
    answer = offline_provenance(QUESTION, gathered(talk=talk), "політика", at=NOW)
    assert given_fields(answer)["messages"] == [
        {"message_id": 7, "how": "talk", "leans": True, "user_id": 101, "sent_at": at(7)}
    ]


def test_however_much_was_given_it_stays_small_and_what_is_leant_on_stays():
    facts = [fact("ї" * 500, f"{'ґ' * 300}{i}", i) for i in range(1, 80)]
    hits = [message("слово " * 60, message_id=100 + i) for i in range(80)]
    answer = offline_provenance(
        QUESTION, gathered(fact("Без політики", "ні", 99), *facts, hits=hits), "політика", at=NOW
    )
    assert len(str(given_fields(answer)).encode()) <= MOST_BYTES
    assert answer.facts[0].description == "Без політики"
    assert answer.left_out == 160 - len(answer.facts) - len(answer.messages) > 0


def test_who_opted_out_since_is_neither_shown_nor_told_of():
    shared = FactGiven("a", "chat", "rule", "ні", "Без політики", 0.8, (quote(1, 102), quote(2, 103)))
    theirs = replace(shared, id="b", quotes=(quote(3, 102),))
    about = replace(shared, id="c", subject="user:102", quotes=(quote(4, 103),))
    said = (MessageGiven(5, "found", 102, "Тарас", NOW, "так"), MessageGiven(6, "found", 103, "Марко", NOW, "ні"))
    answer = Given(
        question=(50, 104, NOW),
        made_at=NOW,
        model="m",
        facts=(shared, theirs, about),
        messages=(*said, MessageGiven(7, "talk")),
    )
    shown = without_members(answer, {102})
    assert shown.facts == (replace(shared, quotes=(quote(2, 103),)),)
    assert [m.message_id for m in shown.messages] == [6, 7]
    assert without_members(answer, frozenset()) is answer
