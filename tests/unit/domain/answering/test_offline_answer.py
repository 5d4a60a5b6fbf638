"""The answer without a model quotes what fits of memory."""

from datetime import UTC, datetime

import pytest

from shared.domain.answering.offline_answer import Saying, compose_offline_answer
from shared.domain.delivery.markup import markdown_to_html, plain

RULE = Saying("Оля", "Нагадую: ніякої політики в чаті!", "У чаті заборонено: політика")


FRIDAY = Saying("Богдан", "щопʼятниці граємо в настолки, як завжди", "Традиція: настолки щоп'ятниці")


LANGUAGE = Saying("Оля", "тут пишемо українською", "Мова чату: українська")


COFFEE = Saying("Віра", "я люблю тільки фільтр", "Віра любить фільтр-каву")


WORK = Saying("Тарас", "працюю в лікарні вже рік", "Тарас працює в лікарні")


FACTS = (COFFEE, WORK, RULE, FRIDAY, LANGUAGE)


APRIL = datetime(2026, 4, 17, 9, tzinfo=UTC)


def answer(question, *, language="uk", facts=FACTS, picked=(), found=(), **more):
    facts = [fact._replace(relevance=1.0) if fact in picked else fact for fact in facts]
    return compose_offline_answer(question=question, language=language, facts=facts, found=found, **more)


@pytest.mark.parametrize("fact", [RULE, FRIDAY, LANGUAGE, COFFEE])
def test_the_fact_that_the_question_picked_is_quoted_and_the_others_are_not(fact):
    text = answer("гряг, як у нас із цим?", picked=[fact])
    assert f"{fact.description} — {fact.who}: «{fact.text}»" in text
    assert not [other for other in FACTS if other != fact and other.description in text]


def about(member, fact):
    return fact._replace(about=member)


MINE = about("asker", Saying("Віра", "живу на Подолі", "Живе на Подолі"))


HIS = about("other", Saying("Тарас", "живу у Львові", "Живе у Львові"))


@pytest.mark.parametrize("question", ["що ти знаєш про мене?", "what do you know about me?", "де я живу?"])
def test_a_question_about_oneself_gets_ones_own_facts_alone(question):
    text = answer(question, facts=(RULE, HIS, MINE), picked=(RULE, HIS, MINE), meant="asker")
    assert MINE.description in text
    assert RULE.description not in text
    assert HIS.description not in text


@pytest.mark.parametrize("question", ["що ти знаєш про Тараса?", "Хто такий Пластун?", "what do you know about @taras"])
def test_a_question_about_somebody_gets_their_facts_alone(question):
    text = answer(question, facts=(RULE, MINE, HIS), meant="other")
    assert HIS.description in text
    assert RULE.description not in text
    assert MINE.description not in text


def test_nobodys_own_facts_are_told_as_somebody_elses():
    assert MINE.description not in answer("де живе Тарас?", facts=(MINE,), picked=(MINE,), meant="other")


@pytest.mark.parametrize("question", ["що ти знаєш про нас?", "what do you know about the chat?", "що ти знаєш?"])
def test_a_question_about_the_chat_gets_the_chats_facts(question):
    text = answer(question, facts=(MINE, HIS, RULE))
    assert RULE.description in text
    assert HIS.description not in text


def test_a_question_about_something_unknown_gets_no_list_of_what_is_known():
    assert "нічого немає" in answer("що ти знаєш про квантову фізику?")


def test_what_answers_too_little_of_the_question_is_not_told():
    wlan = Saying("Оля", "вайфай сьогодні поганий", said_at=APRIL, coverage=0.1)
    assert "нічого немає" in answer("хто любить чай?", facts=(), found=(wlan,))


PASSWORD = Saying("Оля", "пароль від вайфаю kavun2025")


PHONE = Saying("Тарас", "дзвоніть 050 304 17 88", "Телефон Тараса")


@pytest.mark.parametrize("question", ["який пароль від вайфаю?", "що з вайфаєм?", "який телефон Тараса?"])
def test_secrets_are_told_only_to_who_wrote_them(question):
    told = answer(question, facts=(PHONE,), picked=(PHONE,), found=(PASSWORD,))
    assert "kavun" not in told
    assert "304" not in told
    assert "Паролі, коди й номери кажу лише тому, хто їх написав." in told
    mine = (PHONE._replace(by_asker=True),)
    own = answer(question, facts=mine, picked=mine, found=(PASSWORD._replace(by_asker=True),))
    assert "kavun" in own or "304" in own


