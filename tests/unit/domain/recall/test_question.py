"""Whom, when and what a question asks for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.domain.recall.question import MAX_TERMS, SearchQuery, read_question

NAMES = {
    1: ("Оля Коваль", "olya_k"),
    2: ("Тарас",),
    3: ("Melanie", "mel"),
    4: ("Dmytro", "dimon"),
    5: ("Will",),
    6: ("Sam O'Neil",),
}
ASKER = 9
NOW = datetime(2026, 3, 11, tzinfo=UTC)


def read(text: str, asker: int | None = ASKER) -> SearchQuery:
    return read_question(text, asked_at=NOW, names=NAMES, asker=asker)


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Що казала Оля про дачу?", {1}),
        ("день народження Олі", {1}),
        ("питали у Тараса", {2}),
        ("що писав taras", {2}),
        ("What did Melanie paint?", {3}),
        ("where is melanie's dog", {3}),
        ("Has Mel arrived?", {3}),
        ("що радив Дмитро", {4}),
        ("How old is @olya_k?", {1}),
        ("what did Will say", {5}),
        ("what will be", set()),
        ("Що казали Оля і Тарас?", {1, 2}),
        ("Ольга їде?", {1}),
        ("Ганна їде?", set()),
        ("що там з Тарасовою машиною", {2}),
        ("де Олина сумка", {1}),
        ("хто бачив Діму", {4}),
        ("is Dima in town", {4}),
        ("when did Sam move", {6}),
    ],
)
def test_members_are_known_by_name_in_any_case_form(text, speakers):
    assert read(text).speakers == speakers


def test_a_name_cut_short_means_whose_name_begins_so_unless_somebody_is_called_just_that():
    names = {1: ("Zor",), 2: ("Zorvantes",), 3: ("Zoltan",)}
    asked = {text: read_question(text, asked_at=NOW, names=names, asker=ASKER).speakers for text in _CUT}
    assert asked == {"Has Zor arrived?": {1}, "Has Zorva arrived?": {2}, "has zorva arrived": set(), "Is Zo in": set()}


_CUT = ("Has Zor arrived?", "Has Zorva arrived?", "has zorva arrived", "Is Zo in")


def test_the_names_of_a_chat_are_taken_apart_once_and_not_for_every_question():
    class Names(dict[int, tuple[str, ...]]):
        taken = 0

        def items(self):
            self.taken += 1
            return super().items()

    names = Names(NAMES)
    for text in ("Що казала Оля?", "Що казав Тарас?"):
        assert read_question(text, asked_at=NOW, names=names, asker=None).speakers
    assert names.taken == 1


@pytest.mark.parametrize("text", ["коли я купив авто", "де мій термос?", "What did I cook?", "what is my room number"])
def test_a_question_about_oneself_is_about_the_asker(text):
    assert read(text).speakers == {ASKER}
    assert read(text, asker=None).speakers == frozenset()


def test_who_is_named_goes_before_the_asker():
    assert read("Що Тарас казав про мою машину?").speakers == {2}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Коли переїзд?", {"time"}),
        ("What day is the party?", {"time"}),
        ("Якого числа день народження?", {"time"}),
        ("Скільки коштує?", {"number"}),
        ("How many cats are there?", {"number"}),
        ("Де живе Оля?", {"place"}),
        ("Which city did they visit?", {"place"}),
        ("у якому місті концерт", {"place"}),
        ("Хто прийде?", set()),
        ("Why did he leave?", set()),
    ],
)
def test_what_kind_of_answer_is_wanted(text, wanted):
    assert read(text).wanted == wanted


def test_names_times_and_verbs_of_saying_weigh_less_than_what_is_asked_about():
    question = read("Що Тарас казав вчора про зчеплення?")
    assert set(question.terms) - question.light_terms == {"зчепленн"}
    assert len(question.spans) == 1


def test_a_time_word_counts_in_full_when_it_names_no_time():
    assert "friday" in set(read("favourite friday meal").terms) - read("favourite friday meal").light_terms


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("скільки зрештою заплатили", True),
        ("який зараз код", True),
        ("what did we decide about the tent", True),
        ("how much was it in the end", True),
        ("скільки коштує намет", False),
        ("who has the tent", False),
    ],
)
def test_a_question_may_ask_how_something_ended(text, outcome):
    assert read(text).outcome is outcome


def test_the_asker_is_told_from_one_who_is_named():
    assert read("що я казав про намет").by_asker
    assert not read("що Тарас казав про мій намет").by_asker


def test_a_name_is_looked_for_in_its_other_forms_and_scripts():
    assert "богдан" in read("що з Бодею").alike["бод"]
    assert "michael" in read("where is Mike").alike["mike"]
    assert "~biolam" in read("хто має біолам").alike["біол"]


def test_numbers_beside_a_date_weigh_less():
    assert "7" in read("what happened on 7 March").light_terms
    assert "7" not in read("who lives in flat 7").light_terms


@pytest.mark.parametrize("text", ["", "???", "що це", "🙂"])
def test_a_question_of_nothing_has_no_words(text):
    assert read(text) == SearchQuery(terms=(), light_terms=read(text).light_terms)


def test_a_text_as_long_as_a_message_is_cut_to_its_first_words():
    assert len(read(" ".join(f"word{i}" for i in range(4_000))).terms) == MAX_TERMS


CALLED = {1: ("Зоря",), 2: ("Дрон", "Оля")}
NAMESAKES = {1: ("Андрій", "plastun_te"), 2: ("Андрій", "Andriy_Dron"), 3: ("Соломія",)}


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("де живе Дрон?", {2}),
        ("що ти знаєш про дрона", {2}),
        ("where does Dron live", {2}),
        ("де живе @andriy_dron?", {2}),
        ("де живе @Andriy_Dron?", {2}),
        ("хто такий Пластун?", {1}),  # by the first word of a username
        ("де живе Андрій?", {1, 2}),
        ("що казала Соломійка", {3}),
    ],
)
def test_an_alias_and_a_username_mean_their_person(text, speakers):
    read_it = read_question(text, asked_at=NOW, names=NAMESAKES, aliases=CALLED)
    assert read_it.speakers == speakers


def test_who_calls_themselves_as_another_is_called_is_not_meant():
    assert read_question("де живе Оля?", asked_at=NOW, names=NAMES, aliases=CALLED).speakers == {1}


def test_a_name_in_its_case_forms_means_its_bearer():
    names = {7: ("Андрій",), 8: ("Олексій",)}
    for text, user_id in (("що Андрієві подарували?", 7), ("де був Олексієм?", 8), ("що в Андрія?", 7)):
        assert read_question(text, asked_at=NOW, names=names, asker=ASKER).speakers == {user_id}
