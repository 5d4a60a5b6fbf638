"""What a group does regularly and what it is going to do, however it is told."""

import pytest

from shared.domain.reading.patterns.chat.calendar import event_in, same_occasion, tradition_in
from tests.support.talk import learnt


def categories(*lines: str) -> list[str]:
    return [fact.category for fact in learnt(*lines) if fact.subject == "chat"]


@pytest.mark.parametrize(
    "text",
    [
        "щороку на Спаса ми їздимо до бабусі Гані на пасіку",
        "Кожної останньої неділі місяця ходимо в гори",
        "у нас традиція: на перший сніг усі кидають фото з вікна",
        "по вівторках у нас кіновечір",
        "на кожен день народження ми скидаємось на торт, так повелось",
        "раз на місяць влаштовуємо обмін книгами",
        "двічі на рік робимо толоку в парку",
        "першого числа кожного місяця підбиваємо підсумки",
        "на Івана Купала ми завжди збираємось біля річки",
        "every first snow we post a photo from our windows",
        "we do a pub quiz every other Thursday",
        "once a year we all go camping",
        "Monday mornings we post our goals for the week",
        "whenever someone gets a new job we all change our avatars to ties",
        "every payday we get dumplings together",
        "annual bake-off is in October, as usual",
        "we always do a group photo on the first day of spring",
        "first frost means mulled wine at Pete's, been like that since 2009",
        "third friday of the month = board games. always has been",
        "last one out cleans the grill, its been that way forever",
        "christmas eve we all go carolling. been doing it for twenty years",
        "end of every season we burn the old jerseys, rain or shine",
        "на Юрія завжди всім селом виганяємо корів у поле, ще діди наші так робили",
        "хто запізнився, той мие посуд. так уже п'ять років",
        "на випускний усі стрибаємо у фонтан, так повелося",
        "у день міста завжди йдемо на салют, як і щороку",
    ],
)
def test_what_the_group_does_regularly_is_a_tradition(text: str) -> None:
    assert "tradition" in categories(text)


@pytest.mark.parametrize(
    "text",
    [
        "та яка традиція, ми один раз так зібрались і все",
        "було б круто щомісяця збиратись на сніданок",
        "у чаті батьків вирішили щопонеділка здавати по сто гривень на штори",
        "у сусідньому відділі традиція: хто спізнився, купує всім пончики",
        "я щоп'ятниці в басейні",
        "кожен день дощ",
        "ми вже не збираємось щосуботи",
        "завжди мрію про море на Різдво",
        "would be funny if we all turned up in pyjamas every friday",
        "her book club meets every wednesday",
        "every time somebody washes a car it rains",
        "we no longer meet every Friday",
        "he always forgets my birthday",
        "happens every time I open the fridge",
        "halloween means nothing to me",
        "payday means I'm broke by friday",
        "we did the kitchen in two weekends",
        "третій рік шукаю роботу",
        "ми там так уже років десять не були",
    ],
)
def test_what_others_do_or_nobody_does_is_no_tradition(text: str) -> None:
    assert "tradition" not in categories(text)


@pytest.mark.parametrize(
    "text",
    [
        "12.07 о 10:00 збираємось біля фонтану",
        "25-го травня відзначаємо п'ять років чату",
        "концерт хору 21 грудня о 17, приходьте всі",
        "завтра о 20:00 зідзвон по проєкту",
        "турнір з шахів стартує 5 листопада",
        "через тиждень у нас виїзд у Карпати",
        "квитки треба викупити до 15 березня",
        "в суботу прибираємо двір, початок о десятій",
        "Запрошую всіх на виставку! 3 березня, галерея «Арт»",
        "We're having a picnic on July 4th",
        "Book club meets next Wednesday 7pm",
        "our flight to Rome is on the 14th of May",
        "Deadline for submissions is Friday",
        "Save the date: team dinner 23 November",
        "party's on the 31st!",
        "kickoff is 5/12 at noon, everyone's invited",
        "school reunion: Aug 9, 6pm, the town hall",
    ],
)
def test_what_the_group_is_going_to_do_is_an_event(text: str) -> None:
    assert categories(text) == ["event"]


@pytest.mark.parametrize(
    "text",
    [
        "завтра їду до стоматолога",
        "у суботу в мене день народження мами",
        "вчора були на концерті",
        "у мене дедлайн у п'ятницю",
        "хтось їде у Львів на вихідних",
        "on Monday I have a dentist appointment",
        "my sister gets married in June",
        "the concert was on Saturday",
        "the meeting at work is on Monday at 9",
    ],
)
def test_what_is_over_or_ones_own_is_no_event_of_the_group(text: str) -> None:
    assert categories(text) == []


def test_a_proposed_event_counts_once_somebody_comes_along() -> None:
    assert categories("let's all go bowling next saturday") == []
    assert categories("let's all go bowling next saturday", "im in") == ["event"]


