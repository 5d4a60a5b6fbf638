"""A rule is the same, and described alike, whether or not it is announced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.reading.matching.rows import Listener, PatternRow
from shared.domain.reading.patterns.chat.rule_texts import RULES, join_lists, moment_of, without_heading
from shared.domain.reading.patterns.chat.rules import custom_in, language_choice, proposes, rules_in
from shared.domain.reading.patterns.finding import findings_in
from tests.support.talk import BOT_NAMES, learnt, said

HEADINGS_EN = (
    "Reminder: ", "Friendly reminder, ", "A reminder for all: ", "Just a reminder that ", "Attention everyone: ",
    "PSA: ", "Heads up, ", "Rule of the chat: ", "Dear members, a reminder: ", "Important – ", "Attention! Reminder: ",
)  # fmt: skip
HEADINGS_UK = (
    "Нагадую: ", "Нагадую всім, що ", "Нагадування: ", "Увага, ", "Друзі, нагадую: ", "Нагадую про те, що ",
    "Важливо: ", "Правило чату: ", "Важливо — ", "Увага! Нагадую: ",
)  # fmt: skip
RULES_EN = (
    "no ads in this chat!", "no politics, ads or spam", "no voice notes after 10pm", "ads only on Fridays",
    "links are not allowed here", "please no ads (links), thanks", "only English here please",
    "max two memes a day per person",
)  # fmt: skip
RULES_UK = (
    "без реклами в чаті!", "ніякої політики та реклами в чаті", "голосові заборонені після 22:00",
    "реклама лише по п'ятницях", "реклама заборонена", "спілкуємося лише українською", "після 22:00 у чаті тиша",
)  # fmt: skip


def rules(text: str) -> list[tuple[str, str, str, bool]]:
    found = [fact for fact in learnt(text, admins=frozenset({101})) if fact.category == "rule"]
    return [(fact.key, fact.value, fact.description, fact.single) for fact in found]


@given(
    st.one_of(
        st.tuples(st.sampled_from(HEADINGS_EN), st.sampled_from(RULES_EN)),
        st.tuples(st.sampled_from(HEADINGS_UK), st.sampled_from(RULES_UK)),
    )
)
def test_a_rule_that_is_announced_is_the_rule_that_is_said_without_it(said: tuple[str, str]) -> None:
    heading, rule = said
    (plain,) = rules(rule)
    assert rules(heading + rule) == [plain]


def test_what_is_shown_of_a_reminder_is_the_rule_alone() -> None:
    ((_, value, description, _),) = rules("Reminder: no ads in this chat!")
    assert (value, description) == ("advertising", "Rule of the chat: no ads in this chat.")


@pytest.mark.parametrize(
    "said",
    [
        "Rule for newcomers: read the pinned post",
        "Правило для новачків: спершу читаємо закріп",
        "New rule for ads: Fridays only",
        "Reminder about memes, Fridays only",
        "Важливо, щоб усі тегали спойлери",
        "Ads: only on Fridays",
        "Attention seekers not welcome",
        "Оголошення: лише по п'ятницях",
        "Reminder:",
        "",
    ],
)
def test_a_heading_that_says_more_than_that_something_is_laid_down_stays(said: str) -> None:
    assert without_heading(said) == said


def test_what_is_forbidden_may_begin_with_the_word_of_a_heading() -> None:
    assert [rule[1] for rule in rules("Attention whores not allowed, please")] == ["attention whores"]


@given(st.text(alphabet="ab:, –-rulethaщон", max_size=60))
def test_without_its_headings_a_text_is_its_own_end_and_has_none(said: str) -> None:
    rest = without_heading(said)
    assert said.strip().endswith(rest.strip())
    assert without_heading(rest) == rest
    assert bool(rest.strip()) == bool(said.strip())


@pytest.mark.parametrize(
    ("sentence", "joined"),
    [
        ("без реклами, політики і спаму", "без реклами/ політики і спаму"),
        ("no ads, politics (spam)", "no ads/ politics /spam/"),
        ("нове правило: політика, реклама", "нове правило: політика/ реклама"),
        ("без реклами, бо всі втомилися", "без реклами, бо всі втомилися"),
        ("пишемо про котів, не про політику", "пишемо про котів, не про політику"),
        ("люблю каву, чай", "люблю каву, чай"),
        ("", ""),
    ],
)
def test_a_border_within_a_list_of_topics_is_none(sentence, joined):
    assert join_lists(sentence) == joined


@given(
    st.lists(st.sampled_from(["без", "реклами", "політики", ",", " ", "(", ")", ":", "бо"]), max_size=12).map("".join)
)
def test_only_borders_are_rewritten(sentence):
    joined = join_lists(sentence)
    assert len(joined) == len(sentence)
    assert all(one == other or (one in ",()" and other == "/") for one, other in zip(sentence, joined, strict=True))


@pytest.mark.parametrize(
    ("said", "moment"),
    [
        ("голосові після  22:00 не слати", "після 22:00"),
        ("quiet From 10 pm to 8 am please", "from 10 pm to 8 am"),
        ("меми лише в п'ятницю", "friday"),
        ("без політики", ""),
        ("про 5 котів", ""),
    ],
)
def test_a_rule_may_hold_for_a_time(said, moment):
    assert moment_of(said) == moment


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
