"""Which facts a question picks: by words and what means the same, by whom it means, by how sure they are."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.facts.evidence.claim import Authority
from shared.domain.facts.profile import ProfileFact, ProfileQuote, ReplacedValue
from shared.domain.recall.fact_ranking import merge_ranked, pick_facts, values_held_then
from shared.domain.recall.question import read_question

NOW = datetime(2026, 3, 7, 18, 0, tzinfo=UTC)
NAMES = {101: ("Оля",), 102: ("Тарас", "taras_dron"), 103: ("Марко",)}


def fact(description, subject="chat", *, category="norm", key="detail", quote="", confidence=0.9, authority=None):
    user_id = int(subject.removeprefix("user:")) if subject != "chat" else 102
    said = (ProfileQuote(1, user_id, "", quote or description, NOW),)
    authority = Authority.OWN_STATEMENT if authority is None else authority
    words = (category, key, description, description, confidence, authority, 1, 1, NOW, NOW, said)
    return ProfileFact(description, subject, *words)


FACTS = [
    fact("У чаті заборонено: політика", category="rule", key="forbidden_topics", authority=Authority.ADMIN),
    fact("Зустрічі щочетверга о 19:00", category="tradition", key="meeting"),
    fact("Найчастіші емодзі: 😂 ☕", category="culture", quote="люблю каву ☕", authority=Authority.STATISTICS),
    fact("Живе у Львові", "user:101", category="personal_info", key="location"),
    fact("Любить каву", "user:103", category="preference", key="likes"),
    fact("Живе в Одесі", "user:102", category="personal_info", key="location"),
    fact("Традиція: настолки щоп'ятниці", category="tradition", key="games"),
]


def pick(text, *, asker=101, facts=FACTS, strength=lambda fact: fact.confidence):
    question = read_question(text, asked_at=NOW, names=NAMES, asker=asker)
    return [each.fact.description for each in pick_facts(facts, question, strength, {"rule": "Правила"})]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Яку тему тут заборонено?", "У чаті заборонено: політика"),
        ("what is forbidden here?", "У чаті заборонено: політика"),
        ("які в нас правила?", "У чаті заборонено: політика"),
        ("хто любить каву?", "Любить каву"),
        ("who likes coffee?", "Любить каву"),
        ("де живе Тарас?", "Живе в Одесі"),
        ("where does @taras_dron live?", "Живе в Одесі"),
        ("де я живу?", "Живе у Львові"),
        ("чи можна тут про політику?", "У чаті заборонено: політика"),
        ("що ми робимо в п'ятницю?", "Традиція: настолки щоп'ятниці"),
        ("what do we do on Fridays?", "Традиція: настолки щоп'ятниці"),
    ],
)
def test_a_question_picks_what_answers_it_in_either_language_and_of_whom_it_means(question, answer):
    assert pick(question)[0] == answer


def test_what_is_over_comes_behind_what_holds_unless_the_time_is_named_in_which_it_held():
    over = fact("Настолки по середах у бібліотеці", category="tradition", key="games")
    over = over._replace(valid_from=NOW - timedelta(days=60), ended_at=NOW - timedelta(days=20))
    known = [over, *FACTS]
    assert pick("коли настолки?", facts=known)[:2] == ["Традиція: настолки щоп'ятниці", over.description]
    assert pick("коли були настолки 10 січня 2026?", facts=known)[0] == over.description
    assert pick("коли були настолки 3 березня 2026?", facts=known)[0] == "Традиція: настолки щоп'ятниці"


@pytest.mark.parametrize("question", ["якою мовою ми спілкуємось?", "which language do we speak here?"])
def test_the_language_of_a_chat_is_asked_for_in_either(question):
    language = fact("Мова чату: українська", key="language")
    assert pick(question, facts=[*FACTS, language])[0] == language.description


def test_what_is_known_of_others_gives_way_to_what_is_known_of_whom_is_meant():
    assert "Живе у Львові" not in pick("де живе Тарас?")
    assert set(pick("хто де живе?")) == {"Живе у Львові", "Живе в Одесі"}


@pytest.mark.parametrize("question", ["", "ок", "привіт, гряг", "а хто це?", "який курс долара?"])
def test_a_question_that_shares_no_telling_word_picks_nothing(question):
    assert pick(question) == []


def test_of_two_that_fit_alike_the_surer_comes_first():
    sure, unsure = fact("Любить чай", "user:102"), fact("Любить чай", "user:103", confidence=0.7)._replace(id="0")
    question = read_question("хто любить чай?", asked_at=NOW, names=NAMES)
    picked = pick_facts([unsure, sure], question, lambda each: each.confidence, {})
    assert [each.fact for each in picked] == [sure, unsure]
    assert picked[0].relevance > picked[1].relevance > 0


def test_nothing_is_picked_of_nothing():
    assert pick("хто любить каву?", facts=[]) == []


def test_the_first_ones_are_told_before_the_others_and_each_once():
    one, two, three = FACTS[:3]
    assert merge_ranked([two], [one, two, three], 2) == [two, one]
    assert merge_ranked([one], [two], 0) == []


def test_a_question_of_a_time_picks_what_replaced_what_held_then_first():
    moved, other = fact("Граємо щоп'ятниці в бібліотеці"), fact("Граємо в мафію щомісяця")
    earlier = ReplacedValue("Збираємось щочетверга", NOW - timedelta(days=40), (101,))
    moved = moved._replace(before=(earlier,), valid_from=NOW - timedelta(days=5))
    assert pick("коли ми грали в лютому?", facts=[other, moved])[0] == moved.description
    asked = {
        text: read_question(text, asked_at=NOW, names=NAMES) for text in ("коли в лютому?", "коли вчора?", "коли?")
    }
    assert [values_held_then(moved, question) for question in asked.values()] == [[earlier], [], []]
    assert pick("коли ми грали вчора?", facts=[other, moved]) == pick("коли граємо?", facts=[other, moved])
