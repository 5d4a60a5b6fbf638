"""What the bot without a model keeps to who wrote it, and what it does not."""

import pytest

from shared.domain.reading.guards.private_details import hide_figures, holds_private_detail, is_private


@pytest.mark.parametrize(
    "text",
    [
        "пароль від вайфаю kavun2025",
        "Пароль: ромашка",
        "бібліотекарка дала пароль від вайфаю Knyha zyhina",
        "wifi password is sunflower",
        "код від домофону 38к1470",
        "code for the key box is 4471, don't spread it",
        "the gate code: #2580",
        "пін 0912",
        "PIN-код 4455 від картки",
        "дзвоніть 050 304 17 88",
        "мій номер +380 (67) 123-45-67",
        "my phone is 07700 900412",
        "тел 50-12-34",
        "call 555-0123",
        "на картку як завжди: 4441 1144 0912 7735, Ліля Г.",
        "картка 4441114409127735",
        "рахунок UA21 3223 1300 0002 6007 2335 6600 1",
        "пароль ４４７１",
    ],
)
def test_passwords_codes_and_numbers_are_private(text):
    assert holds_private_detail(text)


@pytest.mark.parametrize(
    "text",
    [
        "граємо 15.11.2026 о 19:00, Зигіна 28",
        "2026-11-09 and 2026-11-10 are free",
        "бус коштує 7 200 грн туди-назад, заїзд 1 250 000 грн",
        "внесок 80, в жовтні був 100",
        "хто знає пароль від вайфаю?",
        "паролі в чат не пишемо",
        "we never post passwords here",
        "квартира 12, третій поверх",
        "у нас 1200 учасників",
        "рік 2026 був теплий",
        "",
    ],
)
def test_dates_amounts_and_talk_about_secrets_are_not(text):
    assert not holds_private_detail(text)


def test_a_bare_code_is_private_when_a_secret_is_asked_for():
    assert is_private("який пароль від вайфаю?", "kavun2025")
    assert is_private("what is the door code?", "it is 4471")
    assert not is_private("який пароль від вайфаю?", "пишемо тільки українською")
    assert not is_private("скільки коштує бус?", "7200")


def test_of_a_text_with_a_private_detail_the_figures_are_hidden_and_the_words_stay():
    assert hide_figures("код від сейфа 4471, не кажи") == "код від сейфа ••••, не кажи"
    assert hide_figures("мій номер +380 (67) 123-45-67") == "мій номер +••• (••) •••-••-••"
    assert hide_figures("граємо 15.11.2026 о 19:00") == "граємо 15.11.2026 о 19:00"
