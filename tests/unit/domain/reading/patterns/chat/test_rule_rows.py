"""Every row of the rules finds its example in an admin's words; what looks alike lays down nothing."""

import pytest

from shared.domain.reading.matching.rows import Listener, PatternRow
from shared.domain.reading.patterns.chat.rule_rows import RULES
from shared.domain.reading.patterns.chat.rules import custom_in, language_choice, proposes, rules_in
from shared.domain.reading.patterns.finding import findings_in
from tests.support.talk import BOT_NAMES, learnt, said

ADMIN = {"is_admin": True}
LISTENER = Listener(BOT_NAMES, (), frozenset())


def rows_found(text: str) -> list[str]:
    return [item.row for item in findings_in(said(text, **ADMIN), LISTENER) if item.category == "rule"]


@pytest.mark.parametrize("row", RULES.rows, ids=lambda row: row.name)
def test_a_rule_row_finds_its_example(row: PatternRow) -> None:
    assert rows_found(row.hit) == [row.name]


@pytest.mark.parametrize("row", RULES.rows, ids=lambda row: row.name)
def test_what_only_looks_like_a_rule_lays_down_nothing(row: PatternRow) -> None:
    assert rows_found(row.miss) == []


@pytest.mark.parametrize(
    "text",
    [
        "Прохання не писати капсом",
        "всі питання — в окрему гілку",
        "З понеділка переходимо на хештеги: кожен допис має мати тег",
        "голосові довше хвилини не надсилаємо",
        "хто кидає російську музику — одразу бан",
        "максимум два оголошення на тиждень від людини",
        "дзвінки в чаті з 9 до 21, пізніше не дзвонимо",
        "відтепер скріни з чату назовні не виносимо",
        "торенти сюди не кидаєм",
        "людей без імені в профілі я не пускаю",
        "одне оголошення на тиждень від людини",
        "нульова толерантність до хамства",
        "усі оголошення через адміна",
        "anything fundraisery has to go past me first, sorry",
        "shilling = one week mute",
        "progress pics go behind a blur, always",
        "жодних збирань грошей без згоди адмінів",
        "відео довші за 2 хвилини — тільки посиланням",
        "Please don't share screenshots outside of this group",
        "Starting Monday, all job posts need a salary range",
        "from now on memes go in #memes",
        "anyone who spams crypto gets an instant ban",
        "only admins can pin messages",
        "ask before posting photos of other people",
        "posts without a photo will be deleted",
        "don't tag everyone unless it's urgent",
    ],
)
def test_an_admin_lays_down_a_rule_without_calling_it_one(text: str) -> None:
    assert "rule" in [fact.category for fact in learnt((text, ADMIN))]


@pytest.mark.parametrize(
    "text",
    [
        "не кажи дурниць",
        "пишіть, якщо що",
        "у нас тут дощ, без парасолі не виходьте",
        "усім треба відпочити",
        "тепер можна й відпочити",
        "з понеділка на дієті",
        "don't use tabs in yaml, it breaks",
        "always check the logs before you restart",
        "from now on I'm eating healthy",
        "everyone should see this movie",
        "read this article, it's great",
        "not a single photo came out",
    ],
)
def test_an_admin_may_talk_like_anybody_else(text: str) -> None:
    assert learnt((text, ADMIN)) == []


def test_what_happens_to_those_who_break_a_rule_is_no_rule_of_its_own() -> None:
    found = rules_in("спойлери ховаємо під плашку, хто не ховає — мут на добу", "спойлери ховаємо в чаті")
    assert [rule.value for rule in found] == ["спойлери ховаємо під плашку, хто не ховає — мут на добу"]


def test_two_rules_of_a_sentence_are_told_apart() -> None:
    text = "Оновлення правил: меми тепер тільки в гілці «Смішне», а після 23:00 жодних @all"
    assert [rule.key for rule in rules_in(text, text)] == ["chat_rule", "forbidden_topics"]


def test_a_later_limit_replaces_the_earlier_one() -> None:
    lines = (
        ("Limit is three photos a day per person please", ADMIN),
        "aw",
        ("you can now post up to five photos a day", ADMIN),
    )
    assert [(fact.key, fact.value) for fact in learnt(*lines)] == [
        ("limit_photos", "you can now post up to five photos a day")
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("давайте домовимось не писати після 23", "+", "згоден"),
        ("Proposal: no spoilers until Sunday", "agreed", "+1"),
        ("can we ban voice notes here?", "yes please", "+1"),
        ("пропоную заборонити гіфки в чаті", "двома руками за", "теж за"),
    ],
)
def test_a_proposed_rule_holds_once_two_others_support_it(lines: tuple[str, ...]) -> None:
    assert [fact.category for fact in learnt(*lines)] == ["rule"]
    assert "rule" not in [fact.category for fact in learnt(*lines[:2])]


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("якщо хтось питає те, що вже було, кидаємо лінк на закріп", "кидаємо лінк на закріп"),
        ("when somebody asks about flights we just link the pinned list", "link the pinned list"),
        ("якби хтось питав, ми б кидали лінк", ""),
        ("if somebody asks, we would say no", ""),
        ("якщо буде дощ, поїдемо в неділю", ""),
    ],
)
def test_a_custom_may_be_bound_to_a_condition(text: str, done: str) -> None:
    assert custom_in(text) == done


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("english only, sorry", ("english", True)),
        ("пишемо лише українською", ("ukrainian", True)),
        ("перейдемо на польську?", ("polish", False)),
        ("I love English breakfast", None),
        ("добрий ранок", None),
    ],
)
def test_a_choice_of_language_names_a_language_and_speaking(text: str, choice: tuple[str, bool] | None) -> None:
    assert language_choice(text) == choice


@pytest.mark.parametrize("text", ["може, зберемось?", "how about a quiz", "why don't we meet", "хотілося б тиші"])
def test_a_wish_is_a_proposal(text: str) -> None:
    assert proposes(text)


@pytest.mark.parametrize("text", ["може бути", "ми граємо щосуботи", "we meet on Mondays"])
def test_what_is_so_is_no_proposal(text: str) -> None:
    assert not proposes(text)


def test_what_a_member_calls_a_rule_becomes_nothing_else() -> None:
    assert learnt("правило: ключі від щитової тільки в мене") == []


@pytest.mark.parametrize("text", ["Видалятиму без попереджень", "be nice", "steve got a two week ban from the pub"])
def test_a_threat_or_a_wish_for_manners_is_no_rule_of_its_own(text: str) -> None:
    assert rows_found(text) == []


def test_an_opener_is_not_the_rule_that_it_opens() -> None:
    (rule,) = rules_in(text := "Actual rule, same as ever: nobody sells frames without proof of purchase", text)
    assert rule.value == "frames without proof of purchase"
