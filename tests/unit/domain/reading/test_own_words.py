import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.domain.reading.own_words import (
    asks,
    is_judgement,
    moments_in,
    repeats,
    retime,
    strip_no,
    without_moments,
    without_request,
)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("що ключ під килимком", "ключ під килимком"),
        (", що ключ під килимком", "ключ під килимком"),
        ("запам'ятай, що ми граємо", "ми граємо"),
        ("remember that tea is in the drawer", "tea is in the drawer"),
        ("that we meet on Sundays", "we meet on Sundays"),
        ("- ключ під килимком", "ключ під килимком"),
        ("що", "що"),
        ("щось є в шухляді", "щось є в шухляді"),
        ("що таке осінь", "що таке осінь"),
        ("that is my favourite", "that is my favourite"),
        ("thatched roofs leak", "thatched roofs leak"),
        ("-5 у серверній", "-5 у серверній"),
        ("remembering is hard", "remembering is hard"),
    ],
)
def test_what_leads_to_the_words_is_left_out_and_nothing_else(said, words):
    assert without_request(said) == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Ні, у неділю", "у неділю"),
        ("Неправда! У неділю", "У неділю"),
        ("No - it's on Sunday", "it's on Sunday"),
        ("nope. 19:00", "19:00"),
        ("Ні", ""),
        ("ні.", ""),
        ("Ні у неділю", ""),
        ("нічого, у неділю", ""),
        ("now, on Sunday", ""),
        ("у неділю, ні", ""),
    ],
)
def test_what_stands_behind_a_no_is_found_where_there_is_a_pause(said, words):
    assert strip_no(said) == words


@pytest.mark.parametrize(
    "said",
    [
        *("ти дурень", "ви всі ідіоти", "Тарас - справжній дебіл!", "вона така розумна", "він поганий", "дурні"),
        *("ти найкращий", "я дурень", "you are an idiot", "you're all morons", "she is so smart", "they are stupid"),
    ],
)
def test_an_insult_or_a_bare_judgement_states_nothing(said):
    assert is_judgement(said)


@pytest.mark.parametrize(
    "said",
    [
        *(
            "ключ під килимком",
            "я розумний",
            "I am good",
            "we are good at chess",
            "дурний пес Рекс кусається",
            "",
            "...",
        ),
        *("хороша кава в Аромі", "вона лікарка", "he is a doctor", "ви граєте в шахи", "погана погода"),
    ],
)
def test_what_states_something_is_no_judgement(said):
    assert not is_judgement(said)


@pytest.mark.parametrize(
    ("description", "said", "now"),
    [
        ("Підсумки у п'ятницю", "у неділю", "Підсумки у неділю"),
        ("Щосереди граємо", "у четвер", "у четвер граємо"),
        ("Підсумки у п'ятницю о 19:00", "о 20:30", "Підсумки у п'ятницю о 20:30"),
        ("Recap every Friday", "it's on Sunday.", "Recap on Sunday"),
        ("we meet on Sundays", "Fridays", "we meet Fridays"),
        ("Граємо у п'ятницю і в суботу", "у неділю", "у неділю"),
        ("Підсумки у п'ятницю", "у неділю граємо", "у неділю граємо"),
        ("Підсумки у п'ятницю", "о 19:00", "о 19:00"),
        ("Підсумки", "у неділю", "у неділю"),
        ("Підсумки у п'ятницю", "у неділю або в суботу", "Підсумки у неділю або в суботу"),
        ("Recap every Friday", "on Saturday and Sunday", "Recap on Saturday and Sunday"),
        ("Підсумки у п'ятницю", "у неділю о 19:00", "у неділю о 19:00"),
        ("Підсумки у п'ятницю", "у неділю ми помремо", "у неділю ми помремо"),
    ],
)
def test_a_day_or_hour_alone_takes_the_place_of_the_one_that_is_told(description, said, now):
    assert retime(description, said) == now


@pytest.mark.parametrize(
    ("said", "kinds", "left"),
    [
        ("у неділю ми помремо", {"day"}, "ми помремо"),
        ("о 20:00 у суботу", {"day", "hour"}, ""),
        ("on Sunday or Monday", {"day"}, "or"),
        ("ключ під килимком", set(), "ключ під килимком"),
        ("", set(), ""),
    ],
)
def test_moments_are_told_from_the_other_words(said, kinds, left):
    assert (moments_in(said), without_moments(said).split()) == (kinds, left.split())


@given(st.text(max_size=60))
@example("запам'ятай" * 5_000)
@example("ні" + "," * 90_000)
@example("у " * 30_000)
def test_words_are_cut_and_never_changed(said):
    assert said.endswith(without_request(said))
    assert strip_no(said) in said
    assert retime("Підсумки", said) == said
    assert is_judgement(said) in (True, False)


@pytest.mark.parametrize(
    ("said", "form", "is_asked"),
    [
        ("де ключ?", "", True),
        ("ключ на столі?..", "", True),
        ("ключ на столі? 🤔", "", True),
        ("хто має ключ", "", True),
        ("хто має ключ, хто знає", "", True),
        ("хто спізнився - купує морозиво", "", False),
        ("хто спізнився, той купує морозиво", "", False),
        ("хто спізнився - купує морозиво?", "хто спізнився - купує торт", True),
        ("what happens here stays secret", "", True),
        ("what happens here stays secret", "What happens here stays here", False),
        ("what happens here stays secret", "We meet at 7", True),
        ("ключ на столі", "", False),
        ("", "", False),
    ],
)
def test_what_begins_like_a_question_may_state_something(said, form, is_asked):
    assert asks(said, form=form) is is_asked


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_question_mark_at_the_end_asks_whatever_the_form(said, form):
    assert asks(f"{said}?", form=form)


@pytest.mark.parametrize(
    ("said", "known", "same"),
    [
        ("ключ під килимком!", "Ключ під килимком", True),
        ("килимком під ключ", "Ключ під килимком", True),
        ("живе в Львові", "Живе у Львові", True),
        ("ключі під килимком", "Ключ під килимком", True),
        ("ключ на килимку", "Ключ під килимком", False),
        ("ключ не під килимком", "Ключ під килимком", False),
        ("пароль 5678", "пароль 1234", False),
        ("о 20:00", "о 19:00", False),
        ("ключ", "ключ ключ", False),
    ],
)
def test_words_repeat_a_text_when_every_word_of_it_is_the_same(said, known, same):
    assert repeats(said, ["інше", known]) is same
    assert not repeats(said, [])