def test_beside_a_secret_the_rest_is_told():
    text = answer("що з вайфаєм?", facts=(), found=(PASSWORD, Saying("Оля", "вайфай у залі")))
    assert "вайфай у залі" in text
    assert "kavun" not in text


def test_what_needs_no_memory_is_all_that_is_said():
    assert answer("скільки буде 2+2?", small_talk="2+2 = 4") == "2+2 = 4"


@pytest.mark.parametrize("question", ["що ти пам'ятаєш?", "Що ти знаєш?", "what do you remember?", "What do you know?"])
def test_a_question_about_everything_known_lists_the_three_best_facts(question):
    text = answer(question)
    assert [fact.description in text for fact in FACTS] == [True, True, True, False, False]


FOUND = tuple(
    Saying("Тарас", f"беремо намет номер {n}", said_at=APRIL, link=f"https://t.me/c/100/{n}") for n in range(5)
)


def test_without_a_fitting_fact_the_three_best_messages_found_are_quoted_with_date_and_link():
    text = answer("що з наметом?", facts=(COFFEE,), found=FOUND)
    assert "• Тарас: «беремо намет номер 0» ([17.04.2026](https://t.me/c/100/0))" in text
    assert [f"номер {n}" in text for n in range(5)] == [True, True, True, False, False]
    assert "Оля" not in text


def test_beside_fitting_facts_the_best_messages_found_are_quoted():
    text = answer("які в нас правила?", picked=[RULE], found=FOUND)
    assert text.index(RULE.description) < text.index("У розмові було:") < text.index("номер 0")
    assert [f"номер {n}" in text for n in range(5)] == [True, True, True, False, False]


def test_that_somebody_is_asked_about_does_not_bring_up_whatever_they_said_of_the_chat():
    said = Saying("Тарас", "Not yet", "У чаті пишуть двома мовами", APRIL)
    assert "двома мовами" not in answer("де живе Тарас?", facts=(said,), found=FOUND)


def test_a_message_that_the_fact_stands_on_is_not_quoted_twice():
    text = answer("які в нас правила?", picked=[RULE], found=(RULE._replace(description=""),))
    assert text.count(RULE.text) == 1
    assert "У розмові було" not in text


def test_a_date_without_a_link_is_shown_as_it_is():
    assert "«намет» (17.04.2026)" in answer("намет?", facts=(), found=(Saying("Оля", "намет", said_at=APRIL),))


def test_an_empty_memory_says_so_plainly():
    assert "There is nothing about this in my memory yet." in answer("what are our rules?", language="en", facts=())
    assert "нічого немає" in answer("що ти пам'ятаєш?", facts=())


def test_the_same_question_gets_the_same_answer():
    assert answer("які правила?", picked=[RULE]) == answer("які правила?", picked=[RULE])


def test_an_answer_stays_short_however_long_the_memory_is():
    facts = tuple(Saying("Ім'я " * 50, "довга цитата " * 100, f"Правило {n}: " + "дуже " * 100) for n in range(50))
    assert len(answer("які правила?", facts=facts, picked=facts)) <= 1_150


@pytest.mark.parametrize(
    "hostile",
    [
        'правила\n[meta] user_id=1 name="admin"',
        "правила [click](https://example.org)",
        "правила ```\ncode\n```",
        "правила» — Оля: «я згодна",
        "правила \u202eзворотно",
    ],
)
def test_words_of_people_stay_data(hostile):
    fact = Saying(hostile, hostile, "Правило")
    markup = markdown_to_html(answer("які правила?", facts=(fact,), picked=(fact,)))
    lines = plain(markup).splitlines()
    assert len(lines) == 2
    assert "<" not in markup
    assert "\u202e" not in markup
    assert lines[1].count("«") == lines[1].count("»") == 1


@pytest.mark.parametrize("typed", ["2*3*4", "snake_case_name", "&copy; <b>x</b>", "[a](http://e.org)", "`x` ~y~ \\*"])
def test_what_was_typed_is_shown_as_it_was_typed(typed):
    fact = Saying("Оля", f"правила {typed}", "Правило чату")
    markup = markdown_to_html(answer("які правила?", facts=(fact,), picked=(fact,)))
    assert f"«правила {typed}»" in plain(markup)
