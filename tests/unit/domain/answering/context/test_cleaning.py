"""What is sent of a model's answer, whatever of its context the model repeats."""

import pytest
from hypothesis import given

from shared.domain.answering.context.cleaning import clean_answer, with_citations
from shared.domain.answering.context.compact import END, talk_lines
from shared.domain.people.labels import Identity, labels_of
from tests.unit.domain.answering.context.nasty import talks

BOT = ("гряг", "gryag")
HANDLES = ("гряг", "Оля", "Оля#2", "Тарас", "Anna K.")


def cleaned(text):
    return clean_answer(text, bot_names=BOT, handles=HANDLES)


@pytest.mark.parametrize(
    ("raw", "sent"),
    [
        ("гряг: Так.", "Так."),
        ("Gryag: Yes.", "Yes."),
        ("гряг → Оля: Так, у суботу.", "Так, у суботу."),
        ("гряг → Оля#2: Так.", "Так."),
        ("#131 гряг → Оля: Так.", "Так."),
        ("#-5 гряг: Так.", "Так."),
        ("→ Тарас: Так.", "Так."),
        ("Тарас → гряг: Так.", "Так."),
        ("Anna K. -> гряг: Yes.", "Yes."),
        ("Оля#2: Так.", "Так."),
        ("[2026-03-06 18:20]\nгряг: Так.\n[19:45]\nгряг: І ще.", "Так.\nІ ще."),
        ("[18:20] Так.", "Так."),
        ("Так.\nгряг → Оля: І ще.\n[RESPOND]", "Так.\nІ ще."),
        ('[meta] chat_id=1 user_id=2 name="x"\nГряг: Так. [RESPOND]', "Так."),
        ("Так.\n[now] Friday, 2026-03-06 18:20, UTC. Answer Оля in Ukrainian.", "Так."),
        ("Це сказала Оля#2, а не Оля.", "Це сказала Оля, а не Оля."),
        ("Так.\n\n\n\nНі.", "Так.\n\nНі."),
        ("[RESPOND]", ""),
        ("гряг:", ""),
    ],
)
def test_the_marks_of_the_context_are_not_sent(raw, sent):
    assert cleaned(raw) == sent


@pytest.mark.parametrize(
    "text",
    [
        "C#2: ok",
        "`гряг → Оля: так` — так виглядає рядок",
        "```\nC#2: ok\nгряг: x\n#12 Оля: y\n[18:20]\n```",
        "Оля: їде в суботу\nТарас: не їде",
        "Зустріч о 18:20, у Олі: Київ → Львів: 540 км",
        "Дивись issue #12: там усе є",
        "- Тарас → Оля: 200 грн",
        "Слово гряг: так мене звати",
        "У списку [1] і [2] немає помилок",
        "https://example.org/гряг: адреса",
        "2026-03-06 18:20 — це п'ятниця",
        "Пишіть мені після `x`: тоді",
        "F#2 та A#2: ноти",
    ],
)
def test_what_only_looks_like_a_mark_is_sent(text):
    assert cleaned(text) == text


@given(talks(most=6))
def test_a_talk_that_the_model_repeats_is_sent_without_its_frame(talk):
    handles = labels_of((Identity(m.user_id, m.name) for m in talk), bot_id=7, bot_name="гряг")
    from datetime import UTC

    repeated = "\n".join([*talk_lines(talk, handles, UTC, cited={m.message_id for m in talk}), END])
    sent = clean_answer(repeated, bot_names=BOT, handles=tuple(handles.values()))
    in_code = "`" in repeated
    assert in_code or not any(line.startswith(("#1 ", "#2 ", "[2026-03-06 ")) for line in sent.split("\n"))
    assert "[RESPOND]" not in sent
    assert clean_answer(sent, bot_names=BOT, handles=tuple(handles.values())).count("[2026") == sent.count("[2026")


LINKS = {12: "[↗](https://t.me/c/1/12)", 15: "[↗](https://t.me/c/1/15)", 16: "(Оля, 03.03.2026)"}


@pytest.mark.parametrize(
    ("raw", "sent"),
    [
        ("Оля їде в суботу [#12].", "Оля їде в суботу [↗](https://t.me/c/1/12)."),
        ("Обоє [#12, #15]", "Обоє [↗](https://t.me/c/1/12) [↗](https://t.me/c/1/15)"),
        ("Обоє[#12,15] тут", "Обоє [↗](https://t.me/c/1/12) [↗](https://t.me/c/1/15) тут"),
        ("Вигадане [#99].", "Вигадане."),
        ("Без посилання [#16].", "Без посилання (Оля, 03.03.2026)."),
        ("`[#12]` і [#12](http://x)", "`[#12]` і [#12](http://x)"),
        ("Після `коду` [#12].", "Після `коду` [↗](https://t.me/c/1/12)."),
    ],
)
def test_a_citation_becomes_a_link_to_a_message_of_the_context_or_nothing(raw, sent):
    assert with_citations(raw, LINKS) == sent