@pytest.mark.parametrize(
    ("before", "after", "gone", "now"),
    [
        ("репетиція у вівторок о 19:00", "так, зміни: репетиція буде в четвер о 20:00", "вівтор", "четвер"),
        ("Reunion is set for 25 April in Cardiff", "Slight change folks, the reunion's now 30 May", "april", "30 may"),
        ("next match is wednesday 8pm", "scrap that. monday 9pm at the leisure centre instead", "wednesday", "monday"),
    ],
)
def test_a_changed_plan_replaces_the_old_one(before: str, after: str, gone: str, now: str) -> None:
    facts = learnt((before, {"by": 101}), "ок", (after, {"by": 101}))
    assert len(facts) == 1
    assert now in facts[0].description.lower()
    assert gone not in facts[0].description.lower()


def test_an_event_stands_when_its_author_changes_something_else() -> None:
    lines = (("picnic is on Saturday at noon", {"by": 101}), ("I changed my phone plan", {"by": 101}))
    assert "event" in categories(*lines)


def test_a_deadline_is_kept_under_its_own_key() -> None:
    found = event_in("rsvp for the wedding by March 1")
    assert found is not None
    assert found.key == "deadline"


def test_the_period_of_a_tradition_is_part_of_its_key() -> None:
    said = ("щороку в січні їдемо на лижі", "щомісяця граємо в настолки", "every Friday we watch a movie")
    assert [found.key for text in said if (found := tradition_in(text))] == [
        "yearly_trip", "monthly_games", "weekly_movie_night",
    ]  # fmt: skip


def test_two_dates_alone_do_not_make_one_occasion() -> None:
    assert same_occasion("board-game night is Thursday", "board-game night moved")
    assert not same_occasion("quiz on Thursday in January", "concert on Thursday in January")


@pytest.mark.parametrize(
    "text",
    [
        "Kick off 3pm sun 21/06, pitch 7, bring shin pads",
        "Book swap 11/15, 2 pm, library basement",
        "cleanup of the courtyard is the first saturday in may, 10am",
        "Ira's leaving do is on the 12th, 7.30 at the Crown",
        "don't forget: relay sign-ups close june 15",
        "quiz tonight is off, landlord's poorly. same time next week instead",
        "Посвята першокурсників 3 жовтня, з 16-ї, двір корпусу",
        "збори батьків на 21-ше, о 18:00",
        "з 1 по 7 липня вся наша компанія у Затоці",
        "толока в суботу скасовується через дощ. тоді наступної суботи, о тій же годині",
    ],
)
def test_dates_are_read_however_they_are_written(text: str) -> None:
    assert "event" in categories(text)


@pytest.mark.parametrize(
    "text",
    [
        "my flight is on the 30th, 6.30",
        "score was 10/24 in the quiz",
        "з 3 по 9 серпня я у відпустці",
        "our last concert was great",
        "вчора не 16-го, а 18-го згадав",
    ],
)
def test_a_date_alone_or_of_oneself_is_no_event_of_the_group(text: str) -> None:
    assert "event" not in categories(text)


BY = {"by": 7}


@pytest.mark.parametrize(
    ("announced", "correction", "value"),
    [
        ("збори у п'ятницю о 10", "вибачте, о 9 на Шевченка 5, не о 10", "збори у п'ятницю о 9 на шевченка 5"),
        (
            "у п'ятницю збори о 10 біля школи",
            "поправка: збори о 9 на Шевченка 12, а не о 10",
            "у п'ятницю збори о 9 на шевченка 12 біля школи",
        ),
        ("у суботу о 18:00 шашлики", "шашлики у неділю о 18:00, не в суботу", "шашлики у неділю о 18:00"),
        (
            "meeting on Friday at 10",
            "sorry, at 9, Baker Street 12, not at 10",
            "meeting on friday at 9, baker street 12",
        ),
    ],
)
def test_a_correction_with_an_address_is_the_same_event_with_its_new_time(announced, correction, value) -> None:
    assert [fact.value for fact in learnt((announced, BY), (correction, BY))] == [value]
    assert [fact.value for fact in learnt((announced, BY), "ок", (correction, BY), "+1")] == [value]


def test_what_is_denied_without_another_time_corrects_nothing() -> None:
    assert [fact.value for fact in learnt(("збори у п'ятницю о 10", BY), ("тільки не о 10", BY))] == [
        "збори у п'ятницю о 10"
    ]


@pytest.mark.parametrize(
    ("proposed", "is_language"),
    [
        ("let's speak English here", True),
        ("let's speak English on Fridays", False),
        ("let's speak English today", False),
        ("давайте говорити англійською", True),
        ("давайте по п'ятницях говорити англійською", False),
    ],
)
def test_a_language_for_one_day_is_not_the_chats_language(proposed: str, *, is_language: bool) -> None:
    found = [fact.key for fact in learnt(proposed, "так, yes", "+1")]
    assert ("language_preference" in found) is is_language
